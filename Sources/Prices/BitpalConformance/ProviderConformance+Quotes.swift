import BitpalModel
import BitpalProviders
import FoundationEssentials

extension ProviderConformance {
  /// Checks that a question about no coins has an empty answer, so that callers need no special case.
  ///
  /// - Throws: `Verdict` when the rule is broken or cannot be checked, or the failure of the provider.
  func answersNothing() async throws {
    guard has(.quotes) else { throw Verdict.skipped("it has no quotes") }
    let answer = try await quotes([])
    if !answer.coins.isEmpty || !answer.failures.isEmpty {
      throw Verdict.failed("\(answer.coins.count) quotes and \(answer.failures.count) failures came")
    }
  }

  /// Checks that prices are matched by coin and not by position.
  ///
  /// Sources answer in an order of their own. Reading by position gives a coin the price of its neighbour as soon as
  /// one is missing.
  ///
  /// - Throws: `Verdict` when the rule is broken or cannot be checked, or the failure of the provider.
  func ignoresOrder() async throws {
    try needQuotes()
    let forwards = try await quotes(sample.coins)
    let backwards = try await quotes(sample.coins.reversed())
    if let coin = sample.coins.first(where: { forwards.coins[$0] == nil }) {
      throw Verdict.failed("\(coin) has no price: \(forwards.failures[coin].map(\.description) ?? "no reason")")
    }
    for coin in sample.coins where forwards.coins[coin] != backwards.coins[coin] {
      throw Verdict.failed("\(coin) has another price when the coins are asked for backwards")
    }
    if let wrong = forwards.coins.first(where: { $0.key != $0.value.id }) {
      throw Verdict.failed("the quote of \(wrong.key) is called \(wrong.value.id)")
    }
    guard sample.coins.count > 1 else {
      let coin = sample.coins.first ?? "one coin"
      let example = ": add an example with ask: \(asks(for: .quotes)) of a second one in \(sample.currency)"
      throw Verdict.skipped("only \(coin) is known to have a price\(sample.isOfExamples ? example : "")")
    }
  }

  /// Checks that an unknown coin is reported, has no price, and does not affect the others.
  ///
  /// - Throws: `Verdict` when the rule is broken or cannot be checked, or the failure of the provider.
  func namesUnknownCoins() async throws {
    guard let question = questions.first else { throw lacking(of: [.quotes, .line, .candles]) }
    if case .quotes = question {
      let asked = [Self.unknown] + sample.coins
      let answer = try await quotes(asked)
      if let coin = answer.coins[Self.unknown] {
        throw Verdict.failed("a coin that does not exist costs \(coin.currentPrice.plainText)")
      }
      try expectAll(asked, in: answer)
      for coin in sample.coins where answer.coins[coin] == nil {
        throw Verdict.failed("beside an unknown coin \(coin) has no price")
      }
    }
    for question in seriesQuestions {
      try await expectRefusal(of: question.asking(coin: Self.unknown), "a coin that does not exist")
    }
    try expectBothSeries()
  }

  /// Checks that more coins than fit one request are asked for in several, none of which is too large.
  ///
  /// The limit of 250 keeps the check short for a provider that takes any number.
  ///
  /// - Throws: `Verdict` when the rule is broken or cannot be checked, or the failure of the provider.
  func keepsBatchLimits() async throws {
    try needQuotes()
    let limit = min(provider.descriptor.coinsPerRequest, 250)
    let asked = sample.coins + (0..<limit + 10).map { "\(Self.unknown)-\($0)" }
    do {
      try expectAll(asked, in: try await quotes(asked))
    } catch let error as BitpalError where error.code == .rateLimited {
      throw Verdict.skipped("the source allows no more requests now")
    }
    guard let make, let source = sample.source else { return }
    let notes = RequestLogTransport(source)
    _ = try await quotes(asked, of: make(notes, StoppedClock(now: sample.now)))
    let most = notes.mostCoins.withLock { $0 }
    let allowed = provider.descriptor.coinsPerRequest
    if most > allowed { throw Verdict.failed("a request names \(most) coins, but takes \(allowed)") }
  }

  /// Checks that a currency that does not exist has no prices, and that another one has prices of its own.
  ///
  /// - Throws: `Verdict` when the rule is broken or cannot be checked, or the failure of the provider.
  func knowsItsCurrencies() async throws {
    guard let question = questions.first else { throw lacking(of: [.quotes, .line, .candles]) }
    if case .quotes = question {
      do {
        let answer = try await quotes(sample.coins, in: Self.noCurrency)
        if let coin = sample.coins.first(where: { answer.coins[$0] != nil }) {
          throw Verdict.failed("\(coin) has a price in \(Self.noCurrency), which is not a currency")
        }
        try expectAll(sample.coins, in: answer)
      } catch is BitpalError {
        // The whole question may be refused.
      }
      try await expectOtherPrices()
    }
    for question in seriesQuestions {
      try await expectRefusal(
        of: question.asking(currency: Self.noCurrency), "\(Self.noCurrency), which is not a currency,")
    }
    try expectBothSeries()
  }

  /// Checks that the prices in two currencies differ.
  private func expectOtherPrices() async throws {
    guard let other = sample.otherCurrency else { return }
    let here = try await quotes(sample.coins).coins
    let there = try? await quotes(sample.coins, in: other).coins
    for coin in sample.coins {
      guard let price = here[coin]?.currentPrice, price == there?[coin]?.currentPrice else { continue }
      throw Verdict.failed("\(coin) costs \(price.plainText) in \(sample.currency) and in \(other) alike")
    }
  }

  private func lacking(of capabilities: [Capability]) -> Verdict {
    capabilities.first { has($0) }.map { lacking($0) } ?? .skipped("it has no quotes, lines or candles")
  }

  private func expectRefusal(of query: ProviderQuery, _ what: String) async throws {
    do {
      let count = try await ask(query, of: provider).count
      if count > 0 { throw Verdict.failed("\(what) has \(query.capability == .line ? "a line" : "candles")") }
    } catch is BitpalError {
      // A refusal is the expected outcome.
    }
  }

  private func expectAll(_ asked: [String], in answer: Quotes) throws {
    for coin in asked where answer.coins[coin] == nil && answer.failures[coin] == nil {
      throw Verdict.failed("\(coin) is neither a quote nor a failure")
    }
    let extra = Set(answer.coins.keys).union(answer.failures.keys).subtracting(asked)
    if let coin = extra.sorted().first { throw Verdict.failed("\(coin) is in the answer, but was not asked for") }
  }
}
