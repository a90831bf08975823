import BitpalModel
import BitpalPortfolio
import Foundation
import TestSupport
import Testing

@Suite struct `An import records exactly what the rows of the file state` {
  private func specification(_ movements: String) -> ImportSpecification {
    var specification = Reading.specification()
    specification.movements = DeclaredText(movements, file: "test.yaml")
    return specification
  }

  /// The movements of the tests' own import, in which the worth of a row may be stated as another.
  private let sums = """
    SELECT line, "Out coin" AS coin, decimal_sub('0', "Out") AS change FROM rows
    UNION ALL SELECT line, "In coin", coalesce("Note", "In") FROM rows
    UNION ALL SELECT line, "Fee coin", decimal_sub('0', "Fee") FROM rows
    """

  @Test func `Equal rows of one id are one, whether the import states movements or not`() throws {
    let row = "2025-01-01,1000,USD,0.5,ETH,,,,,,i1,"
    for movements in [nil, sums.replacingOccurrences(of: "coalesce(\"Note\", \"In\")", with: "\"In\"")] {
      var specification = movements.map(specification) ?? Reading.specification()
      specification.unique = "Note"
      #expect(try Reading.words(Reading.transactions(row, row, by: specification)) == ["buy 0.5 eth @2000"])
    }
  }

  @Test func `Trades, swaps, fees and what is left out add up`() throws {
    let rows = [
      "2025-01-01,1000,USD,0.51,ETH,2,USD,,,,,", "2025-01-02,0.5,ETH,0.02,BTC,0.001,ETH,1000,USD,,,",
      "2025-01-03,,,500,USD,,,,,,,", "2025-01-04,0.001,ETH,,,,,,,,,", "2025-01-05,0.01,BTC,700,USD,1.5,USD,,,,,",
      "2025-01-06,,,,,3,USD,,,,,g",
    ]
    let bytes = Array(([Reading.header] + rows).joined(separator: "\n").utf8)
    let sheet = try Reading.sheet(bytes, by: specification(sums), Reading.options())
    #expect(
      sheet.sums.map { "\($0.unit) \($0.stated.plainText) \($0.recorded.plainText)" } == [
        "BTC 0.01 0.01", "ETH 0.008 0.008", "USD 193.5 193.5",
      ])
  }

  @Test func `A coin that does not add up is a fault with both sums and the first row`() throws {
    let faults = try Reading.faults(
      "2025-01-01,1000,USD,0.5,ETH,,,,,,,", "2025-01-02,1000,USD,0.5,ETH,,,,,,0.4,",
      "2025-01-03,1000,USD,0.5,ETH,,,,,,,", by: specification(sums))
    let message =
      "ETH is not conserved: the rows of the file come to +1.4, the import to +1.5; they differ from this row on"
    #expect(faults.count == 1 && faults[0].hasPrefix("3:") && faults[0].hasSuffix(message), "\(faults)")
  }

  @Test func `With a tolerance each row is compared, so that two errors do not cancel out`() throws {
    let each = specification(
      """
      SELECT line, "Out coin" AS coin, decimal_sub('0', coalesce("Note", "Out")) AS change, '0.01' AS within FROM rows
      UNION ALL SELECT line, "In coin", "In", '0' FROM rows
      """)
    #expect(try Reading.faults("2025-01-01,1000,USD,0.5,ETH,,,,,,1000.01,", by: each) == ["accepted"])
    let faults = try Reading.faults(
      "2025-01-01,1000,USD,0.5,ETH,,,,,,990,", "2025-01-02,1000,USD,0.5,ETH,,,,,,1010,", by: each)
    #expect(faults.count == 1 && faults[0].hasPrefix("2:17: USD is not conserved"), "\(faults)")
  }

  private let balances = """
    SELECT line, "In coin" AS coin, "In" AS change, "Note" AS balance, "Group" AS account FROM rows
    """

  @Test func `Balances follow from each other per account, in any order within an instant`() throws {
    #expect(
      try Reading.faults(
        "2025-01-01,,,1,USD,,,,,,11,a", "2025-01-01,,,2,USD,,,,,,2,b", "2025-01-02,,,5,USD,,,,,,19,a",
        "2025-01-02,,,3,USD,,,,,,14,a", by: specification(balances)) == ["accepted"])
    let faults = try Reading.faults(
      "2025-01-01,,,1,USD,,,,,,11,a", "2025-01-02,,,5,USD,,,,,,19,a", by: specification(balances))
    let message = "balance of USD: 19 does not follow from 11 and 5; rows before it are missing, or changed"
    #expect(faults.count == 1 && faults[0].hasPrefix("3:") && faults[0].hasSuffix(message), "\(faults)")
  }

  @Test func `A fault from the SELECT is reported unchanged`() throws {
    let select = "SELECT line, \"Date\" AS date, 'nothing tells which' AS fault FROM rows"
    #expect(
      try Reading.faults("2025-01-01,,,1,USD,,,,,,,", by: Reading.specification(select)) == ["2:1: nothing tells which"]
    )
  }

  @Test(
    arguments: [
      ("SELECT line, 'USD' AS coin FROM rows", "lacks \"change\""),
      ("SELECT line, 'USD' AS coin, '1' AS change, '2' AS worth FROM rows", "gives \"worth\""),
      ("SELECT line, 'USD' AS coin, '1' AS change, '2' AS change FROM rows", "gives a column twice"),
    ])
  func `Movements have the columns that they need, and no other`(select: String, problem: String) {
    let error = #expect(throws: BitpalError.self) { try ImportReader(specification(select)) }
    #expect(error?.description.contains("the SELECT of the movements \(problem)") == true)
  }
}

