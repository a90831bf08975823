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
    var questions: [ProviderQuery] = []
    if has(.line), let line = sample.line {
      questions.append(.line(coin: line.coin, currency: line.currency, window: line.window))
    }
    if has(.candles), let asked = sample.candles {
      questions.append(
        .candles(coin: asked.coin, currency: asked.currency, window: asked.window, width: asked.width))
    }
    return questions
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
    return .skipped("\(what): add an example with ask: \(capability.rawValue), \(keys)")
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
    let reply = try await provider.answer(to: query).value
    guard case .quotes(let batch) = reply else { return ("\(reply)", reply.count) }
    let failures = batch.failures.sorted { $0.key < $1.key }.map { "\($0)" }
    let quotes = batch.coins.sorted { $0.key < $1.key }.map { "\($0)" }
    return ((quotes + failures).joined(separator: "\n"), batch.coins.count)
  }
}

extension ProviderQuery {
  /// Returns the same question about another coin or in another currency.
  func asking(coin: String? = nil, currency: String? = nil) -> ProviderQuery {
    switch self {
    case .quotes(let coins, let unit): .quotes(coins: coin.map { [$0] } ?? coins, currency: currency ?? unit)
    case .coinList: .coinList
    case .detail(let id, let unit): .detail(coin: coin ?? id, currency: currency ?? unit)
    case .line(let id, let unit, let window): .line(coin: coin ?? id, currency: currency ?? unit, window: window)
    case .candles(let id, let unit, let window, let width):
      .candles(coin: coin ?? id, currency: currency ?? unit, window: window, width: width)
    }
  }
}
