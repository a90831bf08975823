import BitpalModel
import FoundationEssentials
import Testing

@Suite struct `Numbers for people` {
  @Test(arguments: [
    ("C", "12,345,678.5", "999"), ("de_DE.UTF-8", "12.345.678,5", "999"),
    ("de-CH", "12\u{2019}345\u{2019}678.5", "999"),
    ("en_IN", "1,23,45,678.5", "999"), ("hi", "1,23,45,678.5", "999"), ("en_GB", "12,345,678.5", "999"),
    ("fr_FR", "12\u{202F}345\u{202F}678,5", "999"),
  ])
  func `Marks follow the locale`(locale: String, long: String, short: String) throws {
    let marks = try #require(DigitMarks.of(locale: locale))
    NumberFormat.$marks.withValue(marks) {
      #expect(NumberFormat.price(12_345_678.5, digits: 1) == long)
      #expect(NumberFormat.price(999) == short && NumberFormat.price(-1000).contains(marks.grouping))
    }
    #expect(DigitMarks.of(locale: "tlh") == nil)
  }

  @Test(arguments: [
    ("67187.3358936566", "67,187.34"), ("67187.005", "67,187.00"), ("999.995", "1,000.00"), ("10.00500001", "10.01"),
    ("1.034712", "1.0347"), ("0.9998749", "0.99987"), ("0.000012345", "0.000012345"), ("0.0000123451", "0.000012345"),
    ("9.87654321", "9.8765"), ("2.4e-09", "0.0000000024"), ("1.23456e-17", "0.000000000000000012346"),
    ("-5.123456", "-5.1235"), ("1234567.005", "1,234,567.00"),
  ])
  func `A price has two decimals, and five significant digits below ten`(text: String, shown: String) throws {
    #expect(NumberFormat.price(try Decimal(strict: text)) == shown)
  }

  @Test(arguments: [
    ("61713", "61,713"), ("61713.00", "61,713"), ("0.5", "0.5"), ("0.1", "0.1"), ("67187.3", "67,187.3"), ("1", "1"),
    ("0", "0"), ("-5.5", "-5.5"), ("1e20", "100,000,000,000,000,000,000"), ("0.00000001", "0.00000001"),
  ])
  func `A price is not written with digits that its source did not send`(text: String, shown: String) throws {
    #expect(NumberFormat.price(try Decimal(strict: text)) == shown)
  }

  @Test(arguments: [("9.99999", "10.00"), ("0.999999", "1.0000"), ("0.0099999951", "0.010000"), ("9.9999", "9.9999")])
  func `A price that is rounded up to the next power of ten has that one's digits`(text: String, shown: String) throws {
    #expect(NumberFormat.price(try Decimal(strict: text)) == shown)
  }

  @Test(arguments: [
    ("67187.3358936566", 0, "67,187"), ("67187.3358936566", 4, "67,187.3359"), ("61713", 2, "61,713.00"),
    ("0.000012345", 2, "0.00"), ("0.5", 0, "0"), ("1.5", 0, "2"), ("2.4e-09", 18, "0.000000002400000000"),
    ("1", 19, "1.000000000000000000"), ("1", -1, "1"),
  ])
  func `Decimals that were asked for are kept to`(text: String, digits: Int, shown: String) throws {
    #expect(NumberFormat.price(try Decimal(strict: text), digits: digits) == shown)
  }

  @Test(arguments: [("3.5", "+3.5"), ("-3.5", "-3.5"), ("0", "0")])
  func `The change of a price has a sign`(text: String, shown: String) throws {
    #expect(NumberFormat.priceChange(try Decimal(strict: text)) == shown)
    #expect(NumberFormat.priceChange(try Decimal(strict: "0.001"), digits: 2) == "0.00")
  }

  @Test(arguments: [
    ("1922890123456", "1.92 T"), ("34123456789.5", "34.1 B"), ("5200000", "5.2 M"), ("19677843.5", "19.7 M"),
    ("999999999999", "1 T"), ("999499999", "999 M"), ("999999", "999,999"), ("523123.456", "523,123.46"),
    ("589534000000000", "590 T"), ("30123456789012345", "30,100 T"), ("21000", "21,000"), ("0", "0"),
    ("-1922890123456", "-1.92 T"), ("0.5", "0.5"),
  ])
  func `A large amount is written short`(text: String, shown: String) throws {
    #expect(NumberFormat.short(try Decimal(strict: text)) == shown)
  }

  @Test(arguments: [
    ("1.50000000", "1.5"), ("0.123456789", "0.12345679"), ("1000000", "1,000,000"), ("1e-12", "<0.00000001"),
    ("0", "0"), ("-1e-12", ">-0.00000001"),
  ])
  func `A quantity has up to eight decimals and is never shown as nothing`(text: String, shown: String) throws {
    #expect(NumberFormat.quantity(try Decimal(strict: text)) == shown)
  }

  @Test(arguments: [
    ("3.12502", "+3.13%"), ("-0.78878", "-0.79%"), ("0.001", "0.00%"), ("-0.001", "0.00%"), ("1234.5", "+1,234.50%"),
  ])
  func `A percentage has a sign and two decimals, and the sign that is shown is that of its colour`(
    text: String, shown: String
  ) throws {
    #expect(NumberFormat.percent(try Decimal(strict: text)) == shown)
    #expect(NumberFormat.isRise(shown) == (shown.first == "+" ? true : shown.first == "-" ? false : nil))
  }

  @Test(arguments: [
    ("5", "+5.00", "5.00"), ("-1234.567", "-1,234.57", "-1,234.57"), ("-0.004", "-0.0040", "-0.0040"),
    ("0", "0.00", "0.00"),
  ])
  func `Amounts have two decimals or show a fraction of a cent, profits a sign`(
    text: String, signed: String, plain: String
  ) throws {
    #expect(NumberFormat.signedAmount(try Decimal(strict: text)) == signed)
    #expect(NumberFormat.amount(try Decimal(strict: text)) == plain)
  }

  @Test func `A sale is shown with so many decimals that it adds up`() throws {
    func scale(_ parts: [String], _ sum: String) throws -> Int? {
      NumberFormat.scale(ofParts: try parts.map { try Decimal(strict: $0) }, addingTo: try Decimal(strict: sum))
    }
    #expect(try scale(["300.001", "-200"], "100.001") == nil)
    #expect(try scale(["0.300012", "-0.3"], "0.000012") == 6)
    // 0.0034 less 0.0012 is 0.0022, and with one decimal less 0.003 less 0.001 would be 0.002.
    #expect(try scale(["0.00345", "-0.00125"], "0.0022") == 4)
    #expect(try scale(["0.00344", "-0.00126"], "0.00218") == 5)
  }

  @Test func `Prices of a column have two decimals where one of them has some`() throws {
    let prices = try ["38000", "51845.9", "119.72", "0.000012"].map { try Decimal(strict: $0) }
    let least = NumberFormat.decimals(ofColumn: prices)
    #expect(
      prices.map { NumberFormat.price($0, digits: nil, least: least) } == [
        "38,000.00", "51,845.90", "119.72", "0.000012",
      ])
    #expect(NumberFormat.decimals(ofColumn: [38_000, 12]) == 0)
  }
}
