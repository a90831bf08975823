import BitpalJSON
import BitpalModel
import Foundation
import TestSupport
import Testing

@testable import BitpalPortfolio

@Suite struct `CSV as RFC 4180 has it` {
  private func texts(_ text: String) throws -> [[String]] {
    try CSVRecords.read(text).map { $0.map(\.text) }
  }

  @Test(
    arguments: [
      ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]), ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
      ("a,b\r1,2\r", [["a", "b"], ["1", "2"]]), ("\u{FEFF}a\n1\n\n2\n", [["a"], ["1"], ["2"]]),
      ("\"a,\"\"b\"\"\r\nc\",\"\"\n", [["a,\"b\"\r\nc", ""]]), (",\n", [["", ""]]), ("", []),
      ("ä🚀,\"ß\"", [["ä🚀", "ß"]]),
    ] as [(String, [[String]])])
  func `Fields are separated`(text: String, expected: [[String]]) throws {
    #expect(try texts(text) == expected)
  }

  @Test(
    arguments: [
      ("a\nb\"c", "a quote inside a field that does not begin with one", 2, 2),
      ("a\r\n\"b\"c", "text after the closing quote of a field", 2, 4),
      ("x\n\"a\r\nb", "a quote that is never closed", 2, 1),
    ])
  func `A text that is not CSV is refused with its place`(text: String, message: String, line: Int, column: Int) {
    #expect {
      _ = try CSVRecords.read(text)
    } throws: { error in
      guard let fault = error as? BodyFault else { return false }
      return fault.message.hasPrefix(message) && fault.line == line && fault.column == column
    }
  }

  @Test func `A field knows where it begins, after line ends in quotes too`() throws {
    let records = try CSVRecords.read("a,b\r\n\"x\r\ny\",z\r\n1,2")
    #expect(records[1].map { [$0.line, $0.column] } == [[2, 1], [3, 4]])
    #expect(records[2].map { [$0.line, $0.column] } == [[4, 1], [4, 3]])
  }
}

@Suite struct `Transactions as CSV` {
  private func read(_ text: String) throws -> [ImportedTransaction] {
    try TransactionCSV.transactions(Array(text.utf8), file: "t.csv", now: Make.now)
  }

  private func faults(_ text: String) -> String {
    do {
      _ = try read(text)
      return "accepted"
    } catch {
      return "\(error)"
    }
  }

  private let header = "date,type,coin,amount,price\n"