@Suite struct `Prices of one file` {
  private func faults(_ rows: [String], accepts: Bool = false) throws -> [String] {
    var options = Reading.options()
    options.acceptsPrices = accepts
    return try Reading.faults(in: ([Reading.header] + rows).joined(separator: "\n"), options: options)
  }

  private let rows = ["2025-01-01,40,USD,0.01,BTC,,,,,,,", "2025-01-20,40000,USD,0.001,BTC,,,,,,,"]

  @Test func `A price far from another within a month is a fault that names both rows`() throws {
    let fault = "price of one BTC: 40000000 is far from the 4000 of line 2; if both are right, say --accept-prices"
    let found = try faults(rows)
    #expect(found.count == 1 && found[0].hasPrefix("3:") && found[0].hasSuffix(fault), "\(found)")
    #expect(try faults(rows, accepts: true) == ["accepted"])
    #expect(try faults([rows[0], rows[1].replacing("2025-01-20", with: "2025-02-20")]) == ["accepted"])
  }

  @Test func `A total of a few cents proves nothing about a price`() throws {
    #expect(
      try faults([rows[0], "2025-01-02,0.01,USD,0.00000001,BTC,,,,,,,"]) == ["accepted"])
  }

  @Test func `A close that is at hand is compared too`() throws {
    var options = Reading.options()
    options.acceptsPrices = false
    let sheet = try Reading.sheet(
      Array("\(Reading.header)\n\(rows[0])".utf8), by: Reading.specification(), options)
    let error = #expect(throws: CSVFaults.self) {
      try sheet.transactions(ids: ["BTC": "bitcoin"]) { _, _ in
        nil
      } known: { _, _ in
        95000
      }
    }
    #expect(
      error?.issues.first?.message
        == "price of one BTC: 4000 is far from the close of 2025-01-01, 95000; if both are right, say --accept-prices")
  }
}

@Suite struct `A later export of the same transactions` {
  @Test func `Notes, labels, fees and fractions of a second make no other transaction`() throws {
    let folder = try TemporaryFolder()
    let store = TransactionStore(file: UserDataFile(path: folder.path + "/bitpal.db"))
    func add(_ rows: String...) throws -> [Int] {
      let bytes = Array(([Reading.header] + rows).joined(separator: "\n").utf8)
      let sheet = try Reading.sheet(bytes, by: Reading.specification(), Reading.options())
      let read = try sheet.transactions(ids: ["ETH": "ethereum"])
      let result = try store.add(read, currency: "usd", now: Reading.now)
      return [result.added.count, result.known]
    }
    let old = "2025-01-01 08:00:00.9,1000,USD,0.5,ETH,1,USD,,,,bought,"
    let new = "2025-01-01 08:00:00,1000.01,USD,0.50,ETH,1.00,USD,,,,Bought 0.5,"
    #expect(try add(old, old) == [2, 0])
    #expect(try add(new, new, new) == [1, 2])
    #expect(try add(new, "2025-01-01 08:00:01,1000,USD,0.5,ETH,,,,,,,") == [1, 1])
  }

  @Test func `A transaction that was recorded by hand is there already`() throws {
    let folder = try TemporaryFolder()
    let store = TransactionStore(file: UserDataFile(path: folder.path + "/bitpal.db"))
    let date = try #require(Date(utcText: "2025-01-01"))
    let row = try Reading.transactions("2025-01-01,1000,USD,0.5,ETH,,,,,,,")[0]
    let draft = TransactionDraft(coinId: "eth", type: .buy, amount: 0.5, pricePerCoin: 1999, date: date)
    let own = ImportedTransaction(
      transaction: try draft.transaction(id: UUID()), line: 1, hasOwnID: true, currency: nil)
    #expect(try store.add([own], currency: "usd", now: Reading.now).added.count == 1)
    #expect(try store.add([row], currency: "usd", now: Reading.now).known == 1)
  }
}
