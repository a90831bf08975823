import BitpalCharts
import BitpalModel
import Foundation

/// Charts in characters.
struct Drawing {
  func table() async throws -> Table {
    let points = try Self.points(10_000)
    let times = try await Measurement.inTurns(
      Self.drawing(points),
      repeated {
        _ = points.min { $0.price < $1.price }
        _ = points.max { $0.price < $1.price }
      })
    return Table(
      "Drawing, in process",
      [.limit("a line of 10,000 points", times[0], .milliseconds(10), "their lowest and highest price", times[1])])
  }

  static func drawing(_ points: [ChartDataPoint]) -> Measurement.Work {
    let chart = Chart(.line(points), title: "t", subtitle: "s")
    return repeated { _ = TerminalChart(chart).lines() }
  }

  static func points(_ count: Int) throws -> [ChartDataPoint] {
    try (0..<count).map { index in
      ChartDataPoint(
        timestamp: Date(milliseconds: 1_700_000_000_000 + Int64(index) * 60_000),
        price: try Decimal(strict: "\(40_000 + (index * 7919) % 5000).125"))
    }
  }
}
