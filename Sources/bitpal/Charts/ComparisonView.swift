import BitpalModel
import BitpalOutput
import BitpalProviders

/// Several coins over one range: how much each changed since the range's start.
struct ComparisonView: View {
  let output: ComparisonOutput
  let providers: [ProviderDescriptor]

  /// How a picture is drawn; nil for a table of rows.
  let canvas: ChartCanvas?

  func table(style: Style) -> String {
    if output.series.isEmpty { return "" }
    if let canvas { return canvas.text(output.chart, style: style) }
    var table = TextTable([.init("COIN"), .init("START", .right), .init("END", .right), .init("CHANGE %", .right)])
    for series in output.series {
      guard let statistics = ChartStatistics(line: series.line.value.points) else { continue }
      table.add([
        .init(series.coin), .init(NumberFormat.price(statistics.startPrice)),
        .init(NumberFormat.price(statistics.endPrice)), .change(statistics.percentageChange),
      ])
    }
    return Provenance.line(output.series.map { Provenance($0.line) }, providers: providers, style: style) + "\n\n"
      + table.text(style: style)
  }
}
