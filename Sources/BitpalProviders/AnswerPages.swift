import BitpalModel

/// The pages of one answer, on their way to being joined.
struct AnswerPages {
  private var answers: [ProviderAnswer<ProviderReply>] = []
  private var emptiness: (any Error)?

  /// Adds a page; one with nothing on it counts only where no other has anything.
  ///
  /// - Throws: Whatever `read` throws but that there is nothing.
  mutating func add(_ read: () throws -> ProviderAnswer<ProviderReply>) throws {
    do {
      answers.append(try read())
    } catch let error as BitpalError where [.noData, .noPrice].contains(error.code) {
      emptiness = emptiness ?? error
    }
  }

  /// Whether all is there that was asked for, so that no further page need be: of quotes every coin.
  func answers(_ query: ProviderQuery) -> Bool {
    guard case .quotes(let coins, _) = query else { return false }
    return coins.allSatisfy { coin in
      answers.contains { if case .quotes(let batch) = $0.value { batch.coins[coin] != nil } else { false } }
    }
  }

  /// The rows of all pages; of two that are of one coin, or of one instant, the first counts.
  ///
  /// - Throws: That there is nothing, when nothing was on any page.
  func joined() throws -> ProviderAnswer<ProviderReply> {
    guard let first = answers.first else {
      throw emptiness ?? BitpalError.noData(question: "the answer", provider: "?")
    }
    let value = answers.dropFirst().reduce(first.value) { Self.join($0, $1.value) }
    return ProviderAnswer(value, warnings: answers.flatMap(\.warnings))
  }

  private static func join(_ left: ProviderReply, _ right: ProviderReply) -> ProviderReply {
    switch (left, right) {
    case (.quotes(let left), .quotes(let right)):
      let coins = left.coins.merging(right.coins) { first, _ in first }
      let failures = left.failures.merging(right.failures) { first, _ in first }.filter { coins[$0.key] == nil }
      return .quotes(QuoteBatch(coins: coins, failures: failures))
    case (.coinList(let left), .coinList(let right)):
      let known = Set(left.map(\.id))
      return .coinList(left + right.filter { !known.contains($0.id) })
    case (.line(let left), .line(let right)):
      return .line(
        LineSeries(
          points: SeriesRules.clean(left.points + right.points).points, isDaily: left.isDaily && right.isDaily))
    case (.candles(let left), .candles(let right)):
      let candles = SeriesRules.clean(left.candles + right.candles).points
      return .candles(CandleSeries(width: left.width, candles: candles))
    default: return left
    }
  }
}
