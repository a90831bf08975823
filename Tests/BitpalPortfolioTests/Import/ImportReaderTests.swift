import BitpalModel
import BitpalPortfolio
import Foundation
import Testing

@Suite struct `An import is a SELECT over the rows of a file` {
  @Test(
    arguments: [
      ("2025-01-01,1000,USD,0.5,ETH,,,,,,,", ["buy 0.5 eth @2000"]),
      ("2025-01-01,0.5,BTC,25000,USD,12,USD,,,,,", ["sell 0.5 btc @50000 fee 12"]),
      ("2025-01-01,,,2,ETH,,,3000,USD,reward,,", ["receive 2 eth @1500 reward"]),
      ("2025-01-01,1,BTC,,,0.0001,BTC,,,transfer,,", ["send 1 btc transfer", "send 0.0001 btc fee"]),
      (
        "2025-01-01,1,ETH,0.05,BTC,0.001,ETH,2000,USD,,,",
        ["sell 1 eth @2000 swap", "buy 0.05 btc @40000 swap", "send 0.001 eth fee"]
      ),
      ("2025-01-01,,,500,USD,,,,,,,", []), ("2025-01-01,100,EUR,108,USD,,,,,,,", []),
      ("2025-01-01,1,ETH,1,ETH,,,,,,,", []), ("2025-01-01,1,ETH,0.9,ETH,,,,,,,", ["send 0.1 eth fee"]),
      ("2025-01-01,1,ETH,0.9,ETH,0.01,BTC,,,,,", ["send 0.1 eth fee", "send 0.01 btc fee"]),
    ])
  func `The sent and received amounts decide the type of a transaction`(row: String, expected: [String]) throws {
    #expect(Reading.words(try Reading.transactions(row)) == expected)
  }

  @Test func `The parts of one trade share a group of their own`() throws {
    let rows = try Reading.transactions(
      "2025-01-01,1,ETH,0.05,BTC,0.001,ETH,2000,USD,,,", "2025-01-02,1,ETH,0.05,BTC,,,2000,USD,,,",
      "2025-01-03,10,USD,1,DOGE,,,,,,,")
    let groups = rows.map(\.transaction.group)
    #expect(Set(groups[0...2]).count == 1 && groups[0] == rows[0].transaction.shortID)
    #expect(groups[3] == groups[4] && groups[3] != groups[0])
    #expect(groups[5] == nil)
  }

  @Test func `A fee in money of a row of its own belongs to the transaction of its group`() throws {
    let rows = try Reading.transactions(
      "2025-01-01,,,,,2.5,USD,,,,,g1", "2025-01-01,1000,USD,0.5,ETH,,,,,,,g1", "2025-01-01,,,,,1,USD,,,,,g9")
    #expect(Reading.words(rows) == ["buy 0.5 eth @2000 fee 2.5"])
  }

  @Test func `Two rows alike are two transactions, the same file gives the same ids, a longer one the same and more`()
    throws
  {
    let row = "2025-01-01,1000,USD,0.5,ETH,,,,,,,"
    let first = try Reading.transactions(row, row)
    #expect(Set(first.map(\.transaction.id)).count == 2)
    #expect(try Reading.transactions(row, row) == first)
    let longer = try Reading.transactions("2024-12-31,10,USD,1,DOGE,,,,,,,", row, row, row)
    #expect(Set(first.map(\.transaction.id)).isSubset(of: longer.map(\.transaction.id)))
    #expect(Set(longer.map(\.transaction.id)).count == 4)
  }

