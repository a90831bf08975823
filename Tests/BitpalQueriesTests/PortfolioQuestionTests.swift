import Bitpal
import BitpalModel
import BitpalPortfolio
import BitpalQueries
import Foundation
import TestSupport
import Testing

/// The questions about what is held in the demo recording, at 2025-01-15 10:30Z.
@Suite struct `Questions about a portfolio` {
  private let folder: TemporaryFolder
  private let service: PriceService

  init() throws {
    folder = try TemporaryFolder()
    service = try Market.service()
  }

  private var file: UserDataFile { UserDataFile(path: folder.path + "/bitpal.db") }

  private func book(_ name: String? = nil, in currency: String = "usd") throws -> PortfolioBook {
    let portfolio = try name.map { try PortfolioName($0) } ?? .main
    return PortfolioBook(TransactionStore(file: file, portfolio: portfolio), in: currency, by: service)
  }

  private func buy(
    _ quantity: String, _ coin: String, at price: String, on day: String, in book: PortfolioBook
  ) async throws {
    _ = try await TransactionRequest(
      .buy, quantity: quantity, coin: coin, Given(["price": price, "date": day], .options)
    ).record(in: book, isDryRun: false)
  }

  // MARK: The present value

  @Test func `The value is the amount at the price that a question for it has`() async throws {
    let book = try book()
    try await buy("2", "btc", at: "50000", on: "2025-01-02", in: book)
    try await buy("3", "eth", at: "3000", on: "2025-01-03", in: book)
    let valued = try await ValuedPortfolio(book.store, in: "usd", by: service, policy: .normal)
    let prices = try await PricesQuery(["bitcoin", "eth"], currency: "usd").answer(by: service)
    let (bitcoin, ether) = (prices.quotes[0].value.currentPrice, prices.quotes[1].value.currentPrice)
    #expect(valued.portfolio.summary.totalValue == 2 * bitcoin + 3 * ether)
    #expect(valued.portfolio.summary.unrealizedPnL == 2 * bitcoin + 3 * ether - 109_000)
    #expect(valued.method == .average && valued.answer.failures.isEmpty)
  }

  @Test func `An empty portfolio asks for nothing`() async throws {
    let valued = try await ValuedPortfolio(try book().store, in: "usd", by: service, policy: .refresh)
    #expect(valued.answer.quotes.isEmpty && valued.answer.failures.isEmpty)
    #expect(valued.portfolio.summary.totalValue == 0)
  }

  @Test func `A snapshot of the widget is as old as its oldest stale price`() async throws {
    let book = try book()
    try await buy("1", "btc", at: "50000", on: "2025-01-02", in: book)
    let valued = try await ValuedPortfolio(book.store, in: "usd", by: service, policy: .normal)
    let later = service.time.now.addingTimeInterval(600)
    let fresh = try #require(valued.widgetData(now: later))
    #expect(fresh.lastUpdated == later && !fresh.hasStalePrices)
    #expect(fresh.currency == "usd" && fresh.totalValue == valued.portfolio.summary.totalValue)
  }

  @Test func `All portfolios are added up in one currency, each at its rate`() async throws {
    let (dollars, euros) = (try book(), try book("savings", in: "eur"))
    try await buy("1", "btc", at: "50000", on: "2025-01-02", in: dollars)
    try await buy("2", "btc", at: "48000", on: "2025-01-02", in: euros)
    let all = try await ValuedPortfolios(file, in: "usd", by: service, policy: .normal)
    #expect(all.total.lines.map(\.info.name.text) == ["main", "savings"])
    #expect(all.total.lines[0].rate == 1)
    let value = try await ValuedPortfolio(euros.store, in: "eur", by: service, policy: .normal).portfolio.summary
    if let rate = all.total.lines[1].rate {
      let expected = try #require(value.totalValue) * rate
      let shown = try #require(all.total.lines[1].figures).value
      #expect(abs(shown - expected) < 1)
      #expect(all.rates["eur"] != nil && all.failures.isEmpty)
    } else {
      // Without a rate the portfolio is there without figures, and says why.
      #expect(all.total.lines[1].figures == nil && all.failures.map(\.coin) == ["EUR"])
    }
  }

  // MARK: The past value

