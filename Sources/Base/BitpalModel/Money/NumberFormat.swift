public import FoundationEssentials

/// The format of numbers in tables and messages: thousands separated by commas, or by the `marks` of a locale that the
/// user has chosen; never an exponent.
///
/// Rounding is half-even and happens only here; formats for programs use ``FoundationEssentials/Decimal/plainText``. A
/// price or quantity is never written with digits that its source did not send: a whole number stays whole.
public enum NumberFormat {
  /// The marks of numbers in the current task.
  @TaskLocal package static var marks = DigitMarks.standard

  /// Returns digits with the marks of the current task.
  package static func text(_ parts: DecimalParts?, minimumFraction: Int = 0) -> String {
    let marks = marks
    let text =
      parts?.folded.text(minimumFraction: minimumFraction, grouping: true, inPairs: marks.hasPairs) ?? "NaN"
    guard marks != .standard else { return text }
    return text.map { $0 == "," ? marks.grouping : $0 == "." ? marks.decimal : String($0) }.joined()
  }

  /// The valid numbers of decimals.
  package static let digitsRange = 0...18

  /// Formats a price: 2 decimals from 10 up, 5 significant digits below, and no more digits than it has.
  ///
  /// `67187.335` → `67,187.34`, `61713` → `61,713`, `1.034712` → `1.0347`, `0.5` → `0.5`, `0.0000123451` → `0.000012345`.
  ///
  /// With `digits` the price has that number of decimals instead, 0 to 18.
  public static func price(_ value: Decimal, digits: Int? = nil) -> String {
    if let digits { return fixed(value, scale: min(max(digits, digitsRange.lowerBound), digitsRange.upperBound)) }
    // A value that is rounded up to the next power of ten has one digit too many: 9.99999 is 10.00.
    let scale = priceScale(of: value.rounded(scale: priceScale(of: value)))
    return fixed(value, scale: min(scale, value.decimals))
  }

  /// Formats a price of a column of money.
  ///
  /// - Parameter least: The least number of decimals, in place of those that the price has.
  package static func price(_ value: Decimal, digits: Int?, least: Int) -> String {
    if digits != nil { return price(value, digits: digits) }
    let scale = priceScale(of: value.rounded(scale: priceScale(of: value)))
    return fixed(value, scale: max(least, min(scale, value.decimals)))
  }

  /// Returns the least number of decimals in a column of money: two where one of the prices has some.
  package static func decimals(ofColumn prices: [Decimal]) -> Int { prices.contains { $0.decimals > 0 } ? 2 : 0 }

