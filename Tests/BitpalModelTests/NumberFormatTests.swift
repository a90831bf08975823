import BitpalModel
import FoundationEssentials
import Testing

@Suite struct `Numbers for people` {
  @Test(arguments: [
    ("67187.3358936566", "67,187.34"), ("0.45", "0.45"), ("0.000012345", "0.000012345"),
    ("0.0000123451", "0.000012345"), ("1", "1.00"),
    ("0.999999", "1.00"), ("0.4512345", "0.45123"), ("1234567.005", "1,234,567.00"), ("0.00000001", "0.00000001"),
    ("0", "0.00"),
    ("1000000", "1,000,000.00"), ("0.1", "0.10"), ("2.4e-09", "0.0000000024"), ("999.995", "1,000.00"),
    ("-5.5", "-5.50"), ("1e20", "100,000,000,000,000,000,000.00"),
  ])
  func `A price has two decimals, and five significant digits below one`(text: String, shown: String) throws {
    #expect(NumberFormat.price(try Decimal(strict: text)) == shown)
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
  func `A percentage has a sign and two decimals`(text: String, shown: String) throws {
    #expect(NumberFormat.percent(try Decimal(strict: text)) == shown)
  }

  @Test(arguments: [("5", "+5.00", "5.00"), ("-1234.567", "-1,234.57", "-1,234.57"), ("-0.004", "0.00", "0.00")])
  func `Amounts have two decimals, profits a sign`(text: String, signed: String, plain: String) throws {
    #expect(NumberFormat.signedAmount(try Decimal(strict: text)) == signed)
    #expect(NumberFormat.amount(try Decimal(strict: text)) == plain)
  }
}
