import Bitpal
import BitpalConfig
import BitpalModel
import BitpalPortfolio
import BitpalQueries
import Foundation
import TestSupport
import Testing

@Suite struct `An import into a portfolio` {
  private let folder: TemporaryFolder
  private let remarks = Notes<PortfolioBook.Remark>()

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("bitpal: 1\naliases: { pocket: solana }\n", to: "config.yaml")
    // Rewards whose worth may be missing.
    try folder.write(
      """
      id: mine
      name: Mine
      header: [Date, In, Coin, Worth]
      dates: ymd
      zone: UTC
      select: |
        SELECT line, "Date" AS date, number("In") AS received, "Coin" AS received_coin, number("Worth") AS value,
          'usd' AS currency, 'reward' AS label FROM rows ORDER BY line
      movements: SELECT line, "Coin" AS coin, number("In") AS change, '0' AS within FROM rows
      """, to: "imports/mine.yaml")
    try folder.write(
      """
      id: trades
      name: Trades
      header: [Date, Amount, Coin, Price, Fee]
      dates: ymd
      zone: UTC
      select: |
        SELECT line, "Date" AS date, 'buy' AS type, "Coin" AS coin, number("Amount") AS amount, number("Price") AS price,
          number("Fee") AS fee, 'usd' AS currency FROM rows ORDER BY line
      movements: |
        SELECT line, "Coin" AS coin, number("Amount") AS change FROM rows
        UNION ALL SELECT line, 'usd', decimal_sub('0', decimal_add(decimal_mul(number("Amount"), number("Price")), number("Fee"))) FROM rows
      """, to: "imports/trades.yaml")
  }

  private func settings() throws -> Settings {
    try SettingsLoader(
      environment: Environment(variables: [:], currentDirectory: "/"),
      overrides: SettingsOverrides(configPath: folder.path + "/config.yaml")
    ).load()
  }

  private func book(_ policy: FetchPolicy = .normal) throws -> PortfolioBook {
    let store = TransactionStore(file: UserDataFile(path: folder.path + "/bitpal.db"), portfolio: .main)
    return PortfolioBook(store, in: "usd", by: try Market.service(), policy: policy) { [remarks] in remarks.add($0) }
  }

  private func imported(
    _ text: String, values: [String] = [], maps: [String] = [], _ parameters: [String: String] = [:],
    in book: PortfolioBook, isDryRun: Bool = false
  ) async throws -> ImportAnswer {
    try await ImportRequest(Given(parameters, .options), values: values, maps: maps).record(
      Array(text.utf8), named: "rows.csv", in: book, .init(settings(), currency: nil, zone: nil), isDryRun: isDryRun)
  }

  private static func trades(_ rows: (price: String, fee: String)...) -> String {
    "Date,Amount,Coin,Price,Fee\n" + rows.map { "2024-02-03 11:03:12,0.1,BTC,\($0.price),\($0.fee)\n" }.joined()
  }

  private var warnings: [String] { remarks.all.compactMap { if case .warning(let text) = $0 { text } else { nil } } }

  @Test func `Trades of one second are known again in any order of the file`() async throws {
    let book = try book()
    let first = try await imported(Self.trades(("40000", "1.00"), ("41000", "2.00")), in: book)
    let again = try await imported(Self.trades(("41000", "2.00"), ("40000", "1.00")), in: book)
    #expect(first.added.count == 2 && again.added.isEmpty && again.known == 2)
    #expect(warnings.isEmpty)
  }

  @Test(arguments: [("41000", "1.00", "at the price 40000, not 41000"), ("40000", "1.50", "with the fee 1, not 1.5")])
  func `A trade of the same second with another price or fee is known, with a warning, or added on request`(
    price: String, fee: String, difference: String
  ) async throws {
    let book = try book()
    _ = try await imported(Self.trades(("40000", "1.00")), in: book)
    let second = try await imported(Self.trades((price, fee)), in: book)
    #expect(second.added.isEmpty && second.known == 1)
    #expect(warnings.count == 1 && warnings.first?.contains(difference) == true)
    let added = try await imported(Self.trades((price, fee)), ["same-minute": "add"], in: book)
    #expect(added.added.count == 1)
    #expect(try book.store.transactions().count == 2)
  }

  @Test func `A price with fewer digits is that of the same trade`() async throws {
    let book = try book()
    _ = try await imported(Self.trades(("40000.49", "1.00")), in: book)
    let second = try await imported(Self.trades(("40000", "1.01")), in: book)
    #expect(second.added.isEmpty && second.known == 1)
    #expect(warnings.isEmpty)
  }

  @Test func `A statement about a coin that the file lacks is a warning, and two about one coin are refused`()
    async throws
  {
    let (book, text) = (try book(), "Date,In,Coin,Worth\n2025-01-02,1,BTC,\n")
    _ = try await imported(text, values: ["xbt=5", "1"], maps: ["ABC=solana"], in: book, isDryRun: true)
    #expect(warnings.map { $0.prefix { $0 != " " } } == ["--value", "--map"])
    #expect(warnings.allSatisfy { $0.hasSuffix("has no effect: no transaction of the file is of that coin") })
    for (values, maps) in [(["btc=5", "BTC=6"], []), (["BTC=5", "bitcoin=6"], []), (["1"], ["BTC=a", "btc=b"])] {
      await #expect(throws: BitpalError.self) {
        try await imported(text, values: values, maps: maps, in: book, isDryRun: true)
      }
    }
  }

  private func refusal(
    _ text: String, values: [String] = [], maps: [String] = [], in book: PortfolioBook
  ) async throws -> [String] {
    do {
      _ = try await imported(text, values: values, maps: maps, in: book)
      return []
    } catch let refusal as ImportRefusal {
      #expect(refusal.failure.description.contains("nothing was imported"))
      return refusal.faults.issues.map { "\($0.line ?? 0): \($0.message)" }
    }
  }

  private static let own = "date,type,coin,amount,price\n"

  @Test func `The same file twice adds nothing, and a longer one what is new`() async throws {
    let book = try book()
    let row = "2024-02-12,buy,btc,0.5,48210.35\n"
    let first = try await imported(Self.own + row, in: book)
    #expect(first.added.map(\.transaction.coinId) == ["bitcoin"] && first.known == 0)
    #expect(first.content.importID == "bitpal")
    let longer = try await imported(Self.own + row + "2024-02-13,sell,bitcoin,0.2,50000\n", in: book)
    #expect(longer.added.map(\.transaction.type) == [.sell] && longer.known == 1)
    let planned = try await imported(Self.own + "2024-02-14,sell,bitcoin,0.3,1\n", in: book, isDryRun: true)
    #expect(planned.added.count == 1)
    #expect(try book.store.transactions().count == 2)
  }

  @Test func `A sale of more than is held is refused with its line and what to record first`() async throws {
    let book = try book()
    let faults = try await refusal(
      Self.own + "2024-02-12,buy,eth,1,3000\n2024-02-13,sell,eth,3,3100\n2024-02-14,sell,eth,5,3200\n", in: book)
    #expect(faults.count == 1)
    #expect(faults.first?.hasPrefix("3: ") == true)
    #expect(faults.first?.hasSuffix("bitpal receive 2 ethereum --price PRICE --date 2024-02-11") == true)
    #expect(try book.store.transactions().isEmpty)
  }

  @Test func `A balance with which a file begins is named until it is recorded`() async throws {
    try folder.write(
      """
      id: ledger
      name: Ledger
      header: [Date, Change, Coin, Balance]
      dates: ymd
      zone: UTC
      select: |
        SELECT line, "Date" AS date, iif("Change" LIKE '-%', 'send', 'receive') AS type, ltrim("Change", '-') AS amount, "Coin" AS coin,
          3000 AS price, 'usd' AS currency FROM rows ORDER BY line
      movements: SELECT line, "Coin" AS coin, "Change" AS change, "Balance" AS balance FROM rows ORDER BY line
      """, to: "imports/ledger.yaml")
    let book = try book()
    let rows = "Date,Change,Coin,Balance\n2024-02-12,0.5,ETH,2\n2024-02-13,0.25,ETH,2.25\n"
    let sentences = try await imported(rows, in: book, isDryRun: true).content.openingSentences(in: book)
    #expect(sentences.count == 1)
    #expect(sentences.first?.contains("begin with 1.5 ethereum that is not recorded") == true)
    let faults = try await refusal(rows + "2024-02-14,-1,ETH,1.25\n", in: book)
    #expect(faults.first?.hasSuffix("bitpal receive 1.5 ethereum --price PRICE --date 2024-02-11") == true)
    _ = try await imported(Self.own + "2024-02-01,buy,eth,1.5,2900\n", in: book)
    #expect(try await imported(rows, in: book).content.openings.isEmpty)
  }

  @Test func `Coins are what the user, the aliases and the tickers say, and never a guess`() async throws {
    let book = try book()
    let rows = "Date,In,Coin,Worth\n2024-12-03,2,pocket,190\n2024-12-04,1,ETH,3000\n2024-12-05,3,NEW,3\n"
    let faults = try await refusal(rows, in: book)
    #expect(faults.count == 1 && faults[0].hasPrefix("4: ") && faults[0].contains("--map NEW="))
    let answer = try await imported(rows, maps: ["new=dogecoin"], ["accept-prices": ""], in: book)
    #expect(answer.added.map(\.transaction.coinId) == ["solana", "ethereum", "dogecoin"])
    #expect(answer.added.allSatisfy { $0.transaction.label == .reward })
  }

  @Test func `The name behind a ticker decides, and an id is not read as a ticker`() async throws {
    let book = try book()
    let rows = "Date,In,Coin,Worth\n2024-12-03,2,SOL (Solana),190\n2024-12-04,1,SOL (Sola),3\n2024-12-05,3,id:DASH,3\n"
    let faults = try await refusal(rows, in: book)
    #expect(faults.map { String($0.prefix(3)) } == ["3: ", "4: "])
    #expect(faults[0].hasSuffix("--map \"SOL (Sola)=ID\"") && faults[1].hasSuffix("--map id:DASH=id:DASH"))
    let maps = ["sol (sola)=dogecoin", "id:dash=id:DASH"]
    let answer = try await imported(rows, maps: maps, ["accept-prices": ""], in: book)
    #expect(answer.added.map(\.transaction.coinId) == ["solana", "dogecoin", "DASH"])
  }

  @Test func `Fills of a second are known again in their sum, and the sum in its fills`() async throws {
    let book = try book()
    func rows(_ amounts: [String], at time: String) -> String {
      "Date,In,Coin,Worth\n" + amounts.map { "2024-12-03 \(time),\($0),ETH,10\n" }.joined()
    }
    let accepted = ["accept-prices": ""]
    _ = try await imported(rows(["0.005", "0.001"], at: "08:00:05"), accepted, in: book)
    #expect(try await imported(rows(["0.006"], at: "08:00:05"), accepted, in: book).known == 1)
    _ = try await imported(rows(["0.7"], at: "09:00:05"), accepted, in: book)
    #expect(try await imported(rows(["0.3", "0.4"], at: "09:00:05"), accepted, in: book).known == 2)
    // Another sum, and the sum of a day without a time, are others.
    #expect(try await imported(rows(["0.3", "0.3"], at: "09:00:05"), accepted, in: book).known == 0)
    _ = try await imported(rows(["0.9"], at: ""), accepted, in: book)
    #expect(try await imported(rows(["0.45", "0.45"], at: ""), accepted, in: book).known == 0)
  }

  @Test func `A value that the file lacks is the stated one, or the close of the day`() async throws {
    let book = try book()
    let rows = "Date,In,Coin,Worth\n2025-01-10,2,btc,\n2025-01-11,1,eth,\n"
    #expect(try await refusal(rows, in: book).first?.contains("--value close") == true)
    let stated = try await imported(rows, values: ["ETH=2500", "zero"], in: book, isDryRun: true)
    #expect(stated.added.map(\.transaction.pricePerCoin) == [0, 2500])
    let skipped = try await imported(rows, values: ["skip", "BTC=7"], in: book, isDryRun: true)
    #expect(skipped.added.map(\.transaction.pricePerCoin) == [7])
    #expect(skipped.content.skippedRows.map { "\($0.rows) \($0.reason)" } == ["1 without a value"])
    let closed = try await imported(rows, values: ["close"], in: book, isDryRun: true)
    let day = try await HistoryQuery(Given(["on": "2025-01-10"]), missing: .tell).answer(
      "bitcoin", by: book.service, currency: "usd")
    #expect(closed.added.first?.transaction.pricePerCoin == day.closes.value.first?.price)
    // The origin of the closes is a remark.
    #expect(
      remarks.all.contains { if case .origin(_, "bitcoin") = $0 { true } else { false } })
  }

  @Test func `A day before the first close is refused, with the reason`() async throws {
    let faults = try await refusal(
      "Date,In,Coin,Worth\n2010-01-10,2,btc,\n", values: ["close"], in: try book())
    #expect(faults.count == 1 && faults[0].contains("no source has the close of bitcoin on 2010-01-10"))
  }

  @Test(
    arguments: [
      (["zero", "close"], [], "--value says twice what other coins were worth"),
      (["-1"], [], "--value: \"-1\" is not close"), (["SOL=x"], [], "--value: \"SOL=x\" is not close"),
      ([], ["UNI"], "--map takes a ticker and the id of its coin, like UNI=uniswap, not \"UNI\""),
    ] as [([String], [String], String)])
  func `A value or a mapping that cannot be read is refused before the file is`(
    values: [String], maps: [String], beginning: String
  ) {
    #expect { try ImportRequest(Given([:], .options), values: values, maps: maps) } throws: {
      "\($0)".hasPrefix(beginning)
    }
  }

  @Test func `The same rows with another map are refused, unless the user has them as others`() async throws {
    let book = try book()
    let rows = "Date,In,Coin,Worth\n2024-01-10,2,btc,10\n2024-01-11,3,btc,10\n"
    _ = try await imported(rows, maps: ["BTC=ethereum"], in: book)
    await #expect { try await imported(rows, in: book) } throws: {
      "\($0)".contains("2 transactions of bitcoin are there already as ethereum")
        && "\($0)".contains("--map BTC=ethereum")
    }
    #expect(try await imported(rows, ["same-minute": "add"], in: book).added.count == 2)
  }

  @Test func `A code that is a coin's ticker too is money where it is mapped to the currency`() async throws {
    let rows = "Date,In,Coin,Worth\n2024-01-10,2,SCR,10\n"
    let faults = try await refusal(rows, in: try book())
    #expect(faults.count == 1 && faults[0].contains("--map SCR=scroll, or --map SCR=fx:scr"))
    #expect(try await imported(rows, maps: ["SCR=fx:scr"], in: try book()).added.isEmpty)
  }

  // MARK: Changes

  @Test func `A new price drops the exact total, another change keeps it`() async throws {
    let book = try book()
    let bought = try await TransactionRequest(
      .buy, quantity: "3", coin: "btc", Given(["total": "100", "date": "2025-01-02"], .options)
    ).record(in: book, isDryRun: false)
    let id = try #require(bought.first).id.uuidString
    func edited(_ values: [String: String]) async throws -> Transaction {
      try await TransactionEdit(Given(values, .options)).record(id, in: book, isDryRun: true)[0]
    }
    #expect(try await edited(["notes": "n", "fee": "1"]).total == 100)
    let halved = try await edited(["amount": "2"])
    #expect(halved.pricePerCoin == 50)
    #expect(try await edited(["total": "90"]).pricePerCoin == 30)
    #expect(try await edited(["price": "34"]).total == nil)
    #expect(try await edited(["date": "2025-01-03"]).id == bought[0].id)
    #expect(
      throws: BitpalError.usage(
        "nothing to change",
        hint: "give one or more of --type, --coin, --amount, --price, --total, --fee, --date, --notes, --label")
    ) {
      try TransactionEdit(Given([:], .options))
    }
  }

  @Test func `A price that is missing is asked for in the notation of the question`() async throws {
    let book = try book()
    for (notation, words) in [(ParameterNotation.options, "--price or --total"), (.query, "price or total")] {
      let request = try TransactionRequest(
        .buy, quantity: "1", coin: "btc", Given(["date": "2009-01-05"], notation))
      await #expect(throws: (any Error).self) { try await request.record(in: book, isDryRun: true) }
      let note = remarks.all.last { if case .note = $0 { true } else { false } }
      if case .note(let text)? = note { #expect(text.hasSuffix("give it with \(words)")) }
    }
  }
}
