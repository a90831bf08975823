import BitpalModel
import FoundationEssentials
import TestSupport
import Testing

@testable import BitpalProviders

@Suite struct `A file of prices` {
  private func read(
    _ text: String, _ form: PriceFile.Form = .journal, _ defaults: PriceFile.Defaults = .none
  ) -> PriceFile {
    PriceFile(Array(text.utf8), name: "prices.db", form: form, defaults: defaults)
  }

  /// The only price of a file, as `commodity price currency instant`.
  private func only(_ line: String) throws -> String {
    let file = read(line + "\n")
    #expect(file.faults.isEmpty, "\(file.faults)")
    let (commodity, prices) = try #require(file.prices.first)
    let price = try #require(prices.first)
    #expect(file.prices.count == 1 && prices.count == 1)
    return "\(commodity) \(price.price.plainText) \(price.currency) \(price.instant.iso8601)"
  }

  @Test(arguments: [
    ("P 2025/01/15 22:00:00-0800 BTC $96,000.00", "BTC 96000 usd 2025-01-16T06:00:00Z"),
    ("P 2025/01/15 12:00:00 BTC $96,000.00", "BTC 96000 usd 2025-01-15T12:00:00Z"),
    ("P 2025-01-15 12:30 BTC 96000.00 USD", "BTC 96000 usd 2025-01-15T12:30:00Z"),
    ("P 2025.1.5 BTC USD 96000 ; by hand", "BTC 96000 usd 2025-01-05T00:00:00Z"),
    ("P 2025-01-15 \"fx:eur\" 1.0412 USD", "fx:eur 1.0412 usd 2025-01-15T00:00:00Z"),
    ("P 2025-01-15 \"COMM\" 1.0 EUR", "COMM 1 eur 2025-01-15T00:00:00Z"),
    ("P 2025-01-15 € $1.0412", "EUR 1.0412 usd 2025-01-15T00:00:00Z"),
    ("P 2025-01-15 AAPL 237.87€", "AAPL 237.87 eur 2025-01-15T00:00:00Z"),
    ("P 2025-01-15 BRK.B £ 371.5", "BRK.B 371.5 gbp 2025-01-15T00:00:00Z"),
    ("P 2025-01-15 SHIB 0.000021873451 USD", "SHIB 0.000021873451 usd 2025-01-15T00:00:00Z"),
    ("P 2025-01-15 BTC 96.000,50 EUR", "BTC 96000.5 eur 2025-01-15T00:00:00Z"),
    ("P 2025-01-15 BTC 96 000,5 EUR", "BTC 96000.5 eur 2025-01-15T00:00:00Z"),
    ("P 2025-01-15 BTC ¥15,000,000", "BTC 15000000 jpy 2025-01-15T00:00:00Z"),
    ("P 2025-01-15 BTC 1,00,00,000.00 INR", "BTC 10000000 inr 2025-01-15T00:00:00Z"),
    ("P 2025-01-15 BTC 96000. USD", "BTC 96000 usd 2025-01-15T00:00:00Z"),
    ("P 2025-01-15 DOGE .36 USD", "DOGE 0.36 usd 2025-01-15T00:00:00Z"),
    ("P 2025-01-15 BTC 007.50 USD", "BTC 7.5 usd 2025-01-15T00:00:00Z"),
    (
      "P 2025-01-15 BTC 12345678901234567890.123456789012345678 USD",
      "BTC 12345678901234567890.123456789012345678 usd 2025-01-15T00:00:00Z"
    ),
    ("2025-01-15 price BTC 96000.00 USD", "BTC 96000 usd 2025-01-15T00:00:00Z"),
    ("2025-01-15   price   BRK.B  96,000 USD ; a comma parts groups", "BRK.B 96000 usd 2025-01-15T00:00:00Z"),
  ])
  func `A directive of any of the three is read`(line: String, means: String) throws {
    #expect(try only(line) == means)
  }

  @Test func `Everything else of a journal is passed over`() {
    let file = read(
      """
      ; P 2025-01-15 BTC 1 USD
      # P 2025-01-15 BTC 2 USD
      * P 2025-01-15 BTC 3 USD
      D 1,000.00 USD
      account assets:crypto
      Payee
      2025-01-15 price adjustment
          assets:cash   1 USD
      2025-01-15 * "Price" "of a thing"
      comment
      P 2025-01-15 BTC 4 USD
      end comment
      P 2025-01-15 BTC 5 USD
      """)
    #expect(file.faults.isEmpty)
    #expect(file.prices["BTC"]?.map(\.price) == [5])
    #expect(file.prices["BTC"]?.map(\.line) == [13])
  }

