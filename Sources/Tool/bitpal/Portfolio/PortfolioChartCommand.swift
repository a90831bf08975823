import Bitpal
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// The `bitpal portfolio chart` command, which shows the value and the cost of a portfolio by day.
struct PortfolioChartCommand: PortfolioCommand {
  static let name = "portfolio chart"
  static let spec = CommandSpec(
    name, "value and cost day by day",
    options: PortfolioDays.parameters(range: "range of two days or more; MAX for all there is (1Y)") + [.named]
      + ChartPicture.options,
    isQuestion: true,
    details: [
      "The value of a day is that of the holdings at its end, at its closes in UTC; that of today is at the latest "
        + "prices. A day without a close has the last close before it, for a week at most.",
      "A coin without any closes is left out, from the cost too, and named.",
    ],
    examples: [
      .init("portfolio chart", "a year"),
      .init("portfolio chart --range MAX --svg worth.svg", "all of it, as a picture"),
      .init("portfolio chart --from 2024-01-01 --to 2024-12-31 --format csv", "a year's days, for a spreadsheet"),
    ])

  let portfolio: String?
  private let days: PortfolioDays
  private let picture: ChartPicture
  private let policy: FetchPolicy

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    portfolio = arguments.raw["portfolio"]
    days = try PortfolioDays(arguments.raw, usual: "1Y")
    picture = try ChartPicture(arguments)
    policy = arguments.options.policy
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus {
    let session = context.session
    let span = try days.span(QueryDefaults(try session.settings()), now: context.now)
    let worth = try await context.history(from: span.first, to: span.last, policy: policy)
    let output = PortfolioChartOutput(worth, range: span.name, titled: span.title, atMost: picture.count)
    let view = PortfolioChartView(output: output, providers: worth.providers, canvas: picture.canvas(session))
    if output.days.isEmpty, session.options.format == .table {
      session.console.notice(worth.emptyText)
    } else {
      try picture.show(view, chart: output.chart, session)
    }
    worth.tell(session.console)
    return ExitStatus(answered: output.days.count, failures: worth.failures.map(\.error.code))
  }
}

extension PortfolioContext {
  /// Returns the value of the portfolio day by day; each coin is fetched within a time limit of its own.
  ///
  /// - Throws: `PortfolioError` for transactions that cannot be booked, and errors of the store. Missing closes of one
  ///   coin are a failure of that coin.
  func history(from first: Date?, to last: Date?, policy: FetchPolicy) async throws -> PortfolioHistory {
    try await PortfolioHistory(
      store, in: currency, by: service, from: first, to: last, policy: policy,
      within: { [session] body in try await session.withOwnDeadline(body) })
  }
}

extension PortfolioHistory {
  /// Prints warnings about the answers, the coins that are left out, and a notice of a history that begins late.
  func tell(_ console: Console) {
    console.warn(about: closes) { closes in closes.first?.dateText ?? name.text }
    console.tell(failures)
    if !history.unknownCoins.isEmpty {
      console.notice("excluded from the figures: \(history.unknownCoins.joined(separator: ", "))")
    }
    if let late = lateStart { console.notice("\(name.text) \(late.choosingText)") }
    if let earlyEnd { console.notice("\(name.text) \(earlyEnd)") }
    if history.daysWithoutValue > 0 {
      console.notice("\(history.daysWithoutValue) days have no value, because a coin held then had no close")
    }
  }
}

/// The value and the cost of a portfolio, as a picture or as numbers.
struct PortfolioChartView: View {
  let output: PortfolioChartOutput
  let providers: [ProviderDescriptor]

  /// The size and the characters of the picture; nil for a table of rows.
  let canvas: ChartCanvas?

  func table(style: Style) -> String {
    if output.days.isEmpty { return "" }
    if let canvas { return canvas.text(output.chart, style: style) }
    var table = TextTable([
      .init("DATE"), .init("VALUE \(output.currency.uppercased())", .right), .init("COST", .right, drops: 1),
      .init("GAIN", .right),
    ])
    for day in output.days {
      table.add([
        .init(day.day.dayText), .init(NumberFormat.amount(day.value)), .init(NumberFormat.amount(day.cost)),
        .gain(day.value - day.cost, beside: day.value),
      ])
    }
    return Provenance.line(output.provenance, providers: providers, style: style)
      + output.remarks.map { "\n" + style($0, .warning) }.joined() + "\n\n" + table.text(style: style)
  }
}
