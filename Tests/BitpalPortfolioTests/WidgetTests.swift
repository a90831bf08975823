import BitpalModel
import BitpalPortfolio
import Foundation
import TestSupport
import Testing

@Suite struct `The widget snapshot` {
  private let folder: TemporaryFolder
  private let file: WidgetSnapshotFile

  init() throws {
    folder = try TemporaryFolder()
    file = WidgetSnapshotFile(folder: folder.path + "/bitpal")
  }

  private func data(_ value: String = "125000.50", holdings: Int = 1) throws -> WidgetPortfolioData {
    WidgetPortfolioData(
      totalValue: try Make.number(value), unrealizedPnL: 15000, realizedPnL: 5000, totalPnL: 20000,
      holdings: try (0..<holdings).map {
        WidgetHolding(
          id: "coin-\($0)", symbol: "BTC", name: "Bit \"coin\" \\ 🚀\n", currentValue: 100_000, pnlAmount: -12000,
          pnlPercentage: try Make.number("-13.64"))
      },
      lastUpdated: Make.now, currency: "usd")
  }

  private func write(_ text: String) throws {
    try folder.write(text, to: "bitpal/WidgetData/portfolio.json")
  }

  @Test func `It is written with the keys of the design and money as text`() throws {
    try file.write(try data())
    #expect(
      try String(contentsOfFile: folder.path + "/bitpal/WidgetData/portfolio.json", encoding: .utf8) == #"""
        {
          "totalValue": "125000.5",
          "unrealizedPnL": "15000",
          "realizedPnL": "5000",
          "totalPnL": "20000",
          "holdings": [
            {
              "id": "coin-0",
              "symbol": "BTC",
              "name": "Bit \"coin\" \\ 🚀\n",
              "currentValue": "100000",
              "pnlAmount": "-12000",
              "pnlPercentage": "-13.64"
            }
          ],
          "lastUpdated": "2025-01-15T10:30:00Z",
          "schema": "bitpal.widget_file/1",
          "currency": "usd",
          "complete": true,
          "stale": false
        }

        """#)
    #expect(file.read() == (try data()))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path + "/bitpal/WidgetData") == ["portfolio.json"])
  }

  @Test func `It has at most five holdings`() throws {
    #expect(try data(holdings: 9).holdings.map(\.id) == (0..<5).map { "coin-\($0)" })
  }

  @Test func `The origin's own example is read`() throws {
    try write(
      """
      {"totalValue": "125000.50", "unrealizedPnL": "15000.00", "realizedPnL": "5000.00", "totalPnL": "20000.00",
       "holdings": [{"id": "bitcoin", "symbol": "BTC", "name": "Bitcoin", "currentValue": "100000.00",
       "pnlAmount": "12000.00", "pnlPercentage": "13.64", "more": [1]}],
       "lastUpdated": "2025-11-26T10:30:00Z", "later": {}}
      """)
    let data = try #require(file.read())
    #expect(data.totalValue.plainText == "125000.5" && data.holdings.first?.pnlPercentage.plainText == "13.64")
    #expect(data.currency == nil && !data.isIncomplete && data.lastUpdated.iso8601 == "2025-11-26T10:30:00Z")
  }

  @Test(
    arguments: [
      "", "{", "[]", "null", "{}", "\u{0}", #"{"totalValue": "1abc"}"#,
      #"{"totalValue":"1","unrealizedPnL":"1","realizedPnL":"1","totalPnL":"1","holdings":[],"lastUpdated":"soon"}"#,
      #"{"totalValue":"1","unrealizedPnL":"1","realizedPnL":"1","totalPnL":"1","lastUpdated":"2025-01-01"}"#,
      #"{"totalValue":"1","unrealizedPnL":"1","realizedPnL":"1","totalPnL":"1","holdings":[{"id":"x"}],"lastUpdated":"2025-01-01"}"#,
    ])
  func `An unreadable snapshot gives the placeholder, and the next snapshot replaces it`(text: String) throws {
    try write(text)
    #expect(file.read() == nil)
    #expect(file.entry(at: Make.now) == .placeholder(at: Make.now))
    #expect(file.entry(at: Make.now).isPlaceholder)
    try file.write(try data())
    #expect(file.entry(at: Make.now).data == (try data()))
  }

  @Test(arguments: [
    (#""isIncomplete":true"#, true, false), (#""isIncomplete":false"#, false, false),
    (#""complete":false"#, true, false),
    (#""complete":true,"stale":true"#, false, true), (#""complete":null,"stale":null"#, false, false),
  ])
  func `A partial snapshot is distinguished from a complete one in files of every version`(
    said: String, isIncomplete: Bool, isStale: Bool
  ) throws {
    try write(
      #"{"totalValue":"1","unrealizedPnL":"1","realizedPnL":"1","totalPnL":"1","holdings":[],"#
        + #""lastUpdated":"2025-01-15T10:30:00Z",\#(said)}"#)
    let data = try #require(file.read())
    #expect(data.isIncomplete == isIncomplete && data.hasStalePrices == isStale)
    #expect(file.entry(at: Make.now).isStale == isStale)
    try file.write(data)
    #expect(file.read() == data)
  }

  @Test(arguments: [(0, false), (3_600, false), (3_601, true), (-60, false)])
  func `It is stale after sixty minutes`(seconds: Int, isStale: Bool) throws {
    let entry = PortfolioEntry.entry(data: try data(), at: Make.now.adding(.seconds(seconds)))
    #expect(entry.isStale == isStale)
    #expect(entry.age == .seconds(max(0, seconds)))
    #expect(!PortfolioEntry.placeholder(at: Make.now).isStale)
  }

  @Test func `It follows from the portfolio, and is not made when no holding has a price`() throws {
    let ledger = try PortfolioLedger([
      try Make.transaction(1, .buy, "2", "100"), try Make.transaction(2, .buy, "1", "5", coin: "pepe"),
    ])
    let priced = try Portfolio(ledger, quotes: ["bitcoin": try Make.quote("bitcoin", "150")])
    let data = try #require(WidgetPortfolioData(priced, currency: "usd", lastUpdated: Make.now))
    #expect(data.totalValue == 300 && data.totalPnL == 100 && data.isIncomplete)
    #expect(data.holdings.map(\.symbol) == ["BIT"])
    try file.write(data)
    #expect(file.read() == data)
    #expect(WidgetPortfolioData(try Portfolio(ledger, quotes: [:]), currency: "usd", lastUpdated: Make.now) == nil)
    // A gift without a cost has no percentage, and gives its place to the next.
    let coins = ["a", "b", "c", "d", "e"]
    let gifted = try PortfolioLedger(
      [try Make.transaction(1, .receive, "9", "0", coin: "gift")]
        + coins.enumerated().map { try Make.transaction($0.offset + 2, .buy, "1", "1", coin: $0.element) })
    let quotes = Dictionary(uniqueKeysWithValues: try (coins + ["gift"]).map { ($0, try Make.quote($0, "2")) })
    let widget = WidgetPortfolioData(
      try Portfolio(gifted, quotes: quotes), currency: "usd", lastUpdated: Make.now)
    #expect(widget?.holdings.map(\.id).sorted() == coins)
    let empty = try Portfolio(PortfolioLedger([]), quotes: [:])
    #expect(WidgetPortfolioData(empty, currency: "usd", lastUpdated: Make.now)?.isEmpty == true)
  }

  @Test func `Other portfolios have a file of their own`() throws {
    #expect(
      WidgetSnapshotFile(folder: "/d", portfolio: try PortfolioName("savings")).path
        == "/d/WidgetData/portfolio-savings.json")
  }

  @Test func `A folder that cannot be written is reported`() throws {
    try folder.write("", to: "bitpal")
    #expect {
      try file.write(try data())
    } throws: { error in
      "\(error)".replacingOccurrences(of: folder.path, with: "F")
        == "F/bitpal/WidgetData/portfolio.json: the folder F/bitpal/WidgetData cannot be made: Not a directory"
    }
  }

  @Test func `A reader never sees a broken file while it is rewritten a thousand times`() async throws {
    try file.write(try data("0"))
    let isDone = Locked(false)
    let file = file
    let reader = Task.detached {
      var reads = 0
      var broken = 0
      repeat {
        reads += 1
        if file.read() == nil { broken += 1 }
      } while !isDone.withLock { $0 }
      return (reads, broken)
    }
    let (small, large) = (try data("1", holdings: 0), try data("123456789.123456789", holdings: 5))
    for round in 0..<1000 { try file.write(round % 2 == 0 ? small : large) }
    isDone.withLock { $0 = true }
    let (reads, broken) = await reader.value
    #expect(reads > 0 && broken == 0)
  }
}