  @Test func `A value from the user does not change the identity of a row`() throws {
    let rows = ["2025-01-01,,,2,ETH,,,,,reward,,", "2025-01-02,1,ETH,0.05,BTC,,,,,,,"]
    func ids(_ price: Decimal) throws -> [UUID] {
      try Reading.transactions(rows[0], rows[1], options: Reading.options(value: .close)) { _, _ in price }
        .map(\.transaction.id)
    }
    #expect(try ids(2000) == ids(2100))
    let priced = try Reading.transactions(rows[0], rows[1], options: Reading.options(value: .close)) { coin, date in
      coin == "eth" && date.iso8601 < "2025-01-02" ? 2000 : 2500
    }
    #expect(
      Reading.words(priced) == ["receive 2 eth @2000 reward", "sell 1 eth @125 swap", "buy 0.05 btc @2500 swap"])
    let free = try Reading.transactions(rows[0], options: Reading.options(value: .zero))
    #expect(Reading.words(free) == ["receive 2 eth @0 reward"])
    #expect(free[0].transaction.id == priced[0].transaction.id)
  }

  @Test func `An exchange is worth what came in, or its stablecoin, or the side that has a price`() throws {
    let rows = ["2025-01-01,2,TETHER,1,ETH,,,,,,,", "2025-01-02,1,ETH,3,DOGE,,,,,,,", "2025-01-03,1,DOGE,1,BTC,,,,,,,"]
    var options = Reading.options(value: .close)
    options.prices = ["BTC": 7]
    let read = try Reading.transactions(rows[0], rows[1], rows[2], options: options) { coin, _ in
      ["tether": 1, "eth": 9, "btc": 100][coin]
    }
    #expect(
      Reading.words(read) == [
        "sell 2 tether @1 swap", "buy 1 eth @2 swap", "sell 1 eth @9 swap", "buy 3 doge @3 swap", "sell 1 doge @7 swap",
        "buy 1 btc @7 swap",
      ])
  }

  @Test func `A side of zero is one, and a side that is missing is none`() throws {
    let rows = ["2025-01-01,0,USD,2,ETH,,,,,,,", "2025-01-02,1,ETH,0,USD,,,,,,,", "2025-01-03,1,ETH,,,,,,,,,"]
    #expect(
      Reading.words(try Reading.transactions(rows[0], rows[1], rows[2])) == [
        "receive 2 eth @0", "send 1 eth @0", "send 1 eth",
      ])
  }

  @Test func `The rows of one instant are reversed in a file with the latest row first`() throws {
    let rows = try Reading.transactions(
      "2025-01-02 08:00:00,0.5,ETH,1000,USD,,,,,,,", "2025-01-02 08:00:00,1000,USD,0.5,ETH,,,,,,,",
      "2025-01-01,10,USD,1,DOGE,,,,,,,")
    #expect(Reading.words(rows) == ["buy 1 doge @10", "buy 0.5 eth @2000", "sell 0.5 eth @2000"])
    #expect(rows.map(\.line) == [4, 3, 2])
  }

  @Test(
    arguments: [
      ("2025-01-17 16:57:02 UTC", "2025-01-17T16:57:02Z"), ("2025-01-17T16:57:02.5Z", "2025-01-17T16:57:02.500Z"),
      ("2025-01-17 16:57:02-04:00", "2025-01-17T20:57:02Z"), ("2025/1/7", "2025-01-07T00:00:00Z"),
      ("20250117", "2025-01-17T00:00:00Z"), ("17.01.2025 16:57", "2025-01-17T16:57:00Z"),
      ("1/17/2025 4:57:02 PM", "2025-01-17T16:57:02Z"), ("1/17/2025 12:00 AM", "2025-01-17T00:00:00Z"),
    ])
  func `A date that can only be one is that one`(text: String, expected: String) throws {
    let rows = try Reading.transactions("\(text),10,USD,1,DOGE,,,,,,,")
    #expect(rows.map(\.transaction.date.iso8601) == [expected])
  }

  @Test func `The order of a date's parts is what the user says, or what no other date of the file leaves open`() throws
  {
    let rows = ["02/01/2025,10,USD,1,DOGE,,,,,,,", "17/01/2025,10,USD,1,DOGE,,,,,,,"]
    #expect(
      try Reading.faults(rows[0]) == [
        "2:1: date: every date of the file may be read in several ways; say how: --dates dmy (day, month, year) or "
          + "--dates mdy (month, day, year)"
      ])
    func days(_ rows: String..., dates: DateOrder? = nil) throws -> [String] {
      let bytes = Array(([Reading.header] + rows).joined(separator: "\n").utf8)
      let sheet = try Reading.sheet(bytes, by: Reading.specification(), Reading.options(dates: dates))
      return try sheet.transactions(ids: ["DOGE": "doge"]).map { String($0.transaction.date.iso8601.prefix(10)) }
    }
    #expect(try days(rows[0], dates: .mdy) == ["2025-02-01"])
    #expect(try days(rows[0], rows[1]) == ["2025-01-02", "2025-01-17"])
    #expect(
      try Reading.faults(rows[1], options: Reading.options(dates: .mdy)) == [
        "2:1: date: read as month, day, year it is not a day; say how: --dates dmy (day, month, year)"
      ])
    #expect(
      try Reading.faults(rows[1], "1/17/2025,10,USD,1,DOGE,,,,,,,")
        == ["3:1: date: its parts stand in another order than those of line 2"])
  }

  @Test func `An ambiguous comma is reported, never guessed`() throws {
    let row = "2025-01-01,\"1.000,50\",USD,\"0,5\",ETH,,,,,,,"
    #expect(
      try Reading.faults(row).map { String($0.prefix(32)) }
        == ["2:12: sent: \"1.000,50\" is not a ", "2:27: received: \"0,5\" is not a n"])
    let rows = try Reading.transactions(row, options: Reading.options(decimal: .comma))
    #expect(Reading.words(rows) == ["buy 0.5 eth @2001"])
  }

  @Test(arguments: [
    ("2025-01-01,\"1,204\",USD,2,ETH,,,,,,,", true), ("2025-01-01,\"1,204\",USD,0.5,ETH,,,,,,,", false),
    ("2025-01-01,\"1,204.50\",USD,2,ETH,,,,,,,", false), ("2025-01-01,\"3,49\",USD,0.5,ETH,,,,,,,", true),
  ])
  func `A comma that may part thousands is a question unless another number has a point`(
    row: String, isQuestion: Bool
  ) throws {
    let faults = try Reading.faults(row, by: Reading.specification(decimal: .point))
    #expect(faults.contains { $0.contains("say what its comma is") } == isQuestion)
  }
}

