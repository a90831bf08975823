import BitpalModel
import FoundationEssentials

/// A scale of values with labels at round values: 1, 2 or 5 times a power of ten apart.
struct PriceAxis {
  /// A labelled value.
  struct Tick: Equatable {
    let value: Decimal

    /// The text of the label, with as many decimals as the others.
    let label: String
  }

  /// The lowest drawn value.
  let low: Decimal

  /// The highest drawn value, at least the lowest.
  let high: Decimal

  /// The labels by value, all with the same number of decimals.
  let ticks: [Tick]

  private let unit: Unit

  /// The unit of the values.
  enum Unit {
    case price
    case percent
  }

  /// Creates a scale.
  ///
  /// - Parameter most: The most labels that fit; more than eight are never used.
  init(low: Decimal, high: Decimal, most: Int, unit: Unit = .price) {
    self.low = low
    self.high = high
    self.unit = unit
    // Eight labels are enough to read a value between them.
    let found = high > low ? Self.roundValues(low, high, most: max(1, min(8, most))) : nil
    guard let (step, values) = found, !values.isEmpty else {
      let label = unit == .percent ? NumberFormat.finePercent(low) : NumberFormat.price(low)
      ticks = [Tick(value: low, label: label)]
      return
    }
    let decimals = max(0, -(DecimalParts(step)?.exponent ?? 0))
    ticks = values.map { value in
      let digits = NumberFormat.text(DecimalParts(value), minimumFraction: decimals)
      return Tick(value: value, label: unit == .percent ? (value > 0 ? "+" : "") + digits + "%" : digits)
    }
  }

  /// Returns the labels that nothing covers; where the latest values cover all of them, those of a finer scale.
  ///
  /// - Parameters:
  ///   - most: The most labels of the finer scale.
  ///   - isFree: Whether there is room for a label.
  func ticks(most: Int, where isFree: (Tick) -> Bool) -> [Tick] {
    let free = ticks.filter(isFree)
    return free.isEmpty ? PriceAxis(low: low, high: high, most: most, unit: unit).ticks.filter(isFree) : free
  }

  /// Returns the position of a value: 0 for the lowest, 1 for the highest, 0.5 when they are equal.
  func position(_ value: Decimal) -> Double {
    let span = (high - low).approximation
    return span > 0 ? min(1, max(0, (value - low).approximation / span)) : 0.5
  }

  private static func roundValues(_ low: Decimal, _ high: Decimal, most: Int) -> (step: Decimal, values: [Decimal])? {
    guard let span = DecimalParts(high - low) else { return nil }
    let magnitude = span.digitCount + span.exponent - 1
    var best: (step: Decimal, values: [Decimal])?
    // From too fine to too coarse: the first step with few enough values is the finest that fits.
    for exponent in (magnitude - 2)...(magnitude + 1) {
      for digit in [1, 2, 5] as [UInt128] {
        guard let step = DecimalParts(isNegative: false, coefficient: digit, exponent: exponent).decimal,
          let first = multiple(of: step, atLeast: low)
        else { continue }
        var values: [Decimal] = []
        var value = first
        while value <= high, values.count <= most {
          values.append(value)
          value += step
        }
        if values.count <= most { return values.isEmpty ? best : (step, values) }
        best = (step, Array(values.prefix(1)))
      }
    }
    return best
  }

  private static func multiple(of step: Decimal, atLeast low: Decimal) -> Decimal? {
    guard let count = try? low.divided(by: step, scale: 0) else { return nil }
    let value = count * step
    return value < low ? value + step : value
  }
}