  @Test func `A day is valued at its close, and today at the latest price`() async throws {
    let book = try book()
    try await buy("2", "btc", at: "90000", on: "2025-01-10", in: book)
    let history = try await PortfolioHistory(
      book.store, in: "usd", by: service, from: nil, to: nil, policy: .normal)
    #expect(history.history.days.map(\.day.dayText).first == "2025-01-10")
    #expect(history.history.days.last?.day.dayText == "2025-01-15" && history.failures.isEmpty)
    let closes = try await HistoryQuery(Given(["from": "2025-01-10", "to": "2025-01-14"]), missing: .tell).answer(
      "bitcoin", by: service, currency: "usd")
    #expect(history.history.days.dropLast().map(\.value) == closes.closes.value.map { $0.price * 2 })
    let now = try await PricesQuery(["bitcoin"], currency: "usd").answer(by: service)
    #expect(history.history.days.last?.value == (now.quotes.first?.value.currentPrice ?? 0) * 2)
    #expect(history.history.days.allSatisfy { $0.cost == 180_000 })
  }

  @Test(
    arguments: [
      ([:], "2024-01-16", "1Y"), (["range": "1W"], "2025-01-08", "1W"), (["from": "2025-01-02"], "2025-01-02", "since"),
      (["from": "2025-01-02", "to": "2025-01-04"], "2025-01-02", "since 2025-01-02 until 2025-01-04"),
    ] as [([String: String], String, String)])
  func `The days are those of a range, or from one to another`(
    values: [String: String], first: String, name: String
  ) throws {
    let span = try PortfolioDays(Given(values), usual: "1Y").span(QueryDefaults(), now: service.time.now)
    let begins = try #require(span.first).dayText
    // A year ago is one day earlier or later, by how long the year was.
    #expect(values.isEmpty ? begins.hasPrefix("2024-01-1") : begins == first)
    #expect(span.name.hasPrefix(name))
  }

