import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalProviders
import BitpalQueries
import FoundationEssentials

extension CatalogContext {
  /// Shows every portfolio at the latest prices, in one currency, and their sum.
  ///
  /// - Throws: Errors of the store and of transactions that cannot be booked; a missing price or rate is a failure.
  func showTotals() async throws -> ExitStatus {
    let valued = try await ValuedPortfolios(
      file, in: settings.currency, by: service, policy: session.options.policy, zone: settings.timeZone)
    try session.show(PortfolioTotalView(output: PortfolioTotalOutput(valued), providers: service.descriptors))
    for error in valued.loneHalves { session.console.warning(error.description) }
    for failure in valued.failures { session.console.failure(failure.error, subject: failure.coin) }
    return ExitStatus(answered: valued.total.lines.count, failures: valued.failures.map(\.error.code))
  }
}

/// The totals of all portfolios, with one row per portfolio, and their sum.
struct PortfolioTotalView: View {
  let output: PortfolioTotalOutput
  let providers: [ProviderDescriptor]

  private var valued: ValuedPortfolios { output.valued }

  func table(style: Style) -> String {
    if valued.total.lines.isEmpty { return "No holdings. \"bitpal buy QUANTITY COIN\" records the first.\n" }
    let currency = valued.currency.uppercased()
    var table = TextTable([
      .init("PORTFOLIO", widest: 64, narrowest: 8), .init("VALUE \(currency)", .right),
      .init("UNREALIZED", .right, drops: 3), .init("REALIZED", .right, drops: 2), .init("COST", .right, drops: 4),
      .init("FEES", .right, drops: 1), .init("RATE"),
    ])
    func add(_ name: String, _ figures: PortfolioTotal.Figures?, _ rate: TextTable.Cell) {
      guard let figures else {
        table.add([.init(name), .init("no rate", .warning), "-", "-", "-", "-", rate])
        return
      }
      table.add([
        .init(name), .init(NumberFormat.amount(figures.value)), .gain(figures.unrealized, beside: figures.value),
        .gain(figures.realized),
        .init(NumberFormat.amount(figures.openCost)), .init(NumberFormat.amount(figures.fees)), rate,
      ])
    }
    for line in valued.total.lines { add(line.info.name.text, line.figures, .init(rate(of: line))) }
    add("all", valued.total.total, valued.total.isComplete ? "" : .init("incomplete", .warning))
    let source = valued.quotes.map(Provenance.init)
    let header = source.isEmpty ? "" : Provenance.line(source, providers: providers, style: style) + "\n\n"
    return header + table.text(style: style)
  }

  private func rate(of line: PortfolioTotal.Line) -> String {
    let own = line.info.currency.uppercased()
    guard let value = line.rate, let rate = valued.rates[line.info.currency] else { return own }
    return "\(own) at \(value.plainText) (\(rate.source), \(rate.time.dayText))"
  }
}