@Suite struct `Every fault of a file is reported with its place` {
  @Test(
    arguments: [
      ("soon,10,USD,1,DOGE,,,,,,,", "2:1: date: \"soon\" is not a date like 2025-01-15 10:30:00"),
      (",10,USD,1,DOGE,,,,,,,", "2:1: date: it is empty"),
      (
        "2026-01-01,10,USD,1,DOGE,,,,,,,",
        "2:1: date: 2026-01-01 00:00:00Z is in the future; it is 2025-06-01 00:00:00Z now"
      ),
      ("2025-01-01,ten,USD,1,DOGE,,,,,,,", "2:12: sent: \"ten\" is not a number"),
      ("2025-01-01,-10,USD,1,DOGE,,,,,,,", "2:12: sent: it must be zero or above, not -10"),
      ("2025-01-01,10,,1,DOGE,,,,,,,", "2:12: sent_coin: it is empty"),
      ("2025-01-01,10,USD,,DOGE,,,,,,,", "2:20: received: it is empty, and how much DOGE it was is not known"),
      ("2025-01-01,10,USD,1,DOGE,0.1,,,,,,", "2:26: fee: of which coin or currency it is, the row does not say"),
      ("2025-01-01,10,EUR,1,DOGE,,,,,,,", "2:15: currency: the row is in eur, the portfolio in usd"),
      ("2025-01-01,,,1,DOGE,,,5,EUR,,,", "2:25: currency: the row is in eur"),
      ("2025-01-01,10,USD,1,DOGE,0.1,EUR,,,,,", "2:30: currency: the row is in eur"),
      ("2025-01-01,,,1,DOGE,,,5,USD,fee,,", "2:29: \"fee\" is not a label of receive"),
      ("2025-01-01,,,1,DOGE,,,5,USD,nice,,", "2:29: label: \"nice\" is not one of reward, airdrop"),
      ("2025-01-01,,,,,,,,,,,", "2:1: the row says neither what was sent nor what was received"),
      ("2025-01-01,,,1,DOGE,,,,,,,", "2:1: the file does not say what this was worth; --value close"),
      ("2025-01-01,10,USD", "2:1: 3 fields where the header has 12"),
      ("2025-01-01,10,U\"SD,1,DOGE,,,,,,,", "2:16: a quote inside a field that does not begin with one"),
      ("2025-01-01,10,\"USD,1,DOGE,,,,,,,", "2:15: a quote that is never closed"),
    ])
  func `A broken row is reported`(row: String, expected: String) throws {
    let faults = try Reading.faults(row)
    #expect(faults.count == 1)
    #expect(faults.first?.hasPrefix(expected) == true, "\(faults)")
  }