  /// Formats the change of a price: a price with its sign, or without one for zero.
  package static func priceChange(_ value: Decimal, digits: Int? = nil) -> String {
    let text = price(value, digits: digits)
    return value > 0 && text.utf8.contains(where: { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) })
      ? "+" + text : text
  }

  /// Formats a quantity of coins: up to 8 decimals without trailing zeros; `<0.00000001` for a quantity that would
  /// otherwise read 0.
  public static func quantity(_ value: Decimal) -> String {
    let rounded = value.rounded(scale: 8)
    if rounded == 0, value != 0 { return value < 0 ? ">-0.00000001" : "<0.00000001" }
    return text(DecimalParts(rounded))
  }

  // Not in the loop: see `Duration.units`.
  private static let largeUnits = [("T", 12), ("B", 9), ("M", 6)]

  /// Formats a large amount: 3 significant digits and a unit from a million up (`1.92 T`, `34.1 B`, `5.2 M`), otherwise
  /// at most 2 decimals.
  public static func short(_ value: Decimal) -> String {
    let rounded = value.rounded(scale: 2 - value.leadingPlace)
    for (unit, place) in largeUnits where value.leadingPlace >= 6 && rounded.leadingPlace >= place {
      guard let parts = DecimalParts(rounded) else { break }
      let count = DecimalParts(
        isNegative: parts.isNegative, coefficient: parts.coefficient, exponent: parts.exponent - place)
      return text(count) + " " + unit
    }
    return fixed(value, scale: min(2, value.decimals))
  }

  /// Formats a total, value or cost: 2 decimals, or two significant digits below a cent.
  public static func amount(_ value: Decimal) -> String { amount(value, scale: nil) }

  /// Formats an amount with some decimals; nil for those of ``amount(_:)``.
  package static func amount(_ value: Decimal, scale: Int?) -> String {
    fixed(value, scale: scale ?? amountScale(of: value))
  }

  /// Formats a profit or loss as ``amount(_:)``, with a sign; no sign for zero.
  package static func signedAmount(_ value: Decimal, scale: Int? = nil) -> String {
    (value > 0 ? "+" : "") + amount(value, scale: scale)
  }

  /// Returns a profit or loss as it is shown beside a value: zero for one below the digits with which that is shown.
  package static func gain(_ gain: Decimal?, beside value: Decimal?) -> Decimal? {
    guard let gain, let value else { return gain }
    return gain.rounded(scale: amountScale(of: value)) == 0 ? 0 : gain
  }

  /// Returns the decimals of a sum and its parts where one of them is a fraction of a cent: so many that they add up as they
  /// are shown; nil for the usual ones.
  package static func scale(ofParts parts: [Decimal], addingTo sum: Decimal) -> Int? {
    let least = (parts + [sum]).map { amountScale(of: $0) }.max() ?? 2
    guard least > 2 else { return nil }
    return (least...digitsRange.upperBound).first { scale in
      parts.reduce(0) { $0 + $1.rounded(scale: scale) } == sum.rounded(scale: scale)
    } ?? least
  }

  /// Formats a percentage: 2 decimals, a sign (none for zero) and `%`.
  public static func percent(_ value: Decimal) -> String {
    let rounded = value.rounded(scale: 2)
    return (rounded > 0 ? "+" : "") + fixed(rounded, scale: 2) + "%"
  }

  /// Returns whether a formatted change is a rise: true for a plus, false for a minus, nil without a sign, as where
  /// rounding leaves zero.
  ///
  /// Colours and arrows follow it, so that none stands beside 0.00%.
  package static func isRise(_ text: String) -> Bool? {
    text.hasPrefix("+") ? true : text.hasPrefix("-") ? false : nil
  }

  /// Returns the decimals of an amount of money: a fraction of a cent is shown, so that many of them add up.
  private static func amountScale(of value: Decimal) -> Int {
    value == 0 || value.leadingPlace >= -2 ? 2 : min(digitsRange.upperBound, spanScale(value))
  }

  /// Formats a percentage with at least two significant digits: `0.00012` → `+0.00012%`, `12.3456` → `+12.35%`.
  ///
  /// - Parameter digits: The least number of decimals.
  package static func finePercent(_ value: Decimal, digits: Int = 2) -> String {
    let scale = max(digits, min(digitsRange.upperBound, 1 - value.leadingPlace))
    return (value > 0 ? "+" : "") + fixed(value, scale: min(scale, max(digits, value.decimals))) + "%"
  }

  /// Returns the decimals with which different prices are different texts; nil where their usual format suffices.
  ///
  /// Their span has two significant digits then, and two prices that are still equal get up to two more: `1000.012`
  /// and `1000.0144` have four decimals. Never more than the prices have.
  package static func digits(tellingApart prices: [Decimal]) -> Int? {
    guard let low = prices.min(), let high = prices.max(), low < high else { return nil }
    let needed = spanScale(high - low)
    let usual = prices.map { priceScale(of: $0) }.min() ?? 0
    func areApart(_ digits: Int?) -> Bool { Set(prices).count == Set(prices.map { price($0, digits: digits) }).count }
    if needed <= usual, areApart(nil) { return nil }
    let most = min(digitsRange.upperBound, prices.map(\.decimals).max() ?? 0)
    let least = min(most, max(needed, usual))
    return (least...min(most, least + 2)).first { areApart($0) } ?? least
  }

  /// Returns the decimals that show two significant digits of a span above zero.
  package static func spanScale(_ span: Decimal) -> Int { max(0, 1 - span.leadingPlace) }

  private static func priceScale(of value: Decimal) -> Int {
    let place = value.leadingPlace
    return place >= 1 ? 2 : 4 - place
  }

  /// Formats a value rounded to `scale` decimals, with at least that many.
  private static func fixed(_ value: Decimal, scale: Int) -> String {
    text(DecimalParts(value.rounded(scale: scale)), minimumFraction: scale)
  }
}

