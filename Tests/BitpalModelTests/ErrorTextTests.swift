import FoundationEssentials
import Testing

@testable import BitpalModel

@Suite struct `Texts of errors` {
  /// An error with its message, its next step and its text over HTTP.
  struct Example: CustomTestStringConvertible, Sendable {
    let error: BitpalError
    let message: String
    var hint: String?
    var overHTTP: String?

    var testDescription: String { message }
  }

  static let examples: [Example] = [
    Example(
      error: .notFound(coin: "nope", provider: "kraken"), message: "no coin \"nope\" at kraken",
      hint: "look for it with \"bitpal search nope\"; -p yahoo has shares and funds"),
    Example(
      error: .notFound(coin: "bitcon", provider: "kraken", suggestion: "bitcoin"),
      message: "no coin \"bitcon\" at kraken", hint: "did you mean \"bitcoin\"?",
      overHTTP: "no coin \"bitcon\" at kraken; did you mean \"bitcoin\"?"),
    Example(
      error: .sourcesDisagree(
        coin: "btc",
        AgreementRule(atLeast: 3).judge([
          .init(source: "a", price: 100), .init(source: "b", price: nil, fault: "busy"), .init(source: "c", price: 100),
          .init(source: "d", price: 300),
        ])),
      message: "too few sources agree on the price of btc, 3 are needed: 2 of 4 sources agree (100); left out: "
        + "b (busy), d 300 (+200.00% from the median)",
      hint: "-p asks one of them, \"bitpal providers compare\" shows their prices",
      overHTTP: "too few sources agree on the price of btc, 3 are needed: 2 of 4 sources agree (100); left out: "
        + "b (busy), d 300 (+200.00% from the median)"),
    Example(error: .noPrice(coin: "ethereum", provider: "ecb"), message: "ecb has no price for ethereum"),
    Example(
      error: .noPrice(coin: "luna", provider: "coingecko", reason: "it is delisted"),
      message: "coingecko has no price for luna: it is delisted"),
    Example(
      error: .notRecorded(
        question: "chart of dogecoin", recording: "market", available: ["chart of bitcoin", "chart of ethereum"],
        append: "bitpal record market --append -- chart dogecoin"),
      message: "the recording market has no chart of dogecoin",
      hint: "it has: chart of bitcoin, chart of ethereum; to add it: bitpal record market --append -- chart dogecoin",
      overHTTP: "the recording market has no chart of dogecoin; it has: chart of bitcoin, chart of ethereum"),
    Example(
      error: .notRecorded(question: "search", recording: "market", available: []),
      message: "the recording market has no search", hint: "it has nothing of that kind",
      overHTTP: "the recording market has no search; it has nothing of that kind"),
    Example(
      error: .noData(question: "bitcoin in 2008", provider: "kraken"), message: "kraken has no data for bitcoin in 2008"
    ),
    Example(
      error: .unsupported(.coinList, provider: "ecb", others: ["coingecko", "kraken"]), message: "ecb has no coin list",
      hint: "these have it: coingecko, kraken (choose one with --provider)",
      overHTTP: "ecb has no coin list; these have it: coingecko, kraken"),
    Example(error: .unsupported(.candles, provider: "ecb", others: []), message: "ecb has no candles"),
    Example(
      error: .unsupportedCurrency("xyz", provider: "kraken", supported: ["eur", "usd"]),
      message: "kraken does not answer in xyz", hint: "it answers in: eur, usd",
      overHTTP: "kraken does not answer in xyz; it answers in: eur, usd"),
    Example(
      error: .unsupportedCurrency("xyz", provider: "kraken", supported: []), message: "kraken does not answer in xyz"),
    Example(
      error: .unsupportedCurrency("vef", provider: "kraken", supported: []), message: "kraken does not answer in vef",
      hint: "ves has replaced it in 2018", overHTTP: "kraken does not answer in vef; ves has replaced it in 2018"),
    Example(
      error: .budgetUsed(provider: "kraken", used: 60, limit: .perMinute(60), wait: nil),
      message: "60 of 60 requests to kraken in 1m are used", hint: "-p asks another source"),
    Example(
      error: .rateLimited(provider: "kraken", wait: nil, reason: "slow\u{7} down"),
      message: "kraken allows no more requests now: slow\u{FFFD} down", hint: "-p asks another source"),
    Example(
      error: .budgetLocked(provider: "kraken", path: "/home/ada/it's/budgets.db"),
      message:
        "kraken is not asked, because another process has the request budgets locked (/home/ada/it's/budgets.db)",
      hint: "see which one: fuser '/home/ada/it's/budgets.db'"),
    Example(
      error: .coolingDown(provider: "kraken", left: .seconds(95), last: "kraken answered with HTTP 502: down"),
      message: "kraken answered with HTTP 502: down (asked again in 1m 35s)",
      hint: "-p asks another source, --offline answers from the cache",
      overHTTP: "kraken answered with HTTP 502: down"),
    Example(
      error: .unauthorized(provider: "coingecko", reason: "invalid key"),
      message: "coingecko refuses the key: invalid key"),
    Example(
      error: .planLimit(provider: "coingecko", reason: "365 days", others: ["kraken", "stooq"]),
      message: "coingecko's plan does not reach that far: 365 days",
      hint: "ask for a later time, or one that goes further back (--provider kraken, --provider stooq)",
      overHTTP:
        "coingecko's plan does not reach that far: 365 days; ask for a shorter range; these may go further back: kraken, stooq"
    ),
    Example(
      error: .refused(provider: "kraken", status: 503, reason: "maintenance"),
      message: "kraken answered with HTTP 503: maintenance"),
    Example(
      error: .network(host: "api.kraken.com", reason: "connection refused"),
      message: "cannot reach api.kraken.com: connection refused",
      hint: "check the network; --offline answers from the cache, -p fixture from a recorded market"),
    Example(
      error: .timedOut(provider: "kraken", limit: .seconds(15)), message: "kraken did not answer within 15s"),
    Example(
      error: .offline(question: "quote bitcoin usd"),
      message: "nothing is cached for quote bitcoin usd",
      hint: "without --offline a source is asked; -p fixture answers from a recorded market",
      overHTTP: "nothing is cached for quote bitcoin usd, and no source is asked"),
    Example(
      error: .unreadable(provider: "kraken", reason: "$.result is missing"),
      message: "kraken sent an answer that cannot be read: $.result is missing"),
    Example(
      error: .plugin(provider: "moonbase", reason: "ended without an answer"),
      message: "the plugin moonbase ended without an answer", hint: "-v shows the messages to it and from it"),
    Example(
      error: .recordingDamaged(file: "market/recording.har", entry: 3, reason: "its checksum differs"),
      message: "market/recording.har, entry 3: its checksum differs", overHTTP: "market/recording.har is damaged"),
    Example(
      error: .untrusted(file: "config.yaml", hasChanged: true, withheld: ["keys", "portfolio"]),
      message: "./config.yaml has changed since it was trusted: no keys, no portfolio",
      hint: "\"bitpal trust\" if it is yours"),
    Example(
      error: .usage("--sort: \"size\" is unknown", hint: "there are: name, price"),
      message: "--sort: \"size\" is unknown", hint: "there are: name, price",
      overHTTP: "--sort: \"size\" is unknown; there are: name, price"),
    Example(
      error: .dataFile(path: "/home/ada/bitpal.db", reason: "permission denied"),
      message: "/home/ada/bitpal.db: permission denied", overHTTP: "/home/ada/bitpal.db cannot be used"),
  ]

