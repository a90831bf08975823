import BitpalImport
import BitpalModel
import BitpalPortfolio
import Foundation
import TestSupport
import Testing

@Suite struct `What is imported twice is there once` {
  /// Rows of purchases, rewards and exchanges in the columns of the tests' own import.
  private func rows(_ generator: inout Sequence64, _ count: Int) -> [String] {
    (0..<count).map { _ in
      let day = 1 + generator.next() % 28
      let amount = "0.\(1 + generator.next() % 9)\(generator.next() % 3)"
      let coin = ["BTC", "ETH", "DOGE"][Int(generator.next() % 3)]
      let date = "2025-01-\(day < 10 ? "0" : "")\(day)"
      return switch generator.next() % 3 {
      case 0: "\(date),\(1 + generator.next() % 3)00,USD,\(amount),\(coin),,,,,,,"
      case 1: "\(date),,,\(amount),\(coin),,,\(1 + generator.next() % 5),USD,reward,,"
      default: "\(date),\(1 + generator.next() % 3)00,USD,\(amount),\(coin),0.5,USD,,,,a note,"
      }
    }
  }

  /// The same numbers in every run (SplitMix64).
  private struct Sequence64 {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }

  private func read(_ rows: [String]) throws -> [ImportedTransaction] {
    let bytes = Array(([Reading.header] + rows).joined(separator: "\n").utf8)
    let sheet = try Reading.sheet(bytes, by: Reading.specification(), Reading.options())
    return try sheet.transactions(ids: Dictionary(uniqueKeysWithValues: sheet.coins.map { ($0, $0.lowercased()) }))
  }

  @Test(arguments: 1...20)
  func `A longer export adds what is new, and an export of ours nothing`(seed: Int) throws {
    var generator = Sequence64(state: UInt64(seed))
    let folder = try TemporaryFolder()
    let store = TransactionStore(file: UserDataFile(path: folder.path + "/bitpal.db"))
    func add(_ rows: [ImportedTransaction]) throws -> (added: Int, known: Int) {
      let result = try store.add(rows, currency: "usd", now: Reading.now)
      return (result.added.count, result.known)
    }
    // Few days and amounts, so that many rows are alike in everything.
    let early = rows(&generator, 40)
    let late = rows(&generator, 30)
    #expect(try add(try read(early)) == (40, 0))
    #expect(try add(try read(early)) == (0, 40))
    #expect(try add(try read(early + late)) == (30, 40))
    #expect(try add(try read(late + early)) == (0, 70))
    let export = TransactionCSV.text(try store.transactions(), currency: "usd")
    let ours = try TransactionCSV.transactions(Array(export.utf8), file: "t.csv", now: Reading.now, currency: "usd")
    #expect(try add(ours) == (0, 70))
    #expect(try store.transactions().count == 70)
  }
}

@Suite struct `An import from one file` {
  private func guess(_ text: String) throws -> ImportGuess {
    try ImportGuess(Array(text.utf8), name: "t.csv", id: "mine")
  }

