import BitpalModel
import FoundationEssentials

/// Calculations of growth rates at 18 digits after the point: powers of whole days, and the root of a polynomial.
enum Growth {
  /// Money that was put in, or taken out if negative.
  struct Payment {
    /// The number of the day at whose beginning it was paid, counted from zero.
    let day: Int
    let amount: DecimalParts
  }

  /// Returns `base` to a power of zero or above; nil beyond 38 digits.
  static func power(_ base: DecimalParts, _ exponent: Int) -> DecimalParts? {
    var result = one
    var square = base
    var rest = exponent
    while rest > 0 {
      if rest & 1 == 1 {
        guard let next = product(result, square) else { return nil }
        result = next
      }
      rest >>= 1
      if rest > 0 {
        guard let next = product(square, square) else { return nil }
        square = next
      }
    }
    return result
  }

  /// Returns the product at 18 digits after the point, which keeps room for the next one; nil beyond 38 digits.
  static func product(_ left: DecimalParts, _ right: DecimalParts) -> DecimalParts? {
    left.valued(at: right)?.roundedTo18
  }

  /// Returns the quotient at 18 digits after the point; nil for a divisor of zero and beyond 38 digits.
  static func quotient(_ dividend: DecimalParts, _ divisor: DecimalParts) -> DecimalParts? {
    guard let left = dividend.decimal, let right = divisor.decimal else { return nil }
    return (try? left.divided(by: right)).flatMap { DecimalParts($0) }
  }

  /// The rates at which payments become what is left.
  enum Solution: Equatable {
    /// The only rate, as the daily growth of one unit.
    case rate(DecimalParts)

    /// No rate: money only came in or only went out, or within one day.
    case none

    /// Several rates, or more than can be distinguished.
    case several
  }

  /// Returns the daily growth of one unit by which payments become `end` after `days`, if exactly one does.
  ///
  /// Where the payments change their direction once, there is one (Descartes' rule of signs). Otherwise all are counted;
  /// see ``PaymentRoots``.
  ///
  /// - Parameter payments: By day, all of them before or on the last of `days`.
  static func daily(of payments: [Payment], until days: Int, endingWith end: DecimalParts) -> Solution {
    let flows = merged(payments + [Payment(day: days, amount: end.negated)])
    guard days > 0, let first = flows.first, let last = flows.last else { return .none }
    let changes = zip(flows, flows.dropFirst()).count { $0.amount.isBelowZero != $1.amount.isBelowZero }
    // What was put in and never came back was lost.
    if changes == 0 { return last.amount.isBelowZero || first.day == days ? .none : .rate(.zero) }
    if changes > 1 {
      switch PaymentRoots.count(of: flows) {
      case 0: return .none
      case 1: break
      default: return .several
      }
    }
    return nearest(to: Balance(payments: payments, days: days, end: end)).map { .rate($0) } ?? .none
  }

  /// Returns the payments with those of one day added up, without those of zero.
  private static func merged(_ payments: [Payment]) -> [Payment] {
    var merged: [Payment] = []
    for payment in payments {
      if let last = merged.last, last.day == payment.day {
        merged[merged.count - 1] = Payment(
          day: last.day, amount: last.amount.totalling(payment.amount) ?? payment.amount)
      } else {
        merged.append(payment)
      }
    }
    return merged.filter { !$0.amount.isZero }
  }

  /// Returns the rate nearest to no growth at which nothing is left; nil when none is found.
  private static func nearest(to balance: Balance) -> DecimalParts? {
    guard let still = balance.left(at: one) else { return nil }
    if still.isZero { return one }
    // A positive balance without growth means that money was lost, so the rate is below one; otherwise above.
    for isLoss in [!still.isBelowZero, still.isBelowZero] {
      if let rate = rate(of: balance, isLoss: isLoss, isPositive: !still.isBelowZero) { return rate }
    }
    return nil
  }

  private static func rate(of balance: Balance, isLoss: Bool, isPositive: Bool) -> DecimalParts? {
    var near = one
    var step = DecimalParts(isNegative: false, coefficient: 1, exponent: -5)
    for _ in 0..<widenings {
      guard var rate = isLoss ? one.subtracting(step) : one.adding(step) else { return nil }
      if rate.isBelowZero { rate = .zero }
      guard let left = balance.left(at: rate) else { return nil }
      if left.isZero { return rate }
      if left.isBelowZero == isPositive { return root(of: balance, from: near, isPositive, to: rate) }
      if rate.isZero { return nil }
      near = rate
      step = step.adding(step) ?? step
    }
    return nil
  }

  /// Returns the root between two rates, found by bisection.
  ///
  /// The balance has opposite signs at the two rates, so there is a root between them.
  private static func root(
    of balance: Balance, from near: DecimalParts, _ isPositive: Bool, to far: DecimalParts
  ) -> DecimalParts? {
    var (near, far) = (near, far)
    for _ in 0..<halvings {
      guard let middle = near.adding(far)?.valued(at: half)?.roundedTo18.folded else { return nil }
      if middle == near.folded || middle == far.folded { break }
      guard let left = balance.left(at: middle) else { return nil }
      if left.isZero { return middle }
      if left.isBelowZero != isPositive { near = middle } else { far = middle }
    }
    return near
  }

  /// The number of doublings of the step: the search reaches from 0.00001 to 84 a day, beyond all useful rates.
  private static let widenings = 24
  /// The most bisections: from a distance of 42, 66 of them reach the eighteenth digit after the point.
  private static let halvings = 67
  static let one = DecimalParts(isNegative: false, coefficient: 1, exponent: 0)
  static let half = DecimalParts(isNegative: false, coefficient: 5, exponent: -1)

  /// The value of payments at a rate, less the value at the end.
  private struct Balance {
    let payments: [Payment]
    let days: Int
    let end: DecimalParts

    /// Returns the balance at a daily rate; nil beyond 38 digits.
    ///
    /// It is the balance as of the last day for a rate below 1, and as of the first day for one above, so that no power
    /// of the rate is large.
    func left(at rate: DecimalParts) -> DecimalParts? {
      var sum = DecimalParts.zero
      if rate.compared(to: one) == .greater {
        guard let shrinking = Growth.quotient(one, rate) else { return nil }
        var day = days
        sum = end.negated
        for payment in payments.reversed() {
          guard let next = step(sum, by: shrinking, over: day - payment.day, adding: payment.amount) else { return nil }
          sum = next
          day = payment.day
        }
        return step(sum, by: shrinking, over: day, adding: .zero)
      }
      var day = 0
      for payment in payments {
        guard let next = step(sum, by: rate, over: payment.day - day, adding: payment.amount) else { return nil }
        sum = next
        day = payment.day
      }
      return step(sum, by: rate, over: days - day, adding: end.negated)
    }

    private func step(
      _ sum: DecimalParts, by rate: DecimalParts, over days: Int, adding amount: DecimalParts
    ) -> DecimalParts? {
      guard let factor = Growth.power(rate, days), let grown = Growth.product(sum, factor) else { return nil }
      return grown.totalling(amount)
    }
  }
}
