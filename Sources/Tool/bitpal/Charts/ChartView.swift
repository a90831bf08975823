import BitpalCharts
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// A chart with its statistics and points, as a picture or as numbers.
struct ChartView: View {
  let output: ChartOutput

  /// The size and the characters of the picture; nil for a table of rows.
  var canvas: ChartCanvas?

  func table(style: Style) -> String {
    if let canvas { return canvas.text(output.chart, style: style) }
    let question = output.question
    var style = style
    style.digits = output.chart.digits(style.digits)
    let kind = output.type.rawValue + (output.width.map { " \($0.unitText)" } ?? "")
    let title = [
      output.title.printable(limit: 120), question.range.spelledOut, kind, question.currency.uppercased(),
    ]
    return style(title.joined(separator: " · "), .heading) + "\n"
      + Provenance.line([output.provenance], providers: question.descriptors, style: style) + "\n\n"
      + statisticsTable(style: style) + "\n"
      + (output.type == .line ? lineTable(style: style) : candleTable(style: style))
  }

  private func statisticsTable(style: Style) -> String {
    var table = TextTable([
      .init("OPEN", .right, drops: 2), .init("HIGH", .right, drops: 4), .init("LOW", .right, drops: 3),
      .init("CLOSE", .right), .init("CHANGE", .right, drops: 1), .init("CHANGE %", .right),
    ])
    if let statistics = output.statistics {
      table.add([
        .init(style.price(statistics.startPrice)), .init(style.price(statistics.periodHigh)),
        .init(style.price(statistics.periodLow)), .init(style.price(statistics.endPrice)),
        .change(statistics.priceChange, as: style.priceChange),
        .change(statistics.percentageChange) { NumberFormat.finePercent($0) },
      ])
    }
    return table.text(style: style)
  }

  /// Returns a table of about as many points as the range aims at: a table of a thousand rows cannot be read.
  private func lineTable(style: Style) -> String {
    let shown = output.line.evenlyPicked(atMost: output.question.range.points)
    var table = TextTable([.init("TIME"), .init("PRICE \(output.question.currency.uppercased())", .right)])
    for point in shown {
      table.add([.init(style.time(point.timestamp, isOfDay: output.isOfDays)), .init(style.price(point.price))])
    }
    return table.text(style: style)
      + (shown.count < output.line.count ? style("\(shown.count) of \(output.line.count) points", .quiet) + "\n" : "")
  }

  private func candleTable(style: Style) -> String {
    var columns: [TextTable.Column] = [.init("TIME")]
    columns += [("OPEN", 2), ("HIGH", 4), ("LOW", 3), ("CLOSE", nil)].map { .init($0, .right, drops: $1) }
    if output.isLastOpen { columns.append(.init("STATE", drops: 1)) }
    var table = TextTable(columns)
    for (index, candle) in output.candles.enumerated() {
      let role: Style.Role = candle.isGreen ? .good : .bad
      table.add([
        .init(style.time(candle.timestamp, isOfDay: output.isOfDays)), .init(style.price(candle.open)),
        .init(style.price(candle.high)),
        .init(style.price(candle.low)), .init(style.price(candle.close), role),
        .init(output.isLastOpen && index == output.candles.count - 1 ? "open" : "", .quiet),
      ])
    }
    return table.text(style: style)
  }
}

/// A comparison of several coins over one range, by their change since its start.
struct ComparisonView: View {
  let output: ComparisonOutput
  let providers: [ProviderDescriptor]

  /// The size and the characters of the picture; nil for a table of rows.
  let canvas: ChartCanvas?

  func table(style: Style) -> String {
    if output.series.isEmpty { return "" }
    if let canvas { return canvas.text(output.chart, style: style) }
    let digits = output.chart.digits(nil) ?? 2
    var table = TextTable([
      .init("COIN", narrowest: 10), .init("START", .right, drops: 1), .init("END", .right, drops: 2),
      .init("CHANGE %", .right),
    ])
    for series in output.series {
      guard let statistics = ChartStatistics(line: series.line.value.points) else { continue }
      var style = style
      style.digits = style.digits ?? NumberFormat.digits(tellingApart: [statistics.startPrice, statistics.endPrice])
      table.add([
        .init(series.coin), .init(style.price(statistics.startPrice)),
        .init(style.price(statistics.endPrice)),
        .change(statistics.percentageChange) { NumberFormat.finePercent($0, digits: digits) },
      ])
    }
    return Provenance.line(output.series.map { Provenance($0.line) }, providers: providers, style: style) + "\n\n"
      + table.text(style: style)
  }
}

/// The size of a drawing in the terminal, and the characters that it may use.
struct ChartCanvas: Sendable {
  /// The number of columns.
  let width: Int

  /// The number of rows of the plot alone.
  let height: Int

  /// Whether only ASCII characters may be used.
  let ascii: Bool

  /// Creates the chart canvas.
  ///
  /// - Parameters:
  ///   - width: The number of columns asked for; nil for the width of the terminal, or 80 columns.
  ///   - height: The number of rows asked for; nil for the rows of the terminal without titles and scales (5 to 24), or
  ///     16 rows.
  ///   - ascii: Whether only ASCII characters may be used.
  ///   - terminal: The size of the terminal; nil when standard output is not one.
  init(width: Int?, height: Int?, ascii: Bool, terminal: TerminalSize?) {
    self.width = width ?? terminal?.columns ?? 80
    self.height = height ?? terminal.map { min(24, max(5, $0.rows - Self.around)) } ?? 16
    self.ascii = ascii
  }

  /// Returns the lines of the chart, each with a line end.
  func text(_ chart: Chart, style: Style) -> String {
    let options = TerminalOptions(
      width: width, height: height, color: style.isEnabled, ascii: ascii, digits: style.digits)
    return TerminalChart(chart, options: options).lines().map { $0 + "\n" }.joined()
  }

  /// The number of lines above and below the plot, with those of the prompt.
  private static let around = 9
}
