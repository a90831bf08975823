import FoundationEssentials
import Testing

@testable import BitpalModel

/// The decimal nearest to a text, and whether it was rounded.
private func nearest(_ text: String) throws -> (plain: String, isRounded: Bool) {
  var text = text
  let found = try text.withUTF8 { try Decimal.nearest(toUTF8: $0) }
  return (found.value.plainText, found.isRounded)
}

@Suite struct `Reading numbers with more digits than fit` {
  private static let thirtySeven = "1234567890123456789012345678901234567"

  @Test(arguments: [
    (thirtySeven + "8", thirtySeven + "8", false), (thirtySeven + "84", thirtySeven + "80", true),
    (thirtySeven + "85", thirtySeven + "80", true),
    (thirtySeven + "95", "12345678901234567890123456789012345680" + "0", true),
    (thirtySeven + "8500001", thirtySeven + "9000000", true), (thirtySeven + "86", thirtySeven + "90", true),
    ("0.\(thirtySeven)85", "0.\(thirtySeven)8", true), ("-0.\(thirtySeven)851", "-0.\(thirtySeven)9", true),
    ("0.99999999999999999999999999999999999999999", "1", true),
    (
      "42652.123456789012345678901234567890123456789012345678901234567890", "42652.123456789012345678901234567890123",
      true
    ),
    ("0.10000000000000000000000000000000000000000000000000", "0.1", false),
    ("15e-129", "0." + String(repeating: "0", count: 126) + "02", true),
    ("10e-129", "0." + String(repeating: "0", count: 127) + "1", false), ("3.97e-06", "0.00000397", false),
  ])
  func `Digits beyond the 38th are rounded half-even, and the loss is reported`(
    text: String, plain: String, rounded: Bool
  )
    throws
  {
    let found = try nearest(text)
    #expect(found.plain == plain)
    #expect(found.isRounded == rounded)
  }

  @Test(arguments: ["1e400", "1e-400", "4e-129", "9e165"])
  func `A number that is too large, or rounds to zero, is out of range`(text: String) {
    #expect(throws: DecimalError.outOfRange(text)) { try nearest(text) }
  }

  @Test(arguments: ["", "true", "{}", "1,5", "12a", "0x10", "NaN"])
  func `A text that is not a number is malformed`(text: String) {
    #expect(throws: DecimalError.malformed(text)) { try nearest(text) }
  }
}