  @Test func `All of them at once, of many the first, with how many there are`() throws {
    let rows = (1...100).map { "2025-01-01,\($0 % 2 == 0 ? "10" : "ten"),USD,1,DOGE,,,,,,," }
    let bytes = Array(([Reading.header] + rows).joined(separator: "\r\n").utf8)
    let sheet = try Reading.sheet(bytes, by: Reading.specification(), Reading.options())
    let faults = #expect(throws: CSVFaults.self) { _ = try sheet.transactions(ids: ["DOGE": "doge"]) }
    #expect(faults?.count == 50)
    #expect(faults?.issues.map(\.line) == (0..<20).map { 2 + 2 * $0 })
  }

  @Test func `A row after a broken one has its own line, quotes with line ends in them counted`() throws {
    let faults = try Reading.faults(
      in:
        "\u{FEFF}a title\n\n\(Reading.header)\n2025-01-01,10,USD,1,DOGE,,,,,,\"two\nlines\",\n2025-01-01,x,USD,1,DOGE,,,,,,,\n"
    )
    #expect(faults.map { String($0.prefix(24)) } == ["6:12: sent: \"x\" is not a"])
  }

  @Test func `An unknown coin is reported once, with the number of further rows that name it`() throws {
    let rows = Array(repeating: "2025-01-01,10,USD,1,FOO,,,,,,,", count: 3)
    let bytes = Array(([Reading.header] + rows).joined(separator: "\n").utf8)
    let sheet = try Reading.sheet(bytes, by: Reading.specification(), Reading.options())
    let faults = #expect(throws: CSVFaults.self) {
      _ = try sheet.transactions(ids: [:], unknown: ["FOO": "who is FOO"])
    }
    #expect(faults?.issues.map(\.message) == ["coin: who is FOO (and in 2 more)"])
    #expect(faults?.issues.map(\.column) == [21])
  }

  @Test func `A code of a currency is money, but for one that is a coin's ticker, which the user has to say`() throws {
    let row = "2025-01-01,10,USD,1,GEL,,,,,,,"
    #expect(try Reading.transactions("2025-01-01,10,USD,40,PLN,,,,,,,").isEmpty)
    #expect(try Reading.faults(row).count == 1)
    var options = Reading.options()
    options.money = ["GEL"]
    #expect(try Reading.transactions(row, options: options).isEmpty)
    #expect(Reading.words(try Reading.transactions(row, options: Reading.options(coins: ["GEL"]))) == ["buy 1 gel @10"])
  }

  @Test func `A portfolio that has no currency yet takes the first that the file names`() throws {
    let faults = try Reading.faults(
      "2025-01-01,10,EUR,1,DOGE,,,,,,,", "2025-01-01,10,USD,1,DOGE,,,,,,,", options: Reading.options(nil))
    #expect(faults == ["3:15: currency: the row is in usd, those before it in eur"])
  }

  @Test func `A transfer of one's own that brought more asks what the rest was worth`() throws {
    let row = "2025-01-01,1,ETH,1.5,ETH,,,,,,,"
    #expect(try Reading.faults(row).first?.contains("does not say what this was worth") == true)
    #expect(
      Reading.words(try Reading.transactions(row, options: Reading.options(value: .zero))) == ["receive 0.5 eth @0"])
  }

  @Test func `Money in a minor unit is refused`() throws {
    let faults = try Reading.faults("2025-01-01,725,GBp,10,VOD,,,,,,,", options: Reading.options(nil))
    #expect(faults.count == 1 && faults[0].contains("currency: GBp is 0.01 gbp; write the amount in gbp"), "\(faults)")
  }
}

