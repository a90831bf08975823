import BitpalCharts
import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalService

/// What `bitpal chart COIN…` does: one coin is drawn, several are compared.
struct ChartCommand: Command {
  static let spec = CommandSpec(
    "chart", "how a price moved, drawn or as numbers; several coins compared", operands: .some("COIN"),
    options: [
      OptionSpec(.range, .text("NAME"), help: "window of time: 15M 1H 4H 1D 1W 1M 1Y, or one of the settings"),
      OptionSpec(.type, .choice(["line", "candle"]), help: "prices, or open, high, low and close"),
      OptionSpec(.svg, .text("FILE"), help: "write the picture as SVG; - for standard output"),
      OptionSpec(.width, .text("N"), help: "columns, 20 to 300; the terminal's by default, or 80"),
      OptionSpec(.height, .text("N"), help: "rows of the plot, 3 to 100"),
      OptionSpec(.points, .text("N"), help: "at most so many points, in every format"),
      OptionSpec(.ascii, help: "draw with plain characters only"),
      OptionSpec(.rows, help: "a table of rows instead of a drawing"),
    ],
    isQuestion: true,
    details: [
      "A range that the type lacks moves to the closest one, and says so. Candles have the width the range wants where "
        + "the source's own make it, or at least three samples of its line do; else the source's, and the title says so.",
      "Several coins are compared: the change of each in percent since the start of the range.",
      "With --rows a table of a line shows about as many points as the range aims at; json, jsonl and csv carry them "
        + "all.",
    ],
    examples: [
      .init("chart bitcoin", "the default range and type of the settings"),
      .init("chart bitcoin --range 1M --type candle", "a month of candles"),
      .init("chart bitcoin ethereum --range 1Y", "which of them did better in a year"),
      .init("chart bitcoin --range 1Y --svg bitcoin.svg", "a picture for a report"),
      .init("chart eth --range 1Y --format csv > eth.csv", "a year, for a spreadsheet"),
    ])