  @Test(arguments: examples)
  func `Each error has its message and its next step`(example: Example) {
    #expect(example.error.message == example.message)
    #expect(example.error.hint == example.hint)
    #expect(example.error.description == example.message + (example.hint.map { "; " + $0 } ?? ""))
  }

  @Test(arguments: examples)
  func `A client over HTTP is not asked to type a command or to change a file`(example: Example) {
    #expect(example.error.messageOverHTTP == example.overHTTP ?? example.message)
  }

  @Test func `Coins with one symbol are listed with their cached prices, at most eight`() throws {
    let coins = try (1...10).map { try CoinListItem(validating: "coin-\($0)", symbol: "abc", name: "Coin \($0)") }
    let prices = CandidatePrices(currency: "eur", prices: ["coin-2": try Decimal(strict: "0.5")])
    let error = BitpalError.ambiguous(symbol: "abc", candidates: coins, prices: prices)
    let lines = error.description.split(separator: "\n")
    #expect(lines.first == "\"abc\" is the symbol of 10 coins:")
    #expect(lines[1] == "  coin-1: Coin 1")
    #expect(lines[2] == "  coin-2: Coin 2, 0.5 EUR")
    #expect(lines[9] == "  and 2 more")
    let hint =
      "\n\"bitpal search abc\" lists all; use an id, or choose one for good with \"bitpal config alias abc ID\""
    #expect(error.description.hasSuffix(hint))
    #expect(error.messageOverHTTP == error.message + "\nuse an id")
  }

