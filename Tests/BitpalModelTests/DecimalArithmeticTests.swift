import BitpalModel
import FoundationEssentials
import Testing

@Suite struct `Multiplying` {
  private func product(_ left: String, _ right: String) throws -> String? {
    let left = try #require(DecimalParts(try Decimal(strict: left)))
    return left.multiplied(by: try #require(DecimalParts(try Decimal(strict: right))))?.decimal?.plainText
  }

  @Test(
    arguments: [
      ("1", "700000000000000000", "0.00000000000000000142857142857142857"), ("1", "4", "0.25"),
      ("1", "3", "0.333333333333333333"),
      ("1", "0.0001", "10000"), ("1", "100000000000000000000000000000", "0.00000000000000000000000000001"),
    ])
  func `A ratio keeps digits that count, however small it is`(dividend: String, divisor: String, ratio: String) throws {
    let value = try Decimal(strict: dividend).ratio(to: Decimal(strict: divisor)).plainText
    #expect(value.hasPrefix(ratio))
  }

  @Test(arguments: [
    ("7390198.64564157316646175", "58.36671245100232", "431341599.30594849067900840778999544126"),
    ("58.36671245100232", "-7390198.64564157316646175", "-431341599.30594849067900840778999544126"),
    ("12345678901234567890123456789012345678", "0.1", "1234567890123456789012345678901234567.8"),
    ("12345678901234567890123456789012345675", "2", "24691357802469135780246913578024691350"),
    // Powers of 2 and of 5, whose product as it stands has more than 128 bits.
    ("36893488147419103232", "7450580596923828125", "274877906944000000000000000000000000000"),
    (
      "1329227995784915872903807060280344576", "0.000000000000000007450580596923828125",
      "9903520314283042199.192993792"
    ),
    ("0", "12345678901234567890123456789012345678", "0"),
    ("1e-100", "1e-28", "0." + String(repeating: "0", count: 127) + "1"), ("1e-100", "1e-29", nil),
    ("99999999999999999999", "99999999999999999999", nil),
  ])
  func `A product is exact or none, whatever zeros it ends with`(left: String, right: String, expected: String?) throws
  {
    #expect(try product(left, right) == expected)
  }
}

@Suite struct `Dividing and rounding` {
  @Test(arguments: [
    ("1", "3", 18, "0.333333333333333333"), ("2", "3", 18, "0.666666666666666667"),
    ("1", "999803109.210479620635043153", 38, "0.00000000100019692956313754541967105612"),
    ("10", "4", 0, "2"), ("30", "4", 0, "8"), ("-10", "4", 0, "-2"), ("0.5", "1", 0, "0"), ("1.5", "1", 0, "2"),
    ("2.5", "1", 0, "2"),
    ("1e-20", "1", 18, "0"), ("5e-19", "1", 18, "0"), ("15e-19", "1", 18, "0.000000000000000002"),
    ("100000000000000000000", "0.0000000001", 18, "1000000000000000000000000000000"), ("0", "7", 18, "0"),
    ("1", "8", 18, "0.125"),
    ("12345678901234567890123456789012345678", "1", 18, "12345678901234567890123456789012345678"),
    ("10000000000000000000000000", "3", 18, "3333333333333333333333333.3333333333333"),
    ("1", "1e100", 18, "0"), ("6e-19", "1", 18, "0.000000000000000001"),
  ])
  func `A quotient is right to the last digit, half-even`(left: String, right: String, scale: Int, expected: String)
    throws
  {
    let quotient = try Decimal(strict: left).divided(by: Decimal(strict: right), scale: scale)
    #expect(quotient.plainText == expected)
  }

  @Test func `Dividing by zero is an error`() {
    #expect(throws: DecimalError.divisionByZero) { try Decimal(1).divided(by: 0) }
  }

  @Test func `A quotient times its divisor is within half a unit of the dividend`() throws {
    var seed: UInt64 = 11
    for _ in 0..<3000 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let dividend = Decimal(seed >> 20)
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let divisor = Decimal(seed >> 44 | 1)
      let quotient = try dividend.divided(by: divisor, scale: 6)
      let rest = dividend - quotient * divisor
      let half = try divisor.divided(by: 2_000_000, scale: 12)
      #expect(abs(rest) <= half, "\(dividend) / \(divisor)")
    }
  }

  @Test(arguments: [
    ("1.005", 2, "1"), ("1.015", 2, "1.02"), ("-1.015", 2, "-1.02"), ("1.0050000001", 2, "1.01"), ("12", 2, "12"),
    ("1e-30", 2, "0"),
  ])
  func `Rounding is half-even`(text: String, scale: Int, expected: String) throws {
    #expect(try Decimal(strict: text).rounded(scale: scale).plainText == expected)
  }

  @Test func `A change from zero has no percentage`() {
    #expect(Decimal(5).percentChange(since: 0) == nil)
    #expect(Decimal(5).percentChange(since: 4) == 25)
  }
}
