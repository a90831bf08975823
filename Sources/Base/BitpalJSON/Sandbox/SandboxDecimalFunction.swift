import BitpalModel
import CSQLite
package import FoundationEssentials

/// The SQL functions for exact arithmetic on decimal text.
///
/// An argument is a number's own text (`row.value->'$.price'`), a JSON string that holds one, or an integer. A
/// floating-point argument is refused because it has lost digits; NULL and JSON null give NULL. `decimal_sum` adds up the
/// numbers of one text with commas between them, as `group_concat` makes it.
enum SandboxDecimalFunction: CaseIterable {
  case percentChange
  case add
  case subtract
  case multiply
  case divide
  case sum

  /// The number of arguments.
  var count: Int32 { self == .sum ? 1 : 2 }

  var name: String {
    switch self {
    case .percentChange: "percent_change"
    case .add: "decimal_add"
    case .subtract: "decimal_sub"
    case .multiply: "decimal_mul"
    case .divide: "decimal_div"
    case .sum: "decimal_sum"
    }
  }

  private enum Argument {
    case number(Decimal)
    case null
    case unusable(String)
  }

  func run(_ call: SandboxCall) {
    if self == .sum { return addUp(call) }
    switch (argument(0, of: call), argument(1, of: call)) {
    case (.number(let left), .number(let right)):
      if let result = result(left, right) {
        call.result(result.plainText)
      } else if self != .percentChange {
        call.fail("\(name)(\(left.plainText), \(right.plainText)) has no exact result")
      }
    case (.unusable(let message), _), (_, .unusable(let message)):
      call.fail(message)
    case (.null, _), (_, .null):
      break
    }
  }

  private func addUp(_ call: SandboxCall) {
    guard let text = call.text(0) else { return }
    var sum = Decimal.zero
    for part in String(decoding: text, as: UTF8.self).split(separator: ",") {
      guard let number = try? Decimal(strict: String(part)), let next = sum.exactSum(number) else {
        return call.fail("\(name) was given \(String(part).printable(limit: 40)), which it cannot add")
      }
      sum = next
    }
    call.result(sum.plainText)
  }

  private func argument(_ index: Int, of call: SandboxCall) -> Argument {
    // The type must be read before the text, which may change it.
    let type = call.type(index)
    if type == SQLITE_FLOAT {
      return .unusable("\(name) was given a floating-point number; write -> instead of ->>")
    }
    guard let text = call.text(index) else { return .null }
    if type == SQLITE_BLOB, text.starts(with: SandboxCall.failureMark) {
      return .unusable(String(decoding: text.dropFirst(SandboxCall.failureMark.count), as: UTF8.self))
    }
    return JSONEscape.withContent(of: text) { bytes, isQuoted in
      if !isQuoted, bytes.elementsEqual("null".utf8) { return .null }
      guard let number = try? Decimal.nearest(toUTF8: bytes) else {
        let shown = String(decoding: bytes.prefix(60), as: UTF8.self).printable(limit: 40)
        return .unusable("\(name) was given \(shown), which is not a number")
      }
      if number.isRounded { call.guardian.hasRounded = true }
      return .number(number.value)
    }
  }

  private func result(_ left: Decimal, _ right: Decimal) -> Decimal? {
    switch self {
    case .percentChange: right.percentChange(since: left)
    case .add: left.exactSum(right)
    case .subtract: left.exactSum(.zero - right)
    case .multiply: left.exactProduct(right)
    case .divide: try? left.divided(by: right)
    case .sum: nil
    }
  }
}

/// Arithmetic that gives nil rather than a rounded result.
extension Decimal {
  /// Returns the product; nil when it has more digits than fit.
  package func exactProduct(_ other: Decimal) -> Decimal? {
    guard let left = DecimalParts(self), let right = DecimalParts(other) else { return nil }
    return left.multiplied(by: right)?.decimal
  }

  /// Returns the sum; nil when it has more digits than fit.
  func exactSum(_ other: Decimal) -> Decimal? {
    guard var left = DecimalParts(self), var right = DecimalParts(other) else { return nil }
    left.foldTrailingZeros()
    right.foldTrailingZeros()
    if left.coefficient == 0 { return other }
    if right.coefficient == 0 { return self }
    let exponent = min(left.exponent, right.exponent)
    guard left.scale(to: exponent), right.scale(to: exponent) else { return nil }
    if left.isNegative == right.isNegative {
      let (sum, overflow) = left.coefficient.addingReportingOverflow(right.coefficient)
      return overflow
        ? nil : DecimalParts(isNegative: left.isNegative, coefficient: sum, exponent: exponent).decimal
    }
    let isLeftLarger = left.coefficient >= right.coefficient
    let difference =
      isLeftLarger ? left.coefficient - right.coefficient : right.coefficient - left.coefficient
    let isNegative = isLeftLarger ? left.isNegative : right.isNegative
    return DecimalParts(isNegative: isNegative, coefficient: difference, exponent: exponent).decimal
  }
}

extension DecimalParts {
  /// Lowers the exponent to `target`; returns false when the coefficient would not fit.
  fileprivate mutating func scale(to target: Int) -> Bool {
    while exponent > target {
      let (product, overflow) = coefficient.multipliedReportingOverflow(by: 10)
      if overflow { return false }
      coefficient = product
      exponent -= 1
    }
    return true
  }
}
