import BitpalConfig
import BitpalConformance
import BitpalModel
import BitpalProviders
import FoundationEssentials
import ProviderFiles
import TestSupport
import Testing

@Suite struct `Conformance of every declared provider` {
  private static func outcomes(_ specification: ProviderSpecification) async throws -> [ConformanceResult] {
    await
      (try await ProviderConformance(
        .examples(
          DialectWithExamples(try DeclarativeDialect(specification), baseURL: specification.baseURL)))).check()
  }

  private static func problems(_ results: [ConformanceResult]) -> [ConformanceRule: String] {
    var problems: [ConformanceRule: String] = [:]
    for result in results { if case .failed(let problem) = result.outcome { problems[result.rule] = problem } }
    return problems
  }

  private static func skipped(_ results: [ConformanceResult]) -> [ConformanceRule: String] {
    var reasons: [ConformanceRule: String] = [:]
    for result in results { if case .skipped(let reason) = result.outcome { reasons[result.rule] = reason } }
    return reasons
  }

  // MARK: What we ship

  private static let shipped: [String] = {
    let catalog = ProviderCatalog(settings: Settings(providersDirs: [Declared.shipped]))
    return catalog.list().compactMap { listing in
      (try? catalog.specification(for: listing.id))?.declared != nil ? listing.id : nil
    }
  }()

  @Test func `All declared files we ship are among those checked`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Declared.shipped).filter { $0.hasSuffix(".yaml") }
    #expect(Set(Self.shipped).union(["coingecko", "fixture"]) == Set(files.map { String($0.dropLast(5)) }))
  }

  @Test(arguments: shipped)
  func `Every file we ship does all of it`(id: String) async throws {
    let catalog = ProviderCatalog(settings: Settings(providersDirs: [Declared.shipped]))
    let specification = try catalog.specification(for: id)
    let results = try await Self.outcomes(specification)
    #expect(Self.problems(results) == [:])
    // A source of one thing, of days alone or of small rates cannot show some rules; an exchange shows all that it can.
    let isExchange = specification.facts.category == .exchange
    let reasons = ["it has "] + (isExchange ? [] : ["stamps ", "no price of three digits ", "only "])
    let unexplained = Self.skipped(results).filter { skipped in !reasons.contains { skipped.value.hasPrefix($0) } }
    #expect(unexplained == [:])
  }

  // MARK: Files of our own

  @Test func `A file with an example of everything has every rule tried`() async throws {
    let results = try await Self.outcomes(try Declared(DeclaredMutant.single).specification)
    #expect(Self.problems(results) == [:])
    #expect(Self.skipped(results) == [:])
  }

  @Test func `A file that asks for several coins at once has every rule of quotes tried`() async throws {
    let results = try await Self.outcomes(try Declared(DeclaredMutant.batched).specification)
    #expect(Self.problems(results) == [:])
    let reason = "it has no lines or candles"
    #expect(Self.skipped(results) == [.utc: reason, .windows: reason])
  }

  @Test func `A file with POST requests is tested by their bodies, in which alone its questions differ`() async throws {
    var text = DeclaredMutant.single
    for (old, new) in [
      ("get: /price/{id}/{currency}", "post: /ask\n  send: { what: price, of: \"{id}\", in: \"{currency}\" }"),
      (
        "get: /line/{id}/{currency}?from={from}&to={to}",
        "post: /ask\n  send: { what: line, of: \"{id}\", in: \"{currency}\", from: {from}, to: {to} }"
      ),
      (
        "get: /candles/{id}/{currency}?from={from}&to={to}&width={interval}",
        "post: /ask\n  send: { what: candles, of: \"{id}\", in: \"{currency}\", from: {from}, to: {to}, w: {interval} }"
      ),
    ] {
      #expect(text.contains(old))
      text = text.replacing(old, with: new)
    }
    let results = try await Self.outcomes(try Declared(text).specification)
    #expect(Self.problems(results) == [:])
    #expect(Self.skipped(results) == [:])
  }

  @Test(arguments: DeclaredMutant.all)
  func `A broken file is caught by the rule meant for it`(mutant: DeclaredMutant) async throws {
    var text = mutant.base
    for change in mutant.changes {
      #expect(text.contains(change.old))
      text = text.replacing(change.old, with: change.new)
    }
    let problem = Self.problems(try await Self.outcomes(try Declared(text).specification))[mutant.rule]
    #expect(problem?.hasPrefix(mutant.problem) == true, "\(problem ?? "no problem")")
  }

  // MARK: What cannot be tried

  @Test func `Without examples every rule that needs one says which`() async throws {
    let operations = try #require(DeclaredMutant.single.split(separator: "\nexamples:", maxSplits: 1).first)
    let results = try await Self.outcomes(try Declared(String(operations)).specification)
    #expect(Self.problems(results) == [:])
    let quotes = "no coin is known to have a price: add an example with ask: quotes, coin, body and rows"
    let line = "no line is known to be there: add an example with ask: line, coin, now, window, body and rows"
    #expect(
      Self.skipped(results) == [
        .order: quotes, .unknownCoins: quotes, .batchLimits: quotes, .currencies: quotes, .numberText: quotes,
        .utc: line, .windows: line, .errorMapping: quotes, .cancellation: quotes, .givenClock: quotes,
      ])
  }

  @Test(
    arguments: [
      (
        [("coin: ethereum", "coin: ethereum\n    currency: eur")], .order,
        "only bitcoin is known to have a price: add an example with ask: quotes of a second one in usd"
      ),
      (
        [("96841.32", "9"), ("3225.55", "7")], .numberText,
        "no price of three digits or more stands in the answer as it comes out (quotes): add an example with ask: quotes"
          + " and such a price"
      ),
      (
        [(",[1736936100,96490.25],[1736935200,96480.75]", ""), ("rows: [{}, {}, {}]", "rows: [{}]")], .windows,
        "a single point has no order: add an example with ask: line and at least two rows"
      ),
      (
        [("- ask: candles", "- ask: line"), ("    width: 15m\n", ""), ("\"candles\":", "\"points\":")], .windows,
        "no candles are known to be there: add an example with ask: candles, coin, now, window, width, body and rows"
      ),
    ] as [([(String, String)], ConformanceRule, String)])
  func `A rule that the examples do not cover is reported as unverified`(
    changes: [(String, String)], rule: ConformanceRule, reason: String
  ) async throws {
    var text = DeclaredMutant.single
    for (old, new) in changes {
      #expect(text.contains(old))
      text = text.replacing(old, with: new)
    }
    #expect(Self.skipped(try await Self.outcomes(try Declared(text).specification))[rule] == reason)
  }

  @Test func `A currency that the file does not list is not asked for`() throws {
    let dialect = try DeclarativeDialect(try Declared(DeclaredMutant.single).specification)
    #expect(throws: BitpalError.unsupportedCurrency("gbp", provider: "mine", supported: ["usd", "eur"])) {
      try dialect.plan(.quotes(coins: ["bitcoin"], currency: "gbp"))
    }
  }
}
