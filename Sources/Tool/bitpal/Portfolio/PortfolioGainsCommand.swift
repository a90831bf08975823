import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// The `bitpal portfolio gains` command, which shows the realized gains by lot and by year.
struct PortfolioGainsCommand: PortfolioCommand {
  static let name = "portfolio gains"
  static let spec = CommandSpec(
    name, "realized gains, lot by lot and by year",
    options: GainsQuery.days + [GainsQuery.method, .named],
    details: [
      "gain = proceeds - cost - fee, with the fee of the sale itself. With average a sale is one row; with the other "
        + "methods it is one row per lot that it takes: fifo takes the earliest first, lifo the latest, hifo the one "
        + "with the highest cost."
    ],
    examples: [
      .init("portfolio gains --year 2024", "for a tax form"),
      .init("portfolio gains --from 2024-04-06 --to 2025-04-05", "a tax year of the United Kingdom"),
      .init("portfolio gains --method fifo --format csv", "for a spreadsheet"),
    ])

  let portfolio: String?
  private let query: GainsQuery

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    portfolio = arguments.raw["portfolio"]
    query = try GainsQuery(arguments.raw)
  }

  func run(in context: PortfolioContext) throws -> ExitStatus {
    let output = try GainsOutput(
      query.answer(from: context.store), of: context.name, currency: context.currency, days: query.days,
      zone: context.session.console.style.zone)
    if output.gainRows.isEmpty, context.session.options.format == .table {
      context.session.console.notice("nothing was sold" + query.days.phrase)
    }
    try context.session.show(GainsView(output: output))
    return .answered
  }
}

/// The realized gains of a portfolio, and their sums by year.
struct GainsView: View {
  let output: GainsOutput

  func table(style: Style) -> String {
    if output.gainRows.isEmpty { return "" }
    let currency = output.currency.uppercased()
    let byLot = output.method != .average
    var columns: [TextTable.Column] = [
      .init("SOLD"), .init("COIN", widest: 24, narrowest: 8), .init("QUANTITY", .right, drops: 2),
    ]
    if byLot { columns += [.init("ACQUIRED", drops: 4), .init("DAYS", .right, drops: 3)] }
    columns += [
      .init("PROCEEDS \(currency)", .point, drops: 5), .init("COST", .point, drops: 6),
      .init("FEE", .point, drops: 1), .init("GAIN", .point),
    ]
    var table = TextTable(columns)
    for row in output.gainRows {
      var cells: [TextTable.Cell] = [
        .init(style.bookedDay(row.sold)), .init(row.coinId), .init(NumberFormat.quantity(row.quantity)),
      ]
      if byLot {
        cells += [
          .init(row.acquired.map { style.bookedDay($0) } ?? "-"),
          .init(row.acquired.map { "\(style.bookedDays(from: $0, to: row.sold))" } ?? "-"),
        ]
      }
      table.add(cells + money(row.proceeds, row.cost, row.fee, row.gain))
    }
    var sums = TextTable([
      .init("YEAR"), .init("PROCEEDS \(currency)", .point), .init("COST", .point), .init("FEE", .point),
      .init("GAIN", .point),
    ])
    for (year, figures) in output.years { sums.add(cells(String(year), figures)) }
    if output.years.count > 1 { sums.add(cells("all", output.total)) }
    return style("\(output.portfolio.text) · gains by \(output.method.rawValue) · \(currency)", .heading) + "\n\n"
      + table.text(style: style) + "\n" + sums.text(style: style)
  }

  private func cells(_ name: String, _ sums: Gains.Sums) -> [TextTable.Cell] {
    [.init(name)] + money(sums.proceeds, sums.cost, sums.fee, sums.gain)
  }

  /// Returns the cells of a sale, which add up as they are shown.
  private func money(_ proceeds: Decimal, _ cost: Decimal, _ fee: Decimal, _ gain: Decimal) -> [TextTable.Cell] {
    let scale = NumberFormat.scale(ofParts: [proceeds, -cost, -fee], addingTo: gain)
    return [proceeds, cost, fee].map { .init(NumberFormat.amount($0, scale: scale)) } + [.gain(gain, scale: scale)]
  }
}
