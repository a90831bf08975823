import BitpalCharts
import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalService

/// The `bitpal chart COIN…` command, which draws one coin or compares several.
struct ChartCommand: Command {
  static let name = "chart"
  static let spec = CommandSpec(
    name, "a chart of a price, drawn or as numbers; several coins compared", operands: .some("COIN"),
    options: [
      OptionSpec(
        .range, .text("NAME"),
        help: "range: 15M 1H 4H 1D 1W 1M 3M 6M YTD 1Y 5Y MAX, or one of the settings"),
      OptionSpec(.from, .text("DATE"), help: "first day, or an instant, instead of a range"),
      OptionSpec(.to, .text("DATE"), help: "last day, or an instant (now)"),
      OptionSpec(.type, .choice(["line", "candle"]), help: "type of chart"),
      OptionSpec(.candle, .text("WIDTH"), help: "width of candles, such as 1h, 4h or 1d"),
    ] + ChartPicture.options,
    isQuestion: true,
    details: [
      "A range that the type lacks moves to the closest one, and says so. Candles have the width the range wants where "
        + "the source's own make it, or at least three samples of its line do; otherwise the source's, and the title says so.",
      "A DATE is a day of the time zone in force, or an instant like 2025-01-15T10:30Z. A source that does not go back so "
        + "far says where its prices begin, and which providers go further.",
      "Several coins are compared: the change of each in percent since the start of the range.",
      "With --rows a table of a line shows about as many points as the range aims at; json, jsonl and csv carry them "
        + "all.",
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
  private let choice: ChartRangeChoice
  private let type: ChartType?
  private let policy: FetchPolicy
  private let picture: ChartPicture

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    coins = arguments.coins
    choice = try ChartRangeChoice(arguments.raw)
    // An explicit width of candles implies the type candle.
    type = arguments.raw.value(.type).flatMap(ChartType.init(rawValue:)) ?? (choice.candle == nil ? nil : .candle)
    if choice.candle != nil, type == .line {
      throw .usage("--candle and --type line contradict each other", hint: "give one of them")
    }
    policy = arguments.options.policy
    picture = try ChartPicture(arguments)
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let settings = try session.settings()
    guard coins.count > 1 else { return try await one(coins.first ?? "", settings, session) }
    if type == .candle {
      throw BitpalError.usage("several coins are compared as lines", hint: "omit --type candle, or name one coin")
    }
    return try await several(settings, session)
  }

  private func one(_ coin: String, _ settings: Settings, _ session: Session) async throws -> ExitStatus {
    let type = type ?? settings.chart.defaultType
    let service = try session.assembly(settings).priceService()
    let range = try choice.range(type, settings, now: service.time.now, session.console)
    let reach = ChartReach(range, type, providers: session.assembly(settings).providers(), now: service.time.now)
    switch type {
    case .line:
      let line = try await reach.naming {
        try await service.line(coin, range: range, currency: settings.currency, policy: policy)
      }
      let subject = subject(line.about.coin, range, settings, service)
      let view = ChartView(
        output: ChartOutput(line: line, subject, atMost: picture.count), canvas: picture.canvas(session))
      try picture.show(view, chart: view.output.chart, session)
      session.console.warn(about: [line]) { _ in subject.coin }
      reach.tell(line.value.points.map(\.timestamp), of: line, session.console, settings.timeZone)
    case .candle:
      let candles = try await reach.naming {
        try await service.candles(coin, range: range, currency: settings.currency, policy: policy)
      }
      let subject = subject(candles.about.coin, range, settings, service)
      let view = ChartView(
        output: ChartOutput(candles: candles, subject, atMost: picture.count), canvas: picture.canvas(session))
      try picture.show(view, chart: view.output.chart, session)
      session.console.warn(about: [candles]) { _ in subject.coin }
      reach.tell(candles.value.candles.map(\.timestamp), of: candles, session.console, settings.timeZone)
      if candles.value.width != range.candle {
        session.console.notice(
          "\(range.name) wants candles of \(range.candle.unitText); "
            + "\(candles.source) has them of \(candles.value.width.unitText)"
            + finer(than: candles.value.width, of: subject.coin, range, session.assembly(settings).providers()))
      }
    }
    return .answered
  }

  private func several(_ settings: Settings, _ session: Session) async throws -> ExitStatus {
    let service = try session.assembly(settings).priceService()
    let range = try choice.range(.line, settings, now: service.time.now, session.console)
    let reach = ChartReach(range, .line, providers: session.assembly(settings).providers(), now: service.time.now)
    var series: [ComparisonOutput.Series] = []
    var failures: [CoinFailure] = []
    for coin in coins {
      do {
        let line = try await reach.naming {
          try await service.line(coin, range: range, currency: settings.currency, policy: policy)
        }
        // Two names of one coin make one line.
        let id = line.about.coin
        if !series.contains(where: { $0.coin == id }) { series.append(.init(coin: id, line: line)) }
      } catch let error as BitpalError {
        failures.append(CoinFailure(coin: coin, error: error))
      }
    }
    let view = ComparisonView(
      output: ComparisonOutput(
        series, failures: failures, range: range, currency: settings.currency, providers: service.descriptors,
        atMost: picture.count, zone: settings.timeZone),
      providers: service.descriptors, canvas: picture.canvas(session))
    if !series.isEmpty || session.options.format == .json { try picture.show(view, chart: view.output.chart, session) }
    session.console.warn(about: series.map(\.line)) { _ in "the comparison" }
    for line in series.map(\.line) {
      reach.tell(line.value.points.map(\.timestamp), of: line, session.console, settings.timeZone)
    }
    session.console.tell(failures)
    return ExitStatus(answered: series.count, failures: failures.map(\.error.code))
  }

  /// Returns the coin, range and currency that the chart shows, with its time window unless the range has no start.
  private func subject(
    _ coin: String, _ range: ChartTimeRange, _ settings: Settings, _ service: PriceService
  ) -> ChartOutput.Subject {
    ChartOutput.Subject(
      coin: coin, range: range, currency: settings.currency,
      providers: service.descriptors, window: range.beginning == .ever ? nil : range.timeWindow(at: service.time.now),
      zone: settings.timeZone)
  }

  /// Returns the part of a notice that names the sources with finer candles than the given width; empty when none is
  /// known.
  private func finer(
    than width: Duration, of coin: String, _ range: ChartTimeRange, _ providers: [ProviderSummary]
  ) -> String {
    let finer = providers.compactMap(\.descriptor).filter { provider in
      // A recording answers only what was recorded, so it cannot serve as an alternative source.
      provider.recordedAt == nil && provider.capabilities.contains(.candles) && provider.coins.has(coin)
        && !provider.candleWidths.isEmpty
        && Resampling.nativeWidth(for: range.candle, among: provider.candleWidths) < width
    }
    return finer.isEmpty ? "" : "; finer ones: " + BitpalError.choices(finer.map(\.id))
  }
}