  @Test(
    arguments: [
      (["range": "1W", "from": "2025-01-02"], "range is one window, from and to are another"),
      (["from": "2025-01-05", "to": "2025-01-02"], "from is after to"), (["to": "x"], "to: \"x\" is not a day"),
      (["range": "1H"], "range: 1H is too short"),
    ] as [([String: String], String)])
  func `Days that contradict each other and a range within a day are refused`(
    values: [String: String], beginning: String
  ) {
    #expect {
      _ = try PortfolioDays(Given(values), usual: "1Y").span(QueryDefaults(), now: service.time.now)
    } throws: {
      "\($0)".hasPrefix(beginning)
    }
  }

  // MARK: Gains

  @Test func `Gains are by the method asked for, otherwise by that of the portfolio, and its lots need no year`()
    async throws
  {
    let book = try book()
    try await buy("1", "btc", at: "10", on: "2024-01-02", in: book)
    try await buy("1", "btc", at: "30", on: "2024-01-03", in: book)
    #expect(try GainsQuery().answer(from: book.store).method == .average)
    try PortfolioCatalog(file: file).set(.lifo, for: .main)
    let query = try GainsQuery(Given(["year": "2024"], .options))
    #expect(try query.answer(from: book.store).method == .lifo && query.days.phrase == " in 2024")
    let lots = try GainsQuery(lots: Given(["method": "fifo", "year": "x"])).answer(from: book.store).lots
    #expect(lots.map(\.costPerCoin) == [10, 30])
    for year in ["0", "10000", "24a", "24", ""] {
      let hint = "write it like 2024, and one that begins later like --from 2024-04-06 --to 2025-04-05"
      #expect(throws: BitpalError.usage("--year: \"\(year)\" is not a year", hint: hint)) {
        try GainsQuery(Given(["year": year], .options))
      }
    }
    for days in [["year": "2024", "from": "2024-01-01"], ["from": "2024-02-01", "to": "2024-01-31"], ["to": "2024"]] {
      #expect(throws: BitpalError.self) { try BookedDays(Given(days, .options)) }
    }
  }

  @Test func `A tax year that begins in April has the sales of both its days, by the clocks of the zone`() throws {
    let days = try BookedDays(Given(["from": "2024-04-06", "to": "2025-04-05"], .options))
    let zone = try #require(ClockZone(offset: "-05:00"))
    let sold = ["2024-04-06T04:59:59Z", "2024-04-06T05:00:00Z", "2025-04-06T04:59:59Z", "2025-04-06T05:00:00Z"]
    let instants = try sold.map { try #require(Date(utcText: $0)) }
    #expect(instants.map { days.contains($0, in: zone) } == [false, true, true, false])
    #expect(instants.map { days.contains($0, in: .utc) } == [true, true, false, false])
    #expect(instants.allSatisfy { BookedDays.all.contains($0, in: zone) } && BookedDays.all.phrase.isEmpty)
  }

  // MARK: The watchlist

  @Test func `A coin that a source has long denied may be retired, and one that was just added may not`() async throws {
    let store = WatchlistStore(file: file)
    try store.add(["no-such", "bitcoin"], now: service.time.now.addingTimeInterval(-4 * 86_400))
    try store.add(["none-yet"], now: service.time.now.addingTimeInterval(-3600))
    let answer = try await WatchlistQuery(Given(["sort": "price"])).answer(from: store, currency: "usd", by: service)
    #expect(answer.rows.map(\.item.coinId) == ["bitcoin", "no-such", "none-yet"])
    #expect(answer.prices.failures.map(\.coin) == ["no-such", "none-yet"])
    let denied = answer.prices.failures.filter { $0.error.code == .notFound }.map(\.coin)
    #expect(answer.retired == Set(denied).subtracting(["none-yet"]))
  }

  // MARK: Prices

  @Test(arguments: [
    ("matic", true), ("polygon", true), ("id:matic-network", true), ("POLYGON", true), ("pol", false),
    ("polygon-ecosystem-token", false), ("eos", false),
  ])
  func `A coin that is asked for by a former id or ticker is named as what it is now`(name: String, isFormer: Bool) {
    let sentence = WellKnownCoins.renaming(of: name, to: "polygon-ecosystem-token", at: "coingecko")
    #expect((sentence != nil) == isFormer)
    #expect(sentence?.hasSuffix(" is polygon-ecosystem-token at coingecko now, exchanged one for one") ?? !isFormer)
  }

  @Test func `A conversion is an amount and two names, and asks what the service asks`() async throws {
    let query = try ConversionQuery(["2", "btc", "usd"], Given([:]))
    let (answer, price) = try await (
      query.answer(by: service, currency: "usd"), service.quotes(["btc"], currency: "usd")
    )
    #expect(answer.result == price.quotes[0].value.currentPrice * 2)
    for words in [["2", "btc"], ["2btc"], ["2btc", "in", "usd"], ["2", "btc-usd"], ["2", "btc", "to", "usd"]] {
      let other = try await ConversionQuery(words, Given([:])).answer(by: service, currency: "usd")
      #expect(other.result == answer.result, "\(words)")
    }
    #expect(throws: BitpalError.usage("convert needs AMOUNT FROM [TO]", hint: "as in bitpal convert 0.5 btc eur")) {
      try ConversionQuery(["2"], Given([:]))
    }
    let forgotten = BitpalError.usage(
      "convert needs AMOUNT FROM [TO]", hint: "did you mean \"bitpal convert 1 btc eur\"?")
    #expect(throws: forgotten) { try ConversionQuery(["btc", "eur"], Given([:])) }
    // A coin whose ticker begins with a digit is not an amount of another coin.
    #expect(throws: BitpalError.self) { try ConversionQuery(["1inch", "usd"], Given([:])) }
    for (words, on) in [(["x", "btc", "usd"], nil), (["1", "btc", "usd"], "tomorrow")] as [([String], String?)] {
      #expect(throws: BitpalError.self) { try ConversionQuery(words, Given(on.map { ["on": $0] } ?? [:])) }
    }
  }

  @Test func `Coins and currency are read in one way, and the defaults count where they are missing`() throws {
    let query = try PricesQuery(
      Given(["coins": " btc, eth ,,", "currency": "EUR"]), QueryDefaults(), most: 2, example: "/v1/price?")
    #expect(query == PricesQuery(["btc", "eth"], currency: "eur"))
    #expect(
      try PricesQuery(Given(["coins": "a"]), QueryDefaults(currency: "chf"), most: 2, example: "").currency == "chf")
    #expect(
      throws: BitpalError.usage("coins is missing", hint: "as in /v1/price?coins=bitcoin,eth")
    ) { try PricesQuery(Given([:]), QueryDefaults(), most: 2, example: "/v1/price?") }
    #expect(throws: BitpalError.usage("no more than 2 coins at once")) {
      try PricesQuery(Given(["coins": "a,b,c"]), QueryDefaults(), most: 2, example: "")
    }
  }

  @Test func `Each name has an outcome of its own, and a coin with several names one price`() async throws {
    let query = PricesQuery(["eth", "bitcoin", "no-such", "btc", "eth", "id:no-such"], currency: "usd")
    let answer = try await query.answer(by: service)
    #expect(answer.quotes.map(\.value.id) == ["ethereum", "bitcoin"])
    #expect(answer.failures.map(\.coin) == ["no-such", "id:no-such"] && answer.failure == nil)
    #expect(answer.priced.map(\.name) == ["eth", "bitcoin", "btc", "eth"])
    #expect(try answer.demand("btc").value == answer.quote("bitcoin")?.value)
    #expect(throws: try #require(answer.failures.first).error) { try answer.demand("no-such") }
    #expect(throws: BitpalError.notFound(coin: "else", provider: "")) { try answer.demand("else") }
    let none = try await PricesQuery(["no-such"], currency: "usd").answer(by: service)
    #expect(none.failure == none.failures.first?.error && none.failure != nil)
  }
}