  @Test(arguments: [
    ("P 2025-01-15 BTC 96,000 USD", 18, "is 96000 to ledger and 96.000 to hledger"),
    ("P 2025-13-15 BTC 96000 USD", 3, "is not a date"),
    ("P 01-15 BTC 96000 USD", 3, "has no year"),
    ("P 2025-01-15 25:00 BTC 96000 USD", 14, "is not a time"),
    ("P 2025-01-15 BTC", 17, "the number is missing"),
    ("P 2025-01-15 BTC 96000", 23, "has no currency"),
    ("P 2025-01-15 BTC 1.2.3,4,5 USD", 18, "is not a number"),
    ("P 2025-01-15 BTC 1,234,5 USD", 18, "is not a number"),
    ("P 2025-01-15 BTC 1.2.3,4 USD", 18, "is not a number"),
    ("P 2025-01-15 BTC 1000,00.5 USD", 18, "is not a number"),
    ("P 2025-01-15 BTC ,36 USD", 18, "is not a number"),
    ("P 2025-01-15 BTC 0,123456 USD", 18, "is 0123456 to ledger and 0.123456 to hledger"),
    ("P 2025-01-15 BTC 1234,567 USD", 18, "is 1234567 to ledger and 1234.567 to hledger"),
    (" P 2025-01-15 BTC 96000 USD", 1, "begins in the first column"),
    ("2025-01-15 price BTC .92 USD", 22, "a number and a currency"),
    ("2025-01-15 price BTC 1385580,489 USD", 22, "a number and a currency"),
    ("2025-01-15 price BTC 9,35,970 USD", 22, "a number and a currency"),
    ("2025-01-15 price BTC 3.659.330,66 USD", 22, "a number and a currency"),
    ("P 2025-01-15 BTC 974.760, USD", 18, "is not a number"),
    ("2025-01-15 price BTC USD 92", 22, "a number and a currency"),
    ("2025-01-15 price btc 96000 USD", 18, "is not a commodity of Beancount"),
    ("P 2025-01-15 BTC 0 USD", 18, "above zero"),
    ("P 2025-01-15 BTC $-5", 18, "above zero"),
    ("P 2025-01-15 BTC 96000 USD EUR", 28, "unexpected text after the price"),
    ("P 2025-01-15 \"BTC 96000 USD", 14, "never closed"),
    ("2025-01-15 price BTC 96000/2 USD", 30, "unexpected text after the price"),
  ])
  func `A wrong line is reported with its place and does not hide others`(line: String, column: Int, words: String)
    throws
  {
    let file = read("P 2025-01-14 BTC 1 USD\n\(line)\nP 2025-01-16 BTC 3 USD\n")
    let fault = try #require(file.faults.first)
    #expect(file.faults.count == 1 && file.dropped == 1)
    #expect(fault.line == 2 && fault.column == column, "\(fault)")
    #expect(fault.message.contains(words), "\(fault.message)")
    #expect(file.prices["BTC"]?.map(\.price) == [1, 3])
  }

  @Test func `A line that is too long is reported, and one that is not a directive is skipped`() {
    let long = String(repeating: "a", count: 2000)
    let file = read("P 2025-01-15 \(long) 1 USD\nPayee \(long)\n2025-01-15 \(long)\n")
    #expect(file.faults.map(\.line) == [1])
  }

  @Test func `A decimal mark that is declared says what a comma is`() {
    let file = read("decimal-mark ,\nP 2025-01-15 BTC 96,000 EUR\ndecimal-mark .\nP 2025-01-16 BTC 96,000 EUR\n")
    #expect(file.faults.isEmpty)
    #expect(file.prices["BTC"]?.map(\.price) == [96, 96_000])
  }

