import Bitpal
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// The `bitpal portfolio returns` command, which shows the returns by year and in total.
struct PortfolioReturnsCommand: PortfolioCommand {
  static let name = "portfolio returns"
  static let spec = CommandSpec(
    name, "returns, by year and in all",
    options: PortfolioDays.parameters(range: "range (since the first transaction)") + [.named],
    isQuestion: true,
    details: [
      "The time-weighted return is that of a unit of money that was held all the time. The money-weighted return is "
        + "the rate that explains every payment, if exactly one does, and so shows the effect of their dates. Both "
        + "are after fees.",
      "Rewards, airdrops and interest are returns; gifts and transfers are payments, at the close of their day. Days "
        + "without holdings do not count; a YEARLY rate is for 365 days, and is shown from that number of days on.",
    ],
    examples: [
      .init("portfolio returns", "every year, and all of them"),
      .init("portfolio returns --from 2024-01-01 --to 2024-12-31", "one year"),
    ])

  let portfolio: String?
  private let days: PortfolioDays
  private let policy: FetchPolicy

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    portfolio = arguments.raw["portfolio"]
    days = try PortfolioDays(arguments.raw, usual: nil)
    policy = arguments.options.policy
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus {
    let session = context.session
    let span = try days.span(QueryDefaults(try session.settings()), now: context.now)
    let worth = try await context.history(
      from: span.first.map(Returns.opening), to: span.last, policy: policy)
    let output = try ReturnsOutput(
      worth, from: span.first ?? worth.history.days.first?.day ?? context.now, to: span.last ?? context.now)
    if output.total == nil, session.options.format == .table {
      session.console.notice(worth.emptyText)
    } else {
      try session.show(ReturnsView(output: output, providers: worth.providers))
    }
    worth.tell(session.console)
    return ExitStatus(answered: output.total == nil ? 0 : 1, failures: worth.failures.map(\.error.code))
  }
}

/// The returns of a portfolio, with one row per year.
struct ReturnsView: View {
  let output: ReturnsOutput
  let providers: [ProviderDescriptor]

  func table(style: Style) -> String {
    guard let total = output.total else { return "" }
    let currency = output.currency.uppercased()
    var table = TextTable([
      .init("PERIOD"), .init("START \(currency)", .right, drops: 1), .init("IN", .right, drops: 3),
      .init("OUT", .right, drops: 4), .init("END", .right, drops: 2), .init("GAIN", .right),
      .init("TIME-WEIGHTED", .right), .init("MONEY-WEIGHTED", .right),
    ])
    func add(_ name: String, _ returns: Returns) {
      table.add([
        .init(name), .init(NumberFormat.amount(returns.startValue)), .init(NumberFormat.amount(returns.inflow)),
        .init(NumberFormat.amount(returns.outflow)), .init(NumberFormat.amount(returns.endValue)),
        .gain(returns.gain), .change(returns.timeWeighted?.overall), .change(returns.moneyWeighted?.overall),
      ])
    }
    for (year, returns) in output.years { add(String(year), returns) }
    add("all", total)
    if total.timeWeighted?.yearly != nil || total.moneyWeighted?.yearly != nil {
      table.add([
        "yearly", "", "", "", "", "", .change(total.timeWeighted?.yearly), .change(total.moneyWeighted?.yearly),
      ])
    }
    let title = "\(output.portfolio.text) · returns · \(total.from.dayText) to \(total.to.dayText) · \(currency)"
    return style(title, .heading) + "\n" + Provenance.line(output.provenance, providers: providers, style: style)
      + (output.remarks + output.rateRemarks).map { "\n" + style($0, .warning) }.joined() + "\n\n"
      + table.text(style: style)
  }
}