  @Test func `The known one of two coins with a symbol is proposed as its alias`() throws {
    let coins = try [("uniswap", "Uniswap"), ("unicorn-token", "UNICORN Token")].map {
      try CoinListItem(validating: $0.0, symbol: "uni", name: $0.1)
    }
    #expect(
      BitpalError.ambiguous(symbol: "uni", candidates: coins).hint
        == "use an id, or choose one for good with \"bitpal config alias uni uniswap\"")
  }

  @Test func `A caret stays under the fault of a line of megabytes`() {
    let line = String(repeating: "x", count: 2_000_000) + "!" + String(repeating: "y", count: 2_000_000)
    let issue = ConfigurationIssue(file: "a.yaml", line: 1, column: 2_000_001, message: "bad", excerpt: line)
    let lines = issue.description.split(separator: "\n")
    #expect(lines.count == 3 && issue.description.utf8.count < 300)
    let caret = lines[2].count - 1
    #expect(lines[1].dropFirst(caret).first == "!")
  }
}

@Suite struct `Failures of several providers` {
  private let unknown = BitpalError.notFound(coin: "x", provider: "a")
  private let limited = BitpalError.rateLimited(provider: "b", wait: .seconds(90), reason: "r")
  private let used = BitpalError.budgetUsed(provider: "c", used: 5, limit: .perMinute(5), wait: .seconds(30))

  @Test func `are joined in the order of the requests, however they are grouped`() {
    let left = unknown.followed(by: limited).followed(by: used)
    let right = unknown.followed(by: limited.followed(by: used))
    #expect(left == right)
    #expect(
      left.description
        == "no provider has an answer:\n  \(limited)\n  \(used)")
    #expect(
      left.messageOverHTTP
        == "no provider has an answer: \(limited.message); \(used.message)")
  }

  @Test func `have the shortest wait of all, and the first known currencies`() {
    #expect(unknown.followed(by: limited).followed(by: used).retryAfter == .seconds(30))
    #expect(unknown.retryAfter == nil)
    let currency = BitpalError.unsupportedCurrency("xyz", provider: "d", supported: ["eur"])
    #expect(unknown.followed(by: currency).supportedCurrencies == ["eur"])
    #expect(BitpalError.offline(question: "q").supportedCurrencies == [])
    #expect(limited.supportedCurrencies == nil)
  }

  @Test(arguments: ErrorCode.allCases)
  func `Every code has an exit status, and only a fault of a source counts towards its cool-down`(code: ErrorCode) {
    let (exit, then) = code.consequences
    #expect((1...8).contains(exit))
    // A lasting failure is never one of the source, which may answer the next question.
    #expect(!(then.contains(.isOfSource) && then.contains(.isLasting)))
    #expect(!(then.contains(.isOfSource) && then.contains(.provesSourceHealthy)))
    // A request for the rest of a batch is only omitted when the source as a whole has failed.
    #expect(!then.contains(.abortsBatch) || then.contains(.isOfSource))
    #expect(!then.contains(.isOfSource) || then.contains(.staleIfError))
  }
}
