import BitpalCharts
import BitpalModel
import FoundationEssentials

/// Charts of made-up series, the same in every run.
enum Sample {
  static let now = Date(milliseconds: 1_736_937_000_000)
  static let source = "fixture · recorded 2025-01-15 10:30Z · simulated market"

  /// A walk that ends at ``now``; prices are `start` plus steps of `step`.
  static func walk(count: Int, spacing: Duration, start: Decimal = 96_000, step: Decimal = 10, seed: UInt64 = 1)
    -> [ChartDataPoint]
  {
    var numbers = Numbers(state: seed)
    var price = start
    return (0..<count).map { index in
      let point = ChartDataPoint(timestamp: now.adding(.zero - spacing * (count - 1 - index)), price: price)
      price = max(step, price + step * Decimal(Int(numbers.next() % 41) - 20))
      return point
    }
  }

  /// Candles that end with one still open at ``now``.
  static func candles(count: Int, width: Duration, seed: UInt64 = 2) -> [CandleDataPoint] {
    var numbers = Numbers(state: seed)
    var open: Decimal = 96_000
    let last = now.milliseconds / width.milliseconds * width.milliseconds
    return (0..<count).map { index in
      let close = open + Decimal(Int(numbers.next() % 801) - 400)
      let high = max(open, close) + Decimal(numbers.next() % 200)
      let low = min(open, close) - Decimal(numbers.next() % 200)
      defer { open = close }
      return CandleDataPoint(
        timestamp: Date(milliseconds: last - Int64(count - 1 - index) * width.milliseconds), open: open, high: high,
        low: low, close: close)
    }
  }

  static func points(_ prices: [String], spacing: Duration = .seconds(3600)) -> [ChartDataPoint] {
    prices.enumerated().map { index, price in
      ChartDataPoint(
        timestamp: now.adding(.zero - spacing * (prices.count - 1 - index)), price: (try? Decimal(strict: price)) ?? 0)
    }
  }

  static func line(_ points: [ChartDataPoint], range: String = "1D", warning: String? = nil) -> Chart {
    Chart(.line(points), title: "bitcoin · \(range) · line · USD", subtitle: source, warning: warning)
  }

  static func candles(_ candles: [CandleDataPoint], width: Duration, range: String = "1D") -> Chart {
    Chart(
      .candles(CandleSeries(width: width, candles: candles), isLastOpen: true),
      title: "bitcoin · \(range) · candle \(width.unitText) · USD", subtitle: source)
  }

  static func comparison() -> Chart {
    Chart(
      .comparison([
        ComparedLine(name: "bitcoin", points: walk(count: 366, spacing: .seconds(86_400), step: 100, seed: 4)),
        ComparedLine(
          name: "ethereum", points: walk(count: 366, spacing: .seconds(86_400), start: 3000, step: 5, seed: 5)),
        ComparedLine(
          name: "shiba-inu",
          points: walk(
            count: 366, spacing: .seconds(86_400), start: Decimal(24) / 1_000_000, step: Decimal(3) / 100_000_000,
            seed: 6)),
      ]), title: "bitcoin, ethereum, shiba-inu · 1Y · change in percent", subtitle: source)
  }

  /// Five lines, of which three end within a percent of each other.
  static func five() -> Chart {
    let names = ["bitcoin", "ethereum", "a-coin-with-a-name-of-some-length", "dogecoin", "solana"]
    return Chart(
      .comparison(
        names.enumerated().map { index, name in
          ComparedLine(
            name: name,
            points: walk(count: 60, spacing: .seconds(86_400), start: 1000, step: 1, seed: UInt64(index + 20)))
        }), title: names.joined(separator: ", ") + " · 3M · change in % · USD", subtitle: source)
  }

  /// SplitMix64.
  struct Numbers {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }
}