@Suite struct `A file is known by its header` {
  private func problem(_ bytes: [UInt8], among imports: [ImportSpecification] = [Reading.specification()]) -> String {
    do throws(BitpalError) {
      _ = try ImportRecognition(bytes, name: "t.csv", among: imports)
      return "known"
    } catch {
      return error.description
    }
  }

  @Test(
    arguments: [
      ("", "t.csv: it is empty; nothing was imported"),
      ("\u{FE}\u{FF}", nil), ("a,b\0c\n", "t.csv:1:4: a NUL; is this UTF-16?; nothing was imported"),
      (
        "no columns here\n",
        "t.csv: no line of it is a header: names of columns with , ; or a tab between them; nothing was imported"
      ),
      (
        "When,What\n1,2\n",
        "t.csv: no import knows its header When,What; nothing was imported; \"bitpal imports new NAME t.csv\" begins another; there are bitpal, test"
      ),
    ] as [(String, String?)])
  func `An unknown import is reported, with the known ones`(text: String, expected: String?) {
    let found = problem(Array(text.utf8))
    #expect(expected.map { found == $0 } ?? (found != "known"), "\(found)")
  }

  @Test func `A file with a byte order mark is read, and bytes that are not UTF-8 have their place`() {
    var wide: [UInt8] = [0xFF, 0xFE]
    for unit in "a,b\n1,é\n".utf16 { wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    #expect(problem(wide) == problem(Array("a,b\n1,é\n".utf8)))
    #expect(
      problem([0xFF, 0xFE, 0x41]) == "t.csv: it is declared as utf-16le text, but is not; nothing was imported")
    #expect(
      problem([0xC3, 0xA9, 0x2C, 0xC3, 0x28])
        == "t.csv:1:3: this is not UTF-8; --encoding says what it is, such as windows-1250; nothing was imported")
  }

  @Test func `A header that is nearly known says what it lacks`() {
    let header = Reading.header.replacing("Worth", with: "Value")
    #expect(
      problem(Array(header.utf8)).contains("; nearest is test, which has \"Worth\" in addition; nothing was imported;"))
  }

  @Test(arguments: [",", ";", "\t"])
  func `Case, order, columns more, a title before and the delimiter do not matter`(delimiter: String) throws {
    let names =
      ["NOTE"] + Reading.header.lowercased().split(separator: ",").map(String.init).filter { $0 != "note" } + ["More"]
    let row = ["", "2025-01-01", "10", "USD", "1", "DOGE", "", "", "", "", "", "", "x"]
    let text =
      "A title, with \"quotes\"\n\n" + [names, row].map { $0.joined(separator: delimiter) }.joined(separator: "\n")
    let sheet = try Reading.sheet(Array(text.utf8), by: Reading.specification(), Reading.options())
    #expect(Reading.words(try sheet.transactions(ids: ["DOGE": "doge"])) == ["buy 1 doge @10"])
    #expect(try sheet.transactions(ids: ["DOGE": "doge"]).map(\.line) == [4])
  }

  @Test func `The import with the most matching columns is chosen`() throws {
    var small = Reading.specification()
    small.headers = [["Date", "Out"]]
    let bytes = Array(Reading.header.utf8)
    guard case .known(let found, _) = try ImportRecognition(bytes, name: "t", among: [small, Reading.specification()])
    else {
      Issue.record("not known")
      return
    }
    #expect(found.headers[0].count == 12)
  }

  @Test(
    arguments: [
      "Timezone,Date,Time,Type,Currency,Amount,Price (EUR),EUR received / paid,Fee currency,Fee amount,Status,Transaction ID,Address",
      "Symbol,Type,Quantity,Price,Value,Fees,Date",
      "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance",
    ])
  func `A header with a date, a type and an amount of another program is not ours`(header: String) throws {
    #expect(throws: BitpalError.self) { try ImportRecognition(Array((header + "\n").utf8), name: "t", among: []) }
  }

  @Test func `A file of bitpal is recognized even with a wrong column, which is reported`() throws {
    guard case .own = try ImportRecognition(Array("date,type,coin,amount,prise\n".utf8), name: "t", among: []) else {
      Issue.record("not ours")
      return
    }
  }
}