  private let coins: [String]
  private let range: String?
  private let type: ChartType?
  private let policy: FetchPolicy
  private let svg: String?
  private let width: Int?
  private let height: Int?
  private let count: Int?
  private let isASCII: Bool
  private let asRows: Bool

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    coins = arguments.operands
    range = arguments.raw.value(.range)
    type = arguments.raw.value(.type).flatMap(ChartType.init(rawValue:))
    policy = arguments.options.policy
    svg = arguments.raw.value(.svg)
    width = try arguments.number(.width, in: 20...300)
    height = try arguments.number(.height, in: 3...100)
    count = try arguments.number(.points, in: 2...100_000)
    isASCII = arguments.raw.has(.ascii)
    asRows = arguments.raw.has(.rows)
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let settings = try session.settings()
    guard coins.count > 1 else { return try await one(coins.first ?? "", settings, session) }
    if type == .candle {
      throw BitpalError.usage("several coins are compared as lines", hint: "leave --type candle away, or name one coin")
    }
    return try await several(settings, session)
  }

  private func one(_ coin: String, _ settings: Settings, _ session: Session) async throws -> ExitStatus {
    let type = type ?? settings.chart.defaultType
    let range = try ChartRangeChoice(settings.chart, type).range(range, session.console)
    let service = try session.assembly(settings).priceService()
    switch type {
    case .line:
      let line = try await service.line(coin, range: range, currency: settings.currency, policy: policy)
      let subject = subject(line.about.coin, range, settings, service)
      let view = ChartView(output: ChartOutput(line: line, subject, atMost: count), canvas: canvas(session))
      try show(view, chart: view.output.chart, session)
      session.console.warn(about: [line]) { _ in subject.coin }
    case .candle:
      let candles = try await service.candles(coin, range: range, currency: settings.currency, policy: policy)
      let subject = subject(candles.about.coin, range, settings, service)
      let view = ChartView(
        output: ChartOutput(candles: candles, subject, atMost: count), canvas: canvas(session))
      try show(view, chart: view.output.chart, session)
      session.console.warn(about: [candles]) { _ in subject.coin }
      if candles.value.width != range.candle {
        session.console.notice(
          "\(range.name) wants candles of \(range.candle.unitText); "
            + "\(candles.source) has them of \(candles.value.width.unitText)"
            + finer(than: candles.value.width, range, session.assembly(settings).providers()))
      }
    }
    return .answered
  }

  private func several(_ settings: Settings, _ session: Session) async throws -> ExitStatus {
    let range = try ChartRangeChoice(settings.chart, .line).range(range, session.console)
    let service = try session.assembly(settings).priceService()
    var series: [ComparisonOutput.Series] = []
    var failures: [CoinFailure] = []
    for coin in coins {
      do {
        let line = try await service.line(coin, range: range, currency: settings.currency, policy: policy)
        // Two names of one coin are one line.
        let id = line.about.coin
        if !series.contains(where: { $0.coin == id }) { series.append(.init(coin: id, line: line)) }
      } catch let error as BitpalError {
        failures.append(CoinFailure(coin: coin, error: error))
      }
    }
    let view = ComparisonView(
      output: ComparisonOutput(
        series, failures: failures, range: range, currency: settings.currency, providers: service.descriptors,
        atMost: count, zone: settings.timeZone),
      providers: service.descriptors, canvas: canvas(session))
    if !series.isEmpty || session.options.format == .json { try show(view, chart: view.output.chart, session) }
    session.console.warn(about: series.map(\.line)) { _ in "the comparison" }
    session.console.tell(failures)
    return ExitStatus(answered: series.count, failures: failures.map(\.error.code))
  }

  /// Writes the picture where it was wanted, else the view in the form asked for.
  private func show(_ view: some View, chart: Chart, _ session: Session) throws(BitpalError) {
    switch svg {
    case nil:
      try session.show(view)
    case "-"?:
      try session.console.answer(SVGChart(chart, digits: session.options.digits).document())
    case let path?:
      try FileReplacement.replace(
        path, with: Array(SVGChart(chart, digits: session.options.digits).document().utf8), access: .shared)
      session.console.notice("wrote \(path)")
    }
  }

  /// How a table is drawn; nil when rows were asked for.
  private func canvas(_ session: Session) -> ChartCanvas? {
    if asRows { return nil }
    let console = session.console
    return ChartCanvas(
      width: width, height: height, ascii: isASCII,
      terminal: console.isTerminal ? TerminalSize.current { session.environment.value($0) } : nil)
  }

  /// What the chart is of.
  private func subject(
    _ coin: String, _ range: ChartTimeRange, _ settings: Settings, _ service: PriceService
  ) -> ChartOutput.Subject {
    ChartOutput.Subject(
      coin: coin, range: range, currency: settings.currency,
      providers: service.descriptors, window: TimeWindow(ending: service.time.now, length: range.window),
      zone: settings.timeZone)
  }

  /// Names the sources that have finer candles than those in force; nothing when none is known.
  private func finer(than width: Duration, _ range: ChartTimeRange, _ providers: [ProviderSummary]) -> String {
    let finer = providers.compactMap(\.descriptor).filter { provider in
      // A recording answers only what was recorded, so it is no source to go to.
      provider.recordedAt == nil && provider.capabilities.contains(.candles)
        && !provider.candleWidths.isEmpty
        && Resampling.nativeWidth(for: range.candle, among: provider.candleWidths) < width
    }
    guard !finer.isEmpty else { return "" }
    return "; finer ones: " + finer.map { "--provider \($0.id)" }.joined(separator: ", ")
  }
}

/// Finds the range of a chart: the one asked for, or the closest one that the type has.
struct ChartRangeChoice {
  private let chart: ChartSettings
  private let type: ChartType

  init(_ chart: ChartSettings, _ type: ChartType) {
    self.chart = chart
    self.type = type
  }

  /// - Parameters:
  ///   - name: What was asked for; nil for the default of the settings.
  ///   - console: Told when another range is shown.
  /// - Throws: ``BitpalError/usage(_:hint:)``.
  func range(_ name: String?, _ console: Console) throws(BitpalError) -> ChartTimeRange {
    let name = name ?? chart.defaultRange
    let names = chart.ranges.map(\.name)
    guard let wanted = chart.ranges.named(name) else {
      let nearest = NearestName.match(name, among: names).map { "did you mean \($0)? " } ?? ""
      throw .usage("--range: there is no \"\(name)\"", hint: nearest + "there are: \(names.joined(separator: ", "))")
    }
    guard let closest = chart.ranges.closest(to: wanted, for: type) else {
      throw .usage("no range is offered for \(type.plural)", hint: "see \"bitpal config show\"")
    }
    if closest != wanted {
      console.notice("\(wanted.name) is not offered for \(type.plural); showing \(closest.name)")
    }
    return closest
  }
}

extension ChartType {
  /// What several of them are called in a sentence.
  fileprivate var plural: String {
    switch self {
    case .line: "lines"
    case .candle: "candles"
    }
  }
}
