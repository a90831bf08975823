import BitpalModel
import FoundationEssentials

/// The pages of one answer that have been read so far, to be joined.
struct AnswerPages {
  private var pages: [ProviderAnswer] = []
  private var emptiness: (any Error)?

  /// Adds a page; an empty page counts only if all pages are empty.
  ///
  /// - Throws: Any error of `read` except `.noData` and `.noPrice`, which mean an empty page.
  mutating func add(_ read: () throws -> ProviderAnswer) throws {
    do {
      pages.append(try read())
    } catch let error as BitpalError where error.isEmptyPage {
      emptiness = emptiness ?? error
    }
  }

  /// Returns whether the pages answer the query, so that no further page is needed: every coin of quotes, the whole window of a
  /// series.
  func answers(_ query: ProviderQuery) -> Bool {
    switch query {
    case .quotes(let coins, _): coins.allSatisfy { coin in pages.contains { $0.answers[coin] != nil } }
    case .line(_, _, let window), .candles(_, _, let window, _): isCovered(window)
    case .coinList, .top, .detail: false
    }
  }

  /// Returns whether the pages cover the window, in whichever direction of time they follow each other.
  private func isCovered(_ window: TimeWindow) -> Bool {
    let spans = pages.flatMap(\.answers.values).compactMap(\.span)
    guard let first = spans.first, let last = spans.last else { return false }
    if spans.count == 1 { return first.lowerBound <= window.start && first.upperBound >= window.end }
    return last.lowerBound < first.lowerBound ? last.lowerBound <= window.start : last.upperBound >= window.end
  }

  /// Returns the quotes read before a page failed, with its failure for the missing coins.
  ///
  /// It is nil without any page, and for other queries, whose answers are of use only as a whole.
  func quotes(of query: ProviderQuery, failingOthersWith error: BitpalError) -> ProviderAnswer? {
    guard case .quotes(let coins, _) = query, !pages.isEmpty, var found = try? joined() else { return nil }
    let missing = coins.filter { found.answers[$0] == nil }
    found.failures = Dictionary(missing.map { ($0, error.about($0)) }) { first, _ in first }
    return found
  }

  /// Returns the rows of all pages; of two rows of one coin, or of one instant, the first counts.
  ///
  /// - Throws: The `.noData` or `.noPrice` of the first empty page, when all pages are empty.
  func joined() throws -> ProviderAnswer {
    guard var joined = pages.first else {
      throw emptiness ?? BitpalError.noData(question: "the answer", provider: "?")
    }
    for page in pages.dropFirst() {
      joined.answers.merge(page.answers) { Self.join($0, $1) }
      joined.failures.merge(page.failures) { first, _ in first }
      joined.extras.merge(page.extras) { first, _ in first }
      joined.warnings += page.warnings
      // An answer is as old as its oldest page.
      joined.origins.merge(page.origins) { $0.fetchedAt <= $1.fetchedAt ? $0 : $1 }
    }
    joined.failures = joined.failures.filter { joined.answers[$0.key] == nil }
    return joined
  }

  private static func join(_ left: Answer, _ right: Answer) -> Answer {
    switch (left, right) {
    case (.coinList(let left), .coinList(let right)):
      let known = Set(left.map(\.id))
      return .coinList(left + right.filter { !known.contains($0.id) })
    case (.line(let left), .line(let right)):
      let points = SeriesRules.clean(left.points + right.points).points
      return .line(
        LineSeries(
          points: points, isDaily: left.isDaily && right.isDaily, settles: [left, right].compactMap(\.settles).max()))
    case (.candles(let left), .candles(let right)):
      let candles = SeriesRules.merged(SeriesRules.clean(left.candles + right.candles).points, width: left.width)
      return .candles(
        CandleSeries(width: left.width, candles: candles, settles: [left, right].compactMap(\.settles).max()))
    default: return left
    }
  }
}

extension BitpalError {
  /// Whether the failure means that a page has nothing, so that other pages may have the answer.
  var isEmptyPage: Bool { code == .noData || code == .noPrice }
}

extension Answer {
  /// The first and last instant of a series; nil for an empty series and for other answers.
  fileprivate var span: ClosedRange<Date>? {
    let instants: [Date] =
      switch self {
      case .line(let series): series.points.map(\.timestamp)
      case .candles(let series): series.candles.map(\.timestamp)
      case .quote, .coinList, .detail, .missing: []
      }
    guard let first = instants.min(), let last = instants.max() else { return nil }
    return first...last
  }
}