  @Test func `Written transactions are read back unchanged, to the last digit`() throws {
    let transactions = [
      try Make.transaction(1, .buy, "0.00000001", "69702.67874735729", fee: "0.125", date: Make.now),
      try Make.transaction(
        2, .sell, "0.000000001", "0.00000000000000000000123", coin: "baby-doge-coin",
        date: Make.day(3).adding(.milliseconds(7)), notes: "with \"quotes\", commas,\r\nlines\nand a 🚀"),
      try Make.transaction(3, .buy, "99999999999999999999999999999999999999", "1", coin: "a,b", notes: " spaces "),
    ]
    let text = TransactionCSV.text(transactions, currency: "eur")
    #expect(try read(text).map(\.transaction) == transactions)
    #expect(try read(text).map(\.line) == [2, 3, 6])
    #expect(
      text.hasPrefix(
        """
        id,date,type,coin,amount,price,fee,notes,currency,label,group,total\r
        1a000000-0000-8000-8000-000000000000,2025-01-15T10:30:00Z,buy,bitcoin,0.00000001,69702.67874735729,0.125,,eur,,,\r
        2a000000-0000-8000-8000-000000000000,2025-01-03T00:00:00.007Z,sell,baby-doge-coin,0.000000001,\
        0.00000000000000000000123,0,"with ""quotes"", commas,\r

        """))
  }

  @Test func `A time that falls on midnight in UTC stays a time, and a day stays that day`() throws {
    func times(_ rows: String..., zone: ClockZone = .utc) throws -> [String] {
      let text = header + rows.map { "\($0),buy,x,1,1\n" }.joined()
      return try TransactionCSV.transactions(Array(text.utf8), file: "t.csv", now: Make.now, zone: zone)
        .map(\.transaction.date.iso8601)
    }
    let (day, time) = ("2025-01-01T00:00:00Z", "2025-01-01T00:00:00.001Z")
    let west = try #require(ClockZone(offset: "-05:00"))
    #expect(try times("2025-01-01", "2024-12-31 19:00", "2025-01-01T00:00Z", zone: west) == [day, time, time])
    #expect(try times("2025-01-01 00:00", "2025-01-01") == [day, day])
    #expect(try times("2025-01-01 00:00", "2025-01-01", "2025-01-01 08:00").prefix(2) == [time, day])
    let transactions = [
      try Make.transaction(1, .buy, "1", "1"), try Make.transaction(2, .buy, "1", "1", date: Make.day(1).withTimeOfDay),
    ]
    #expect(try read(TransactionCSV.text(transactions, currency: "usd")).map(\.transaction) == transactions)
  }

  @Test(arguments: [";", "\t"])
  func `A spreadsheet may write other delimiters`(delimiter: String) throws {
    let text =
      header.replacing(",", with: delimiter) + ["2025-01-02", "buy", "x", "1.5", "7"].joined(separator: delimiter)
    let read = try read(text).map(\.transaction)
    #expect(try read.map(\.amount) == [Make.number("1.5")] && read.first?.pricePerCoin == 7)
    guard case .own = try ImportRecognition(Array(text.utf8), name: "t", among: []) else {
      Issue.record("it is not recognized")
      return
    }
  }

  @Test func `Transfers without money are read back unchanged`() throws {
    let transactions = [
      try Make.transaction(1, .receive, "2", "0", label: .airdrop),
      try Make.transaction(2, .send, "1", nil, label: .fee),
      try Make.transaction(3, .send, "0.5", "7", label: .gift, group: "1a000000"),
    ]
    let text = TransactionCSV.text(transactions, currency: "usd")
    #expect(try read(text).map(\.transaction) == transactions)
    #expect(try read(text).map(\.currency) == ["usd", "usd", "usd"])
  }

  @Test func `Money of another currency than the portfolio's or the first row's is a fault of its row`() {
    let text = "date,type,coin,amount,price,currency\n2025-01-01,buy,x,1,1,eur\n2025-01-01,buy,x,1,1,USD\n"
    #expect(faults(text).hasPrefix("t.csv:3:22: currency: the row is in usd, those before it in eur\n"))
    #expect(
      faults("date,type,coin,amount,price,currency\n2025-01-01,buy,x,1,1,GBp\n")
        .hasPrefix("t.csv:2:22: currency: GBp is 0.01 gbp; write the amount in gbp\n"))
    #expect {
      _ = try TransactionCSV.transactions(Array(text.utf8), file: "t.csv", now: Make.now, currency: "usd")
    } throws: { error in
      "\(error)".hasPrefix("t.csv:2:22: currency: the row is in eur, the portfolio in usd\n")
    }
  }

  @Test func `A label that the type does not have, and a sale without a price, are faults`() {
    let header = "date,type,coin,amount,price,label\n"
    #expect(
      faults(header + "2025-01-01,send,x,1,,airdrop\n")
        .hasPrefix("t.csv:2:22: \"airdrop\" is not a label of send: it has fee, gift, transfer, lost, rename, split\n"))
    #expect(faults(header + "2025-01-01,sell,x,1,,\n").hasPrefix("t.csv:2:21: price: "))
  }

  @Test func `A spreadsheet runs nothing of it, and it is read back as it was`() throws {
    let texts = [
      "=cmd|' /C calc'!A0", "@SUM(1)", "+1", "-x", "\tx", "\rx", "'=1", "-5", "''", "\"\u{301}=", "=1,\"2\"",
    ]
    let transactions = try texts.enumerated().flatMap { number, text in
      [
        try Make.transaction(2 * number, .buy, "1", "1", coin: text, date: Make.now),
        try Make.transaction(2 * number + 1, .buy, "1", "1", date: Make.now, notes: text),
      ]
    }
    let text = TransactionCSV.text(transactions, currency: "eur")
    let dangerous = try CSVRecords.read(text).flatMap { $0 }.map(\.text)
      .filter { $0.first.map { "=+-@\t\r".contains($0) } ?? false }
    #expect(dangerous == ["-5", "-5"], "numbers alone")
    #expect(try read(text).map(\.transaction) == transactions)
  }

  @Test func `The header may be in any order and case, and id, fee and notes may be missing`() throws {
    let rows = try read("PRICE,Coin,amount,Type,DATE\n1.50,bitcoin,2,SELL,2025-01-01T12:30:00+02:00\n")
    let transaction = try #require(rows.first?.transaction)
    #expect(transaction.pricePerCoin?.plainText == "1.5" && transaction.type == .sell && transaction.fee == 0)
    #expect(transaction.date.iso8601 == "2025-01-01T10:30:00Z")
    #expect(transaction.notes == nil)
  }

  @Test(
    arguments: [
      ("2025-01-01,buy,bitcoin,1abc,1", 23, "amount: \"1abc\" is not a number"),
      ("2025-01-01,buy,bitcoin,\"1,5\",1", 23, "amount: \"1,5\" is not a number"),
      ("2025-01-01,buy,bitcoin,0,1", 23, "amount: it must be above zero, not 0"),
      ("2025-01-01,buy,bitcoin,1,-2", 25, "price: it must be above zero, not -2"),
      (
        "2025-01-01,buy,bitcoin,1234567890123456789012345678901234567891,1", 23,
        "amount: \"1234567890123456789012345678901234567891\" does not fit: a number holds at most 38 significant digits"
      ),
      ("2025-01-01,hold,bitcoin,1,1", 11, "type: \"hold\" is not one of buy, sell, receive, send"),
      (
        "yesterday,buy,bitcoin,1,1", 0,
        "date: \"yesterday\" is not an instant; write it like 2025-01-15T10:30:00Z or 2025-01-15T12:30:00+02:00"
      ),
      ("2025-02-01,buy,bitcoin,1,1", 0, "date: 2025-02-01 00:00:00Z is in the future; it is 2025-01-15 10:30:00Z now"),
      ("2025-01-01,buy,,1,1", 15, "coin: it is empty"),
      ("2025-01-01,buy,bitcoin,1", 0, "4 fields where the header has 5"),
      ("2025-01-01,buy,bitcoin,1,1,1", 0, "6 fields where the header has 5"),
    ])
  func `A bad row is named with line and column`(row: String, column: Int, message: String) {
    let good = "2025-01-01,buy,bitcoin,1,1\n"
    let said = faults(header + good + row + "\n" + good).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(said.first?.hasPrefix("t.csv:3:\(column + 1): \(message)") == true, "\(said)")
    #expect(said.dropFirst().first ?? "" == "  " + row)
    #expect(said.last ?? "" == String(repeating: " ", count: column + 2) + "^")
    #expect(said.count == 3)
  }

  @Test(
    arguments: [
      (
        "",
        "t.csv: the file is empty; it needs a header such as id,date,type,coin,amount,price,fee,notes,currency,label,group,total"
      ),
      ("date,type,coin\n", "t.csv:1:1: missing columns: amount, price\n  date,type,coin\n  ^"),
      (
        "date,type,coin,amount,price,price\n",
        "t.csv:1:29: the column \"price\" is there twice\n  date,type,coin,amount,price,price\n"
          + String(repeating: " ", count: 30) + "^"
      ),
      (
        "date,type,coin,amuont,price\n",
        "t.csv:1:16: unknown column \"amuont\"; did you mean \"amount\"?\n  date,type,coin,amuont,price\n"
          + String(repeating: " ", count: 17) + "^"
      ),
      (
        "date,exchange\n",
        "t.csv:1:6: unknown column \"exchange\"; the columns are id, date, type, coin, amount, price, fee, notes, currency, label, group, total\n"
          + "  date,exchange\n" + String(repeating: " ", count: 7) + "^"
      ),
      (
        "date,type,coin,amount,price,fee\n2025-01-01,buy,bitcoin,1,1,-1\n",
        "t.csv:2:28: fee: it must be zero or above, not -1\n  2025-01-01,buy,bitcoin,1,1,-1\n"
          + String(repeating: " ", count: 29) + "^"
      ),
      (
        "id,date,type,coin,amount,price\n7,2025-01-01,buy,bitcoin,1,1\n",
        "t.csv:2:1: id: \"7\" is not a UUID\n  7,2025-01-01,buy,bitcoin,1,1\n  ^"
      ),
      (
        "id,date,type,coin,amount,price\n1a000000-0000-8000-8000-000000000000,2025-01-01,buy,x,1,1\n"
          + "1A000000-0000-8000-8000-000000000000,2025-01-01,buy,y,1,1\n",
        "t.csv:3:1: the transaction is on line 2 already\n"
          + "  1A000000-0000-8000-8000-000000000000,2025-01-01,buy,y,1,1\n  ^"
      ),
    ])
  func `A bad file is refused in whole words`(text: String, message: String) {
    #expect(faults(text) == message)
  }

  @Test func `Bytes that are not text are refused`() {
    #expect(throws: CSVFaults(issues: [ConfigurationIssue(file: "f", message: "the file is not UTF-8 text")])) {
      _ = try TransactionCSV.transactions([0x61, 0xFF], file: "f", now: Make.now)
    }
  }

  @Test func `All faults of a file are reported at once, up to twenty`() {
    let row = "2025-01-01,hold,bitcoin,x,0\n"
    #expect(faults(header + row + row).split(separator: "\n").count == 2 * 3 * 3)
    let many = faults(header + String(repeating: row, count: 100))
    #expect(many.split(separator: "\n").filter { $0.hasPrefix("t.csv:") }.count == 20)
  }

  @Test func `A header of ten thousand unknown columns gives twenty faults and short lines`() {
    let said = faults(String(repeating: "x,", count: 10_000) + "x\n").split(separator: "\n")
    #expect(said.count == 20 * 3)
    #expect(said.allSatisfy { $0.count < 130 })
    // One line of a million characters, with a fault at its end.
    let coin = String(repeating: "c", count: 1_000_000)
    let long = faults(header + "2025-01-01,buy,\(coin),1,x\n").split(separator: "\n")
    #expect(long.map(\.count).max() ?? 0 < 130)
    #expect(long.last?.hasSuffix("^") == true)
  }

  @Test func `A line separator of Unicode is text, and the line shown is the one with the fault`() {
    let said = faults("notes," + header + "a\u{2028}b,2025-01-01,buy,x,1,1\nc,2025-01-01,hold,x,1,1\n")
    #expect(said.split(separator: "\n").dropFirst().first == "  c,2025-01-01,hold,x,1,1")
  }
}

