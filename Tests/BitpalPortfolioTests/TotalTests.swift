import BitpalFiles
import BitpalModel
import Foundation
import TestSupport
import Testing

@testable import BitpalPortfolio

@Suite struct `The total of a transaction` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func store(_ name: String = "bitpal.db") -> TransactionStore {
    TransactionStore(file: UserDataFile(path: folder.path + "/" + name))
  }

  private func draft(_ amount: String, total: String, _ type: TransactionType = .buy) throws -> TransactionDraft {
    var draft = try Make.draft(type, amount, "1", coin: "ethereum")
    try draft.setTotal(Decimal(strict: total))
    return draft
  }

  @Test func `Wei are bought for any total, which is the cost to the last digit`() throws {
    let bought = try store().add(draft("0.123456789012345678", total: "3000"), currency: "usd", now: Make.now)
    #expect(bought.total == 3000)
    #expect(try store().transactions() == [bought])
    #expect(try PortfolioLedger([bought]).positions.first?.totalCost == 3000)
    #expect(try Gains([bought], by: .fifo).lots.first?.cost == 3000)
  }

  @Test func `Coins bought and sold for one total have no gain, by every method`() throws {
    let bought = try draft("0.123456789012345678", total: "3000").transaction(id: Make.id(1))
    let sold = try draft("0.123456789012345678", total: "3000", .sell).transaction(id: Make.id(2))
    for method in GainMethod.allCases {
      #expect(try Gains([bought, sold], by: method).rows.map(\.gain) == [0])
    }
  }

  @Test func `A total that is amount times price is not kept, so that nothing else changes`() throws {
    #expect(try draft("0.5", total: "3000").transaction(id: Make.id(1)).total == nil)
    #expect(throws: PortfolioError.totalMismatch(3001)) {
      try Transaction(
        validating: Make.id(1), coinId: "c", type: .buy, amount: 3, pricePerCoin: 1000, total: 3001, date: Make.now)
    }
  }

  @Test func `The total is not part of the identity, so a file imported before keeps its ids`() throws {
    let draft = try draft("3", total: "1000")
    var before = draft
    before.total = nil
    #expect(draft.identity == before.identity)
  }
}

@Suite struct `Every portfolio is read back` {
  private static let coins = [
    "bitcoin", "AAPL", "fx:eur", "^GSPC", "BRK.B", "EURUSD=X", "M&M.NS", "=cmd", "'=x", "''@y", "a,b", "a\"b",
    " spaces ", "id:beam",
    "\u{200B}thin", "line\nend", "house", "-1", "+x", "ä🚀", "\u{FEFF}mark", "NULL", "0",
  ]
  private static let texts = ["", "n", "'", "''=1", "=1+1", " a ", "a\r\nb", "\"", "k,k", "\t", "\u{0}"]

  @Test(arguments: 1...60)
  func `Any transactions are the same after export and import`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var transactions: [Transaction] = []
    for number in 1...30 {
      let type = TransactionType.allCases.randomElement(using: &random) ?? .buy
      let amount = Decimal(Int.random(in: 1...999_999, using: &random)) / Decimal(10_000)
      var draft = TransactionDraft(
        coinId: Self.coins.randomElement(using: &random) ?? "c", type: type, amount: amount, pricePerCoin: nil,
        date: Make.day(Int.random(in: 1...14, using: &random)), notes: Self.texts.randomElement(using: &random),
        label: type.labels.filter { !$0.movesCost }.randomElement(using: &random),
        group: Self.texts.randomElement(using: &random))
      if type != .send || Bool.random(using: &random) {
        try draft.setTotal(Decimal(Int.random(in: 1...1_000_000, using: &random)))
      }
      draft.fee = Decimal(Int.random(in: 0...50, using: &random)) / 8
      transactions.append(try draft.transaction(id: Make.id(number)))
    }
    let text = TransactionCSV.text(transactions, currency: "eur")
    let read = try TransactionCSV.transactions(Array(text.utf8), file: "t.csv", now: Make.now)
    #expect(read.map(\.transaction) == transactions)
    #expect(read.allSatisfy { $0.hasOwnID && $0.currency == "eur" })
  }

  @Test(arguments: ["BTC ", "\u{200B}BTC", " BTC\u{FEFF}", "BTC\u{00A0}"])
  func `A coin that a person wrote has no invisible letters around it`(coin: String) throws {
    let text = "date,type,coin,amount,price\n2025-01-01,buy,\(coin),1,1\n"
    let read = try TransactionCSV.transactions(Array(text.utf8), file: "t.csv", now: Make.now)
    #expect(read.map(\.transaction.coinId) == ["BTC"])
  }
}
