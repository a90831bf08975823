import BitpalCharts
import BitpalModel

/// How big a chart is drawn, and in which characters.
struct ChartCanvas: Sendable {
  let width: Int
  let height: Int
  let ascii: Bool

  /// - Parameters:
  ///   - width: What was asked for; else as wide as the terminal, or 80 columns.
  ///   - height: What was asked for; else what fits the terminal beside titles and scales, or 16 rows.
  ///   - terminal: Nil when nobody is looking.
  init(width: Int?, height: Int?, ascii: Bool, terminal: TerminalSize?) {
    self.width = width ?? terminal?.columns ?? 80
    self.height = height ?? terminal.map { min(24, max(5, $0.rows - Self.around)) } ?? 16
    self.ascii = ascii
  }

  /// The lines of the chart, with a line end.
  func text(_ chart: Chart, style: Style) -> String {
    let options = TerminalOptions(width: width, height: height, color: style.isEnabled, ascii: ascii)
    return TerminalChart(chart, options: options).lines().map { $0 + "\n" }.joined()
  }

  /// Lines above and below the plot, and the prompt.
  private static let around = 9
}