  @Test func `Dates, words of trade, a decimal comma and a title are found`() throws {
    let guess = try guess(
      "Account of Alice;;;;;\nBooked date;Side;Asset;Quantity;Price;Fee\n14.01.2025 09:30;Purchase;ETH;0,5;3.200,50;1,25\n"
        + "15.01.2025 09:30;Sale;ETH;0,1;3.210,00;0,00\n")
    #expect(
      guess.fields.map { "\($0.name) \($0.source) \($0.sure)" } == [
        "fee Fee certain", "price Price certain", "amount Quantity certain", "coin Asset certain",
        "date Booked date likely",
        "type Side certain",
      ])
    let doubt = "no column is amount × price, so nothing proves that the amount counts coins; look at its TODO"
    #expect(guess.hasExample && guess.notes == [doubt])
    for part in [
      "delimiter: \";\"", "dates: dmy", "decimal: comma", "WHEN 'Purchase' THEN 'buy'", "WHEN 'Sale' THEN 'sell'",
    ] {
      #expect(guess.text.contains(part), "\(part)")
    }
  }

  @Test func `What cannot be known is a comment to do, and the file has what is sure`() throws {
    let guess = try guess("Date,Type,Coin,Amount,Price\n01/02/2025,Burn,BTC,1,\"1,234\"\n")
    #expect(
      guess.notes == [
        "its dates can be read in several ways; dates: has to say which",
        "its numbers can be read with a comma or a point; decimal: has to say which",
        "say what is \"Burn\": buy, sell, receive, send or skip",
        "no column is amount × price, so nothing proves that the amount counts coins; look at its TODO",
        "no row of it comes out yet, so that it has no example",
      ])
    #expect(guess.text.contains("# TODO dates: dmy") && guess.text.contains("-- TODO WHEN 'Burn'"))
  }

  @Test func `A file whose types are all unknown becomes an import that runs`() throws {
    let guess = try guess("Date,Type,Coin,Amount,Price\n2025-01-15,Bl,BTC,1,2\n")
    let lines = guess.text.components(separatedBy: "\n").drop { $0 != "select: |" }.dropFirst()
    let select = lines.prefix { $0.hasPrefix("  ") }.joined(separator: "\n")
    var specification = ImportSpecification(id: "mine", name: "mine", select: DeclaredText(select))
    specification.headers = [["Date", "Type", "Coin", "Amount", "Price"]]
    #expect(throws: Never.self) { try ImportReader(specification) }
  }

  @Test func `A row with a control character is not an example, and its type none that is known`() throws {
    let row = "2025-01-15,buy,BTC,1,2,second"
    let guess = try guess(
      "Date,Type,Coin,Amount,Price,Notes\n2025-01-14,bu\u{1}y,BTC,1,2,x\n2025-01-14,buy,BTC,1,2,a\u{1}b\n\(row)\n")
    #expect(guess.hasExample && !guess.text.contains("\u{1}") && guess.text.contains(row))
  }

  @Test func `A header with a control character is refused with its line`() {
    #expect {
      try guess("Da\u{13}te,Type,Coin,Amount,Price\n2025-01-15,buy,BTC,1,2\n")
    } throws: { error in
      "\(error)".hasPrefix("t.csv:1: the column Da") && "\(error)".contains("control character")
    }
  }

  @Test func `The amount is the column that times the price is another, whatever the names say`() throws {
    let guess = try guess(
      "Date,Type,Amount Fiat,Fiat,Amount Asset,Asset,Asset market price\n2025-01-14,buy,100.00,EUR,0.00105263,BTC,95000.00\n"
        + "2025-01-15,buy,50.00,EUR,0.0147,ETH,3401.36\n")
    #expect(guess.text.contains("number(\"Amount Asset\") AS amount") && !guess.text.contains("TODO nothing"))
    #expect(guess.fields.contains { $0.name == "amount" && $0.why == "times the price it is Amount Fiat" })
    #expect(guess.text.contains("amount: 0.00105263, price: 95000"))
  }

  @Test func `Of several columns that may be the amount none is taken without a proof`() throws {
    let guess = try guess(
      "Date,Type,Amount Fiat,Fiat,Amount Asset,Asset\n2025-01-14,buy,100.00,EUR,0.00105263,BTC\n")
    #expect(guess.text.contains("'TODO' AS amount"))
    #expect(guess.notes.contains { $0.hasPrefix("several columns may be the amount") } && !guess.hasExample)
  }

  @Test func `What was sent and received is found as such`() throws {
    let guess = try guess(
      "Time,Sent amount,Sent currency,Received amount,Received currency,Fee,Fee currency\n2025-01-01 08:00:00,100,USD,0.1,ETH,1,USD\n"
    )
    #expect(guess.text.contains("number(\"Sent amount\") AS sent") && guess.hasExample)
  }

  @Test func `A file without rows, and one without a header, is told`() {
    #expect(throws: BitpalError.self) { _ = try self.guess("Date,Amount\n") }
    #expect(throws: BitpalError.self) { _ = try self.guess("nothing\nhere\n") }
  }
}
