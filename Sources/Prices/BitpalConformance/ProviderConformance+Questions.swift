import BitpalModel
import BitpalProviders
import FoundationEssentials

extension ProviderConformance {
  /// The questions of the sample that the provider supports: quotes, a line, candles.
  var questions: [ProviderQuery] {
    var questions: [ProviderQuery] = []
    if has(.quotes), !sample.coins.isEmpty {
      questions.append(.quotes(coins: sample.coins, currency: sample.currency))
    }
    return questions + seriesQuestions
  }

  /// The line and the candles of the sample, as far as the provider has them.
  var seriesQuestions: [ProviderQuery] {
    let questions = [has(.line) ? sample.lineQuery : nil, has(.candles) ? sample.candlesQuery : nil]
    return questions.compactMap(\.self)
  }

  /// Returns the first of the questions, for rules that apply to any.
  ///
  /// - Throws: `Verdict` when there is none.
  func anyQuestion() throws -> ProviderQuery {
    if let question = questions.first { return question }
    if has(.quotes) { throw lacking(.quotes) }
    if has(.line) { throw lacking(.line) }
    if has(.candles) { throw lacking(.candles) }
    throw Verdict.skipped("it has no quotes, lines or candles")
  }

  /// Returns the verdict that a rule cannot be checked without such an answer, with the example that would help.
  func lacking(_ capability: Capability) -> Verdict {
    let (what, keys) =
      switch capability {
      case .quotes: ("no coin is known to have a price", "coin, body and rows")
      case .line: ("no line is known to be there", "coin, now, window, body and rows")
      case .candles: ("no candles are known to be there", "coin, now, window, width, body and rows")
      case .detail: ("no detail is known to be there", "coin, body and rows")
      case .coinList: ("no coin list is known to be there", "body and rows")
      }
    guard sample.isOfExamples else { return .skipped(what) }
    return .skipped("\(what): add an example with ask: \(asks(for: capability)), \(keys)")
  }

  /// Returns the operation whose examples show a capability: that of lines for quotes that are their last points.
  func asks(for capability: Capability) -> String {
    (capability == .quotes && provider.descriptor.quotesLine != nil ? .line : capability).rawValue
  }

  /// Requires a line and candles where the provider supports them, because each has its own request and columns.
  ///
  /// - Throws: `Verdict` when one of them is missing.
  func expectBothSeries() throws {
    if has(.line), sample.line == nil { throw lacking(.line) }
    if has(.candles), sample.candles == nil { throw lacking(.candles) }
  }

  /// Requires quotes of at least one coin.
  ///
  /// - Throws: `Verdict` when there are none.
  func needQuotes() throws {
    guard has(.quotes) else { throw Verdict.skipped("it has no quotes") }
    guard !sample.coins.isEmpty else { throw lacking(.quotes) }
  }

  /// Asks a question.
  ///
  /// - Returns: A text that differs when the answer does, and the number of its quotes or points.
  /// - Throws: The failure of the provider.
  func ask(_ query: ProviderQuery, of provider: any PriceProvider) async throws -> (text: String, count: Int) {
    let reply = try await provider.answer(to: query)
    if let other = reply.answers.values.first(where: { $0.kind != query.kind }) {
      throw Verdict.failed("it answers a question for \(query.capability.rawValue) with a \(other.kind.rawValue)")
    }
    let failures = reply.failures.sorted { $0.key < $1.key }.map { "\($0)" }
    let answers = reply.answers.sorted { $0.key < $1.key }.map { "\($0)" }
    return ((answers + failures).joined(separator: "\n"), reply.answers.values.reduce(0) { $0 + $1.count })
  }

  /// Quotes, and the failures of the other coins.
  struct Quotes {
    let coins: [String: Coin]
    let failures: [String: BitpalError]
  }

  /// Asks for quotes.
  ///
  /// - Parameters:
  ///   - coins: The ids of the coins.
  ///   - currency: The currency; nil for that of the sample.
  ///   - provider: The provider; nil for the one that is checked.
  /// - Throws: The failure of the provider.
  func quotes(
    _ coins: [String], in currency: String? = nil, of provider: (any PriceProvider)? = nil
  ) async throws -> Quotes {
    let query = ProviderQuery.quotes(coins: coins, currency: currency ?? sample.currency)
    let reply = try await (provider ?? self.provider).answer(to: query)
    return Quotes(coins: reply.values(), failures: reply.failures)
  }
}

extension ProviderQuery {
  /// Returns the same question about another coin or in another currency.
  func asking(coin: String? = nil, currency: String? = nil) -> ProviderQuery {
    switch self {
    case .quotes(let coins, let unit): .quotes(coins: coin.map { [$0] } ?? coins, currency: currency ?? unit)
    case .coinList: .coinList
    case .top(let unit): .top(currency: currency ?? unit)
    case .detail(let id, let unit): .detail(coin: coin ?? id, currency: currency ?? unit)
    case .line(let id, let unit, let window): .line(coin: coin ?? id, currency: currency ?? unit, window: window)
    case .candles(let id, let unit, let window, let width):
      .candles(coin: coin ?? id, currency: currency ?? unit, window: window, width: width)
    }
  }
}