extension Decimal {
  /// The number of digits after the point, without trailing zeros.
  fileprivate var decimals: Int { max(0, -(DecimalParts(self)?.folded.exponent ?? 0)) }

  /// The position of the first significant digit: 0 for 1…9 and for zero, 1 for 10…99, -1 for 0.1…0.9.
  fileprivate var leadingPlace: Int {
    guard let parts = DecimalParts(self), parts.coefficient != 0 else { return 0 }
    return parts.digitCount + parts.exponent - 1
  }
}

extension Decimal {
  /// All digits of the value, without exponent, separators or trailing zeros after the point: `0.000012345`, `-3.5`.
  ///
  /// JSON, CSV and all files contain this text; tables and messages use ``NumberFormat``.
  public var plainText: String {
    DecimalParts(self)?.folded.text(minimumFraction: 0, grouping: false) ?? "NaN"
  }
}

extension DecimalParts {
  /// Returns all digits, with at least `minimumFraction` of them after the point.
  ///
  /// - Parameters:
  ///   - grouping: Whether thousands are separated.
  ///   - inPairs: Whether the digits above them are, in pairs.
  package func text(minimumFraction: Int, grouping: Bool, inPairs: Bool = false) -> String {
    withDigits { digits in
      let zero = UInt8(ascii: "0")
      let zeros = coefficient == 0 ? 0 : max(0, exponent)
      // The number of digits before the point.
      let before = max(0, digits.count + min(0, exponent))
      let places = max(0, -exponent)
      let most = 2 * (digits.count + zeros) + max(places, minimumFraction) + 3
      return String(unsafeUninitializedCapacity: most) { text in
        var count = 0
        func add(_ byte: UInt8) {
          text[count] = byte
          count += 1
        }
        if isNegative, coefficient != 0 { add(UInt8(ascii: "-")) }
        if before == 0 { add(zero) }
        for index in 0..<(before + zeros) {
          let left = before + zeros - index
          if grouping, index > 0, inPairs && left > 3 ? left % 2 == 1 : left % 3 == 0 { add(UInt8(ascii: ",")) }
          add(index < before ? digits[index] : zero)
        }
        guard places > 0 || minimumFraction > 0 else { return count }
        add(UInt8(ascii: "."))
        for _ in 0..<(places - (digits.count - before)) { add(zero) }
        for digit in digits[before...] { add(digit) }
        for _ in 0..<max(0, minimumFraction - places) { add(zero) }
        return count
      }
    }
  }

  /// Calls `body` with the digits of the coefficient in ASCII, at least one.
  private func withDigits<Result>(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 39) { digits in
      var start = digits.count
      var rest = coefficient
      func add(_ digit: UInt8) {
        start -= 1
        digits[start] = UInt8(ascii: "0") + digit
      }
      // Nearly all coefficients fit 64 bits, which are divided many times faster.
      while rest > UInt128(UInt64.max) {
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        add(UInt8(digit))
        rest = quotient
      }
      var small = UInt64(rest)
      repeat {
        add(UInt8(small % 10))
        small /= 10
      } while small > 0
      return body(UnsafeMutableBufferPointer(rebasing: digits[start...]))
    }
  }

  /// The number of digits of the coefficient: 1 for zero.
  package var digitCount: Int { max(1, coefficient.decimalDigits) }
}