@Suite struct `Importing` {
  private let folder: TemporaryFolder
  private let store: TransactionStore

  init() throws {
    folder = try TemporaryFolder()
    store = TransactionStore(file: UserDataFile(path: folder.path + "/bitpal.db"))
  }

  private func rows(_ text: String) throws -> [ImportedTransaction] {
    try TransactionCSV.transactions(Array(text.utf8), file: "t.csv", now: Make.now)
  }

  private let text = """
    date,type,coin,amount,price
    2025-01-01,buy,bitcoin,1,10
    2025-01-01,buy,bitcoin,1,10
    2025-01-02,sell,bitcoin,2,20
    """

  @Test func `The same file twice adds nothing, and equal rows are rows of their own`() throws {
    let first = try store.add(rows(text), currency: "usd", now: Make.now)
    #expect(first.added.count == 3 && first.known == 0)
    let second = try store.add(rows(text), currency: "usd", now: Make.now)
    #expect(second.added.isEmpty && second.known == 3)
    let third = try store.add(rows(text + "\n2025-01-03,buy,pepe,5,1"), currency: "usd", now: Make.now)
    #expect(third.added.map(\.transaction.coinId) == ["pepe"] && third.known == 3)
  }

  @Test func `An export gives the same transactions in another file`() throws {
    _ = try store.add(rows(text), currency: "usd", now: Make.now)
    let exported = TransactionCSV.text(try store.transactions(), currency: "usd")
    let other = TransactionStore(file: UserDataFile(path: folder.path + "/other.db"))
    _ = try other.add(rows(exported), currency: "usd", now: Make.now)
    #expect(try other.transactions() == store.transactions())
    #expect(try store.add(rows(exported), currency: "usd", now: Make.now).added.isEmpty)
  }

  @Test func `A file that sells what is not held is refused whole, and a dry run stores nothing`() throws {
    let bad = text + "\n2025-01-03,sell,bitcoin,0.5,1"
    #expect(throws: PortfolioError.self) { try store.add(rows(bad), currency: "usd", now: Make.now) }
    #expect(try store.transactions().isEmpty)
    #expect(try store.add(rows(text), currency: "usd", now: Make.now, isDryRun: true).added.count == 3)
    #expect(try store.transactions().isEmpty)
  }
}