  @Test(arguments: [
    ("commodity 1.000,00 EUR\nP 2025-01-15 BTC 97.000 EUR", "97000"),
    ("commodity EUR\n  ; euros\n  format 1.000,00 EUR\nP 2025-01-15 BTC 97.000 EUR", "97000"),
    ("commodity EUR\n\taccount x\n\tformat €1.000,00\nP 2025-01-15 BTC €97.000", "97000"),
    ("D 1.000,00 EUR\nP 2025-01-15 BTC 97.000 EUR", "97000"),
    ("D 1,000.00 EUR\nP 2025-01-15 BTC 975,000 EUR", "975000"),
    ("D 1,000.00 EUR\nP 2025-01-15 BTC 975,000 USD", "975000"),
    ("D $1,000.00\nP 2025-01-15 BTC $975,000", "975000"),
    ("commodity $1,000.00\ncommodity 1.000,00 EUR\nP 2025-01-15 BTC $975,000", "975000"),
    ("decimal-mark ,\ncommodity 1,000.00 EUR\nP 2025-01-15 BTC 97.000 EUR", "97000"),
    ("commodity 1000. EUR\nP 2025-01-15 BTC 97,000 EUR", "97000"),
    ("P 2025-01-15 BTC 97.000 EUR\ncommodity EUR", "97"),
    ("commodity EUR\n  format 1,000.00 EUR\nP 2025-01-15 BTC 3.727,7023 EUR", "3727.7023"),
    ("D 1.000,00 EUR\nP 2025-01-15 BTC 97,5 USD", "97.5"),
    ("\u{FEFF}P 2025-01-15 BTC 97 EUR", "97"),
  ])
  func `A directive says which mark stands before the decimals`(text: String, price: String) {
    let file = read(text + "\n")
    #expect(file.faults.isEmpty, "\(file.faults)")
    #expect(file.prices["BTC"]?.map(\.price.plainText) == [price])
  }

  @Test(arguments: [
    "P 2025-01-14 ETH 0,5 EUR\nP 2025-01-15 BTC 97.000 EUR",
    "P 2025-01-15 BTC 97.000 EUR\nP 2025-01-16 ETH 3.000,50 EUR",
    "2025-01-01 rent\n    expenses:rent  1.000,50 EUR\n    assets:cash\nP 2025-01-15 BTC 97.000 EUR",
    "D 1.000,00 EUR\nP 2025-01-15 BTC 97.000 USD",
    "D 1.000,00 EUR\nP 2025-01-15 BTC 97.03 USD",
    "D 1,000 EUR\nP 2025-01-15 BTC 97,000 EUR",
    "commodity $1,000.00\nP 2025-01-15 BTC 97,000 EUR",
    "commodity EUR\n  format 1,000.00 EUR\nP 2025-01-15 BTC 975,00 EUR",
    "commodity EUR\n  format 1.000,00 EUR\nP 2025-01-15 BTC 97.50 EUR",
    "D 1,000.00 EUR\nD 1.000,00 USD\nP 2025-01-15 BTC 3087971.775 EUR",
    "D 1.000,00 EUR\nD 1,000.00 USD\nP 2025-01-15 BTC 1188814.812 EUR",
    "D 1,000.00 EUR\n2025-01-01 rent\n    expenses:rent  7,5 EUR\n    assets:cash\nP 2025-01-15 BTC 734,250 EUR",
  ])
  func `A number that may be of two sizes is refused with its line`(text: String) throws {
    let file = read(text + "\n")
    let line = try #require(text.split(separator: "\n").firstIndex { $0.contains("BTC") }) + 1
    #expect(file.faults.map(\.line) == [line])
    #expect(file.prices["BTC"] == nil)
  }

  @Test(arguments: [
    (" 75 GBp", "GBp"), (" 75 GBP", "gbp"), (" 75 gbp", "gbp"), (" Eur 75", "Eur"), ("  £75", "gbp"),
    (" 75 \"ZAc\"", "ZAc"),
  ])
  func `A unit in capitals or small letters is the currency, and one of both is its own`(amount: String, unit: String) {
    #expect(read("P 2025-01-15 VOD\(amount)\n").prices["VOD"]?.map(\.currency) == [unit])
  }

  @Test func `CSV takes pence for a unit of their own`() {
    let file = read("date,commodity,price,currency\n2025-01-15,VOD,75,GBp\n2025-01-15,BP,500,GBP\n", .csv)
    #expect(file.prices["VOD"]?.map(\.currency) == ["GBp"])
    #expect(file.currencies == ["GBp", "gbp"])
  }

