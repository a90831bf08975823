import BitpalModel
import FoundationEssentials

/// The pages of one answer that have been read so far, to be joined.
struct AnswerPages {
  private var answers: [ProviderAnswer<ProviderReply>] = []
  private var emptiness: (any Error)?

  /// Adds a page; an empty page counts only if all pages are empty.
  ///
  /// - Throws: Any error of `read` except `.noData` and `.noPrice`, which mean an empty page.
  mutating func add(_ read: () throws -> ProviderAnswer<ProviderReply>) throws {
    do {
      answers.append(try read())
    } catch let error as BitpalError where [.noData, .noPrice].contains(error.code) {
      emptiness = emptiness ?? error
    }
  }

  /// Whether the pages answer the query, so that no further page is needed: every coin of quotes, the whole window of a
  /// series.
  func answers(_ query: ProviderQuery) -> Bool {
    switch query {
    case .quotes(let coins, _): coins.allSatisfy { coin in answers.contains { $0.value.has(coin) } }
    case .line(_, _, let window), .candles(_, _, let window, _): isCovered(window)
    case .coinList, .detail: false
    }
  }

  /// Whether the pages cover the window, in whichever direction of time they follow each other.
  private func isCovered(_ window: TimeWindow) -> Bool {
    let spans = answers.compactMap(\.value.span)
    guard let first = spans.first, let last = spans.last else { return false }
    if spans.count == 1 { return first.lowerBound <= window.start && first.upperBound >= window.end }
    return last.lowerBound < first.lowerBound ? last.lowerBound <= window.start : last.upperBound >= window.end
  }

  /// Returns the quotes read before a page failed, with its failure for the missing coins.
  ///
  /// It is nil without any page, and for other queries, whose answers are of use only as a whole.
  func quotes(of query: ProviderQuery, failingOthersWith error: BitpalError) -> ProviderAnswer<ProviderReply>? {
    guard case .quotes(let coins, _) = query, !answers.isEmpty, let found = try? joined(),
      case .quotes(let batch) = found.value
    else { return nil }
    let missing = coins.filter { batch.coins[$0] == nil }
    let failures = Dictionary(missing.map { ($0, error.about($0)) }) { first, _ in first }
    let kept = QuoteBatch(coins: batch.coins, failures: failures, details: batch.details, weeks: batch.weeks)
    return ProviderAnswer(.quotes(kept), warnings: found.warnings, origins: found.origins)
  }

  /// Returns the rows of all pages; of two rows of one coin, or of one instant, the first counts.
  ///
  /// - Throws: The `.noData` or `.noPrice` of the first empty page, when all pages are empty.
  func joined() throws -> ProviderAnswer<ProviderReply> {
    guard let first = answers.first else {
      throw emptiness ?? BitpalError.noData(question: "the answer", provider: "?")
    }
    let value = answers.dropFirst().reduce(first.value) { Self.join($0, $1.value) }
    // An answer is as old as its oldest page.
    let origins = answers.reduce(into: [:]) { origins, page in
      origins.merge(page.origins) { $0.fetchedAt <= $1.fetchedAt ? $0 : $1 }
    }
    return ProviderAnswer(value, warnings: answers.flatMap(\.warnings), origins: origins)
  }

  private static func join(_ left: ProviderReply, _ right: ProviderReply) -> ProviderReply {
    switch (left, right) {
    case (.quotes(let left), .quotes(let right)):
      let coins = left.coins.merging(right.coins) { first, _ in first }
      let failures = left.failures.merging(right.failures) { first, _ in first }.filter { coins[$0.key] == nil }
      return .quotes(
        QuoteBatch(
          coins: coins, failures: failures, details: left.details.merging(right.details) { first, _ in first },
          weeks: left.weeks.merging(right.weeks) { first, _ in first }))
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

extension ProviderReply {
  /// Whether the reply has a quote of the coin.
  fileprivate func has(_ coin: String) -> Bool {
    if case .quotes(let batch) = self { batch.coins[coin] != nil } else { false }
  }

  /// The first and last instant of a series; nil for an empty series and for other replies.
  fileprivate var span: ClosedRange<Date>? {
    let instants: [Date] =
      switch self {
      case .line(let series): series.points.map(\.timestamp)
      case .candles(let series): series.candles.map(\.timestamp)
      case .quotes, .coinList, .detail: []
      }
    guard let first = instants.min(), let last = instants.max() else { return nil }
    return first...last
  }
}
