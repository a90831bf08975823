import BitpalCharts
import BitpalModel

/// A little line for each coin of a table.
struct Sparklines: Sendable {
  /// The coins without one.
  let missing: [String]

  private let cells: [String: TextTable.Cell]

  /// - Parameter line: What is at hand of a coin's line.
  init(_ coins: [String], ascii: Bool, line: (String) -> LineSeries?) {
    var cells: [String: TextTable.Cell] = [:]
    for coin in coins {
      guard let points = line(coin)?.points, let statistics = ChartStatistics(line: points) else { continue }
      cells[coin] = TextTable.Cell(
        Sparkline.text(points, width: Self.width, ascii: ascii), statistics.isPositive ? .good : .bad)
    }
    self.cells = cells
    missing = coins.filter { cells[$0] == nil }
  }

  /// The line of a coin; empty when there is none.
  func cell(_ coin: String) -> TextTable.Cell { cells[coin] ?? "" }

  /// Three characters a day.
  private static let width = 21
}
