import BitpalModel
import BitpalReplay

/// Recorded answers that follow each other without a gap, and so cover a window together.
struct RecordedPages {
  /// One recorded answer.
  struct Page {
    let window: TimeWindow
    let exchange: RecordedExchange
  }

  /// The width that was asked for.
  let width: Duration

  /// Oldest first; at least one.
  private(set) var pages: [Page]

  /// What they cover.
  private(set) var window: TimeWindow

  /// Every answer alone, and every run of answers of one width; of equal windows the later exchange first.
  static func all(
    in exchanges: RecordedProvider.Exchanges, coin: String, currency: String
  ) -> [RecordedPages] {
    let single = exchanges.compactMap { query, exchange -> RecordedPages? in
      guard case .candles(coin, currency, let window, let width) = query else { return nil }
      return RecordedPages(width: width, pages: [Page(window: window, exchange: exchange)], window: window)
    }
    return single.flatMap { last in
      var runs = [last]
      // Each page begins before the one after it, so this ends.
      while let run = runs.last,
        let earlier = single.first(where: { $0.precedes(run) }), let page = earlier.pages.first
      {
        var longer = run
        longer.pages.insert(page, at: 0)
        longer.window = TimeWindow(start: page.window.start, end: run.window.end)
        runs.append(longer)
      }
      return runs
    }
  }

  private func precedes(_ other: RecordedPages) -> Bool {
    width == other.width && window.end == other.window.start && window.start < window.end
  }
}
