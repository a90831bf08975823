import BitpalModel
import FoundationEssentials

/// A count of the rates at which payments cancel out.
///
/// The balance is a sum of powers of the daily growth, and so is its derivative. Powers grow with the rate, so the sums of
/// the positive and of the negative terms at both ends of an interval are bounds for all rates in between: an interval
/// has no root where the balance keeps its sign, at most one where the derivative does, and is halved otherwise.
struct PaymentRoots {
  /// The sums of the terms at one rate: of the balance, and of the rate times its derivative.
  private struct Sums {
    var plus = DecimalParts.zero
    var minus = DecimalParts.zero
    var plusSlope = DecimalParts.zero
    var minusSlope = DecimalParts.zero

    var sign: Int { Self.sign(plus, minus) }

    static func sign(_ left: DecimalParts, _ right: DecimalParts) -> Int {
      switch left.compared(to: right) {
      case .less: -1
      case .equal: 0
      case .greater: 1
      }
    }
  }

  /// The amounts, each with the power of the rate that it is multiplied by, the lowest first.
  private let terms: [(power: Int, amount: DecimalParts)]

  /// Returns the number of rates, or 2 for two and more and where they cannot be distinguished.
  ///
  /// - Parameter flows: The payments by day, and what is left as the last, below zero.
  static func count(of flows: [Growth.Payment]) -> Int {
    guard let first = flows.first?.day, let last = flows.last?.day else { return 0 }
    // Below a growth of one the values of the last day are small, above it those of the first.
    let losses = PaymentRoots(terms: flows.reversed().map { (last - $0.day, $0.amount) })
    let gains = PaymentRoots(terms: flows.map { ($0.day - first, $0.amount) })
    return min(2, losses.count(withEnd: true) + gains.count(withEnd: false))
  }

  /// The most evaluations; a book of decades takes some hundred.
  private static let limit = 4_000

  /// The width of an interval below which roots are not distinguished.
  private static let narrowest = DecimalParts(isNegative: false, coefficient: 1, exponent: -10)

  /// Returns the number of roots from zero to one, at most 2.
  private func count(withEnd: Bool) -> Int {
    let (zero, one) = (DecimalParts.zero, Growth.one)
    let end = sums(at: one)
    var found = withEnd && end.sign == 0 ? 1 : 0
    var intervals = [(low: zero, lowSums: sums(at: zero), high: one, highSums: end)]
    var evaluations = 0
    while let (low, lowSums, high, highSums) = intervals.popLast(), found < 2 {
      if Sums.sign(lowSums.plus, highSums.minus) > 0 || Sums.sign(highSums.plus, lowSums.minus) < 0 { continue }
      let isMonotone =
        Sums.sign(lowSums.plusSlope, highSums.minusSlope) > 0 || Sums.sign(highSums.plusSlope, lowSums.minusSlope) < 0
      if isMonotone {
        if lowSums.sign == 0 || lowSums.sign * highSums.sign < 0 { found += 1 }
        continue
      }
      evaluations += 1
      guard let middle = low.adding(high)?.valued(at: Growth.half)?.folded, evaluations < Self.limit,
        high.subtracting(low)?.compared(to: Self.narrowest) == .greater
      else { return 2 }
      let sums = sums(at: middle)
      intervals += [(low, lowSums, middle, sums), (middle, sums, high, highSums)]
    }
    return found
  }

  private func sums(at rate: DecimalParts) -> Sums {
    var sums = Sums()
    var factor = Growth.one
    var power = 0
    for term in terms {
      factor = Growth.power(rate, term.power - power).flatMap { Growth.product(factor, $0) } ?? .zero
      power = term.power
      let size = DecimalParts(isNegative: false, coefficient: term.amount.coefficient, exponent: term.amount.exponent)
      let value = Growth.product(size, factor) ?? .zero
      let slope = value.valued(at: DecimalParts(Decimal(power)) ?? .zero)?.roundedTo18 ?? .zero
      if term.amount.isBelowZero {
        sums.minus = sums.minus.totalling(value) ?? sums.minus
        sums.minusSlope = sums.minusSlope.totalling(slope) ?? sums.minusSlope
      } else {
        sums.plus = sums.plus.totalling(value) ?? sums.plus
        sums.plusSlope = sums.plusSlope.totalling(slope) ?? sums.plusSlope
      }
    }
    return sums
  }
}