@Suite struct `The SELECT of an import` {
  private func problem(_ select: String) -> String {
    do throws(BitpalError) {
      _ = try ImportReader(Reading.specification(select))
      return "good"
    } catch {
      return error.description
    }
  }

  @Test(
    arguments: [
      ("SELECT line, \"Date\" AS date FROM rows", "good"),
      ("SELECT line, \"Datum\" AS date FROM rows", "good"),
      ("SELECT 1 AS line", "test.yaml: the SELECT lacks the column \"date\""),
      (
        "SELECT line, date, 1 AS amuont FROM rows",
        "test.yaml: the SELECT gives a column \"amuont\" that has no meaning (did you mean \"amount\"?)"
      ),
      ("DELETE FROM rows", "test.yaml: the SELECT may read the table rows, not DELETE"),
      (
        "SELECT line, date FROM rows; SELECT 1", "test.yaml: the SELECT may read the table rows, not a second statement"
      ),
      (
        "SELECT 1 AS line, name AS date FROM sqlite_master",
        "test.yaml: the SELECT may read the table rows, not the table sqlite_master"
      ),
      (
        "SELECT line, date('now') AS date FROM rows",
        "test.yaml: the SELECT may read the table rows, not the function date"
      ),
      ("SELECT line, date FROM rows WHERE line = :id", "test.yaml: the SELECT of an import has no parameters"),
    ])
  func `It may read the rows and nothing else`(select: String, expected: String) {
    #expect(problem(select) == expected)
  }

  @Test func `Money that went through floating point is refused`() throws {
    let select =
      "SELECT line, \"Date\" AS date, \"Out\" + \"In\" AS sent, \"Out coin\" AS sent_coin, 1 AS received, 'DOGE' AS received_coin FROM rows"
    let faults = try Reading.faults("2025-01-01,10.5,USD,1,DOGE,,,,,,,", by: Reading.specification(select))
    #expect(faults.first?.contains("floating-point") == true)
  }

  @Test func `One without an end is stopped`() throws {
    let select = """
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
      SELECT x AS line, '2025-01-01' AS date FROM n WHERE x < 0
      """
    #expect(throws: BitpalError.self) {
      _ = try Reading.transactions("2025-01-01,,,,,,,,,,,", by: Reading.specification(select))
    }
  }

  @Test func `A row may be a transaction in our own words, and one left out says why`() throws {
    let select = """
      SELECT line, "Date" AS date, "Label" AS type, "Out coin" AS coin, "Out" AS amount, "In" AS price, "Note" AS notes
      FROM rows
      """
    let bytes = Array(
      "\(Reading.header)\n2025-01-01,2,DOGE,0.3,,,,,,buy,,\n2025-01-01,2,DOGE,0.3,,,,,,skip,mere talk,\n".utf8)
    let sheet = try Reading.sheet(bytes, by: Reading.specification(select), Reading.options())
    #expect(Reading.words(try sheet.transactions(ids: ["DOGE": "doge"])) == ["buy 2 doge @0.3"])
    #expect(sheet.skippedRows == [SkippedRow(reason: "mere talk", rows: 1)])
    #expect(
      try Reading.faults("2025-01-01,2,DOGE,0.3,,,,,,burn,,", by: Reading.specification(select))
        == ["2:28: type: \"burn\" is not known to this import"])
  }
}
