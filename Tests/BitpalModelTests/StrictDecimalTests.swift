import BitpalModel
import FoundationEssentials
import Testing

@Suite struct `Reading decimals strictly` {
  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("42652", "42652"), ("42992.0", "42992"), ("69702.67874735729", "69702.67874735729"),
    ("3.97e-06", "0.00000397"), ("1.2E-9", "0.0000000012"), ("4.2e+17", "420000000000000000"),
    ("-339.10884563378204", "-339.10884563378204"),
    ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ("0.10000000000000000000000000000000000000000000000000", "0.1"), ("0e999", "0"),
    ("1e127", "1" + String(repeating: "0", count: 127)),
    ("100000000000000000000000000000000000000000", "1" + String(repeating: "0", count: 41)),
    ("26936.583065788534", "26936.583065788534"), ("17179869184.99999999", "17179869184.99999999"),
  ])
  func `A number keeps every digit of its text`(text: String, plain: String) throws {
    #expect(try Decimal(strict: text).plainText == plain)
  }

  @Test(arguments: [
    "", " ", "1abc", "1,5", ".5", "5.", "+5", "007", "1 ", " 1", "NaN", "nan", "Infinity", "1e", "1e+", "--1", "0x10",
    "1_000", "١٢", "1.2.3", "null",
  ])
  func `A text that is not one whole JSON number is malformed`(text: String) {
    #expect(throws: DecimalError.malformed(text)) { try Decimal(strict: text) }
  }

  @Test(arguments: [
    "123456789012345678901234567890123456789", "0.123456789012345678901234567890123456789", "1e200", "1e-200", "9e165",
    "1e99999999999999999999",
  ])
  func `A number that a decimal cannot hold exactly is out of range, never rounded`(text: String) {
    #expect(throws: DecimalError.outOfRange(text)) { try Decimal(strict: text) }
  }

  @Test func `An error shows the correct form`() {
    #expect(
      DecimalError.malformed("1,5").description
        == "\"1,5\" is not a number (write it like 1234.56, without separators or signs other than -)")
  }

  @Test func `The fast reading of a decimal's parts agrees with its description`() throws {
    var seed: UInt64 = 7
    for _ in 0..<2000 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let digits = String(seed).prefix(1 + Int(seed % 19))
      let text = (seed % 2 == 0 ? "-" : "") + digits + "e" + String(Int(seed >> 32 % 60) % 60 - 40)
      guard let value = try? Decimal(strict: text), let parts = DecimalParts(value) else { continue }
      #expect(parts.decimal == value)
      #expect(Decimal(string: value.plainText) == value)
    }
  }
}