  @Test func `A price inside a string of Beancount is none, and is counted`() {
    let file = read(
      """
      2025-01-14 * "Shop" "bought
      2025-01-15 price BTC 1 USD
      P 2025-01-15 BTC 2 USD
      as \\"agreed\\""
      2025-01-15 price BTC 3 USD
      2025-01-16 note Assets:Cash "price
      2025-01-16 price BTC 4 USD"
      2025-01-17 price BTC 5 USD
      """)
    #expect(file.prices["BTC"]?.map(\.price) == [3, 5])
    #expect(file.faults.map(\.line) == [2, 3, 7])
  }

  @Test func `A quote in a description of hledger hides no price`() {
    let file = read(
      """
      2025-01-14 * 6" pipe
      P 2025-01-15 BTC 1 USD
      2025-01-15 * "unfinished
      P 2025-01-16 BTC 2 USD
      """)
    #expect(file.faults.isEmpty)
    #expect(file.prices["BTC"]?.map(\.line) == [2, 4])
  }

  @Test func `Prices below a comment that never ends are counted`() {
    let file = read("P 2025-01-15 BTC 1 USD\ncomment\nP 2025-01-16 BTC 2 USD\nP 2025-01-17 BTC 2 USD\n")
    #expect(
      file.faults.map(\.description) == ["prices.db:2:1: the comment that begins here never ends; prices in it: 2"])
  }

  @Test func `The last row of one instant in the file takes precedence`() {
    let file = read("P 2025-01-15 BTC 1 USD\nP 2025-01-14 BTC 2 USD\nP 2025-01-15 BTC 3 USD\n")
    #expect(file.prices["BTC"]?.map(\.price) == [2, 1, 3])
  }

  @Test func `Rows of CSV are read by the names of their columns`() {
    let file = read(
      "Price,currency,note,DATE,commodity\r\n96000.5,USD,\"a, \"\"b\"\"\",2025-01-15,BTC\r\n,USD,,2025-01-15,ETH\r\n"
        + "1.5,$,,2025-01-15T10:30:00Z,'=x\r\n", .csv)
    #expect(file.prices["BTC"]?.first?.price == Decimal(string: "96000.5"))
    #expect(file.prices["=x"]?.first?.currency == "usd")
    #expect(file.faults.map(\.line) == [3])
    #expect(file.faults.map(\.column) == [1])
  }

  @Test func `The provider file supplies what a CSV leaves out`() {
    let history = "date,price\n2025-01-14,95174.814645520324\n"
    #expect(read(history, .csv).faults.first?.message.contains("the header lacks commodity") == true)
    let file = read(history, .csv, PriceFile.Defaults(commodity: "bitcoin", currency: "usd"))
    #expect(file.prices["bitcoin"]?.first?.price.plainText == "95174.814645520324")
  }

  @Test func `Many faults are counted and the first are reported`() {
    let file = read(String(repeating: "P 2025-01-15 BTC\n", count: 30))
    #expect(file.dropped == 30)
    #expect(file.faults.count == PriceFile.mostFaults)
  }

  @Test func `Whatever bytes come, reading ends, and every fault has a line of the file`() {
    let whole = Array(
      "P 2025-01-15 12:00 \"a b\" $96,000.50 ; x\n2025-01-15 price BTC 1,2 USD\ncomment\nend comment\ndecimal-mark ,\n"
        .utf8)
    for bytes in Mutations(of: whole, putting: 0..<128) {
      for form in [PriceFile.Form.journal, .csv] {
        let file = PriceFile(
          bytes, name: "f", form: form, defaults: PriceFile.Defaults(commodity: "c", currency: "usd"))
        #expect(file.faults.allSatisfy { ($0.line ?? 1) <= 12 && ($0.column ?? 1) > 0 })
        #expect(file.prices.values.joined().allSatisfy { $0.price > 0 && !$0.currency.isEmpty })
      }
    }
  }

  @Test func `Bytes that are not text are a fault of the whole file`() {
    let file = PriceFile([0x50, 0x20, 0xFF], name: "prices.db", form: .journal, defaults: .none)
    #expect(file.faults.map(\.message) == ["the file is not UTF-8 text"])
  }
}

extension PriceFile.Defaults {
  fileprivate static let none = PriceFile.Defaults(commodity: nil, currency: nil)
}
