import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries

/// The `bitpal chart COIN…` command, which draws one coin or compares several.
struct ChartCommand: Command {
  static let name = "chart"
  static let spec = CommandSpec(
    name, "a chart of a price, drawn or as numbers; several coins compared", operands: .some("COIN"),
    options: ChartQuery.parameters + ChartPicture.options,
    isQuestion: true,
    details: [
      "A range that the chart type does not offer is replaced by the closest one, with a notice. Candles have the "
        + "width of the range if the source's own candles, or three samples of its line per candle, allow it; "
        + "otherwise they have the source's width, and the title states it.",
      "A DATE is a day in the time zone of the settings, or an instant like 2025-01-15T10:30Z. If the source does not "
        + "go back so far, the error states where its prices begin, and which providers go further.",
      "Several coins are compared by the change of each in percent since the start of the range.",
      "At a terminal the type chosen last with --type is the default from then on; elsewhere it is that of the settings.",
      "With --rows a table of a line shows about as many points as the range intends; json, jsonl and csv contain all "
        + "of them.",
    ],
    examples: [
      .init("chart bitcoin", "the default range and type of the settings"),
      .init("chart bitcoin --range 1M --type candle", "a month of candles"),
      .init("chart bitcoin --from 2024-11-01 --to 2024-11-30 --candle 1d", "a month of the past"),
      .init("chart bitcoin ethereum --range 1Y", "which of them did better in a year"),
      .init("chart bitcoin --range 1Y --svg bitcoin.svg", "a picture for a report"),
      .init("chart eth --range 1Y --format csv > eth.csv", "a year, for a spreadsheet"),
    ])

  private let coins: [String]
  private let query: ChartQuery
  private let policy: FetchPolicy
  private let picture: ChartPicture

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    coins = arguments.coins
    query = try ChartQuery(arguments.raw)
    policy = arguments.options.policy
    picture = try ChartPicture(arguments)
  }

  func run(_ session: Session) async throws -> ExitStatus {
    if coins.count > 1, query.type == .candle {
      throw BitpalError.usage("several coins are compared as lines", hint: "omit --type candle, or name one coin")
    }
    let configured = try session.settings()
    let service = try session.assembly(configured).priceService()
    let (coins, settings) = try session.separating(coins, configured, service)
    let question = try query.question(
      only: coins.count > 1 ? .line : nil, QueryDefaults(settings, isAttended: session.isAttended),
      currency: settings.currency, by: service)
    if let wanted = question.insteadOf {
      session.console.notice(
        "\(wanted.name) is not offered for \(question.type.plural); showing \(question.range.name)")
    }
    guard coins.count > 1 else {
      let status = try await one(coins.first ?? "", question, service, session)
      if session.isAttended, let type = query.chosenType { PreferenceChange.remember(type, settings, session) }
      return status
    }
    return try await several(coins, question, service, session)
  }

  private func one(_ coin: String, _ question: ChartQuestion, _ service: PriceService, _ session: Session) async throws
    -> ExitStatus
  {
    let series = try await question.answer(coin, by: service, policy: policy)
    let output = ChartOutput(series, question, atMost: picture.count)
    try picture.show(ChartView(output: output, canvas: picture.canvas(session)), chart: output.chart, session)
    session.console.warn(about: [series.origin]) { _ in series.coin }
    for notice in [question.lateBeginning(of: series, by: service), question.otherWidth(of: series, by: service)] {
      if let notice { session.console.notice(notice) }
    }
    return .answered
  }

  private func several(
    _ coins: [String], _ question: ChartQuestion, _ service: PriceService, _ session: Session
  ) async throws -> ExitStatus {
    let (series, failures) = try await question.comparison(
      coins, by: service, policy: policy, isAtOnce: session.console.showsProgress && session.recorder == nil
    ) {
      session.console.working($0, of: coins.count, "asking for charts")
    }
    let output = ComparisonOutput((series, failures), question, atMost: picture.count)
    let view = ComparisonView(output: output, providers: question.descriptors, canvas: picture.canvas(session))
    if !series.isEmpty || session.options.format == .json { try picture.show(view, chart: output.chart, session) }
    session.console.warn(about: series.map(\.line)) { _ in "the comparison" }
    for line in series.map(\.line) {
      if let notice = question.lateBeginning(of: .line(line), by: service) { session.console.notice(notice) }
    }
    session.console.tell(failures)
    return ExitStatus(answered: series.count, failures: failures.map(\.error.code))
  }
}
