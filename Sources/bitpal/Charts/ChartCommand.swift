import BitpalCharts
import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalService

/// What `bitpal chart COIN…` does: one coin is drawn, several are compared.
struct ChartCommand: Command {
  static let name = "chart"
  static let spec = CommandSpec(
    name, "how a price moved, drawn or as numbers; several coins compared", operands: .some("COIN"),
    options: [
      OptionSpec(
        .range, .text("NAME"),
        help: "window of time: 15M 1H 4H 1D 1W 1M 3M 6M YTD 1Y 5Y MAX, or one of the settings"),
      OptionSpec(.from, .text("DATE"), help: "begin with a day, or an instant, instead of a range"),
      OptionSpec(.to, .text("DATE"), help: "last day, or an instant; now by default"),
      OptionSpec(.type, .choice(["line", "candle"]), help: "prices, or open, high, low and close"),
      OptionSpec(.candle, .text("WIDTH"), help: "draw candles so wide, such as 1h, 4h or 1d"),
      OptionSpec(.svg, .text("FILE"), help: "write the picture as SVG; - for standard output"),
      OptionSpec(
        .width, .text("N"), help: "columns, 20 to 300, the terminal's or 80 by default; of an SVG pixels, 320 to 4000"),
      OptionSpec(.height, .text("N"), help: "rows of the plot, 3 to 100; of an SVG pixels, 200 to 4000"),
      OptionSpec(.points, .text("N"), help: "at most so many points, in every format"),
      OptionSpec(.ascii, help: "draw with plain characters only"),
      OptionSpec(.rows, help: "a table of rows instead of a drawing"),
    ],
    isQuestion: true,
    details: [
      "A range that the type lacks moves to the closest one, and says so. Candles have the width the range wants where "
        + "the source's own make it, or at least three samples of its line do; else the source's, and the title says so.",
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
  private let svg: String?
  private let width: Int?
  private let height: Int?
  private let count: Int?
  private let isASCII: Bool
  private let asRows: Bool

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    coins = arguments.coins
    choice = try ChartRangeChoice(arguments.raw)
    // Who says how wide candles are to be wants candles.
    type = arguments.raw.value(.type).flatMap(ChartType.init(rawValue:)) ?? (choice.candle == nil ? nil : .candle)
    if choice.candle != nil, type == .line {
      throw .usage("--candle and --type line contradict each other", hint: "give one of them")
    }
    policy = arguments.options.policy
    svg = arguments.raw.value(.svg)
    try Self.check(svg)
    width = try arguments.number(.width, in: svg == nil ? 20...300 : SVGChart.sizes.width)
    height = try arguments.number(.height, in: svg == nil ? 3...100 : SVGChart.sizes.height)
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
    let service = try session.assembly(settings).priceService()
    let range = try choice.range(type, settings, now: service.time.now, session.console)
    let reach = ChartReach(range, type, providers: session.assembly(settings).providers(), now: service.time.now)
    switch type {
    case .line:
      let line = try await reach.naming {
        try await service.line(coin, range: range, currency: settings.currency, policy: policy)
      }
      let subject = subject(line.about.coin, range, settings, service)
      let view = ChartView(output: ChartOutput(line: line, subject, atMost: count), canvas: canvas(session))
      try show(view, chart: view.output.chart, session)
      session.console.warn(about: [line]) { _ in subject.coin }
      reach.tell(line.value.points.map(\.timestamp), of: line, session.console, settings.timeZone)
    case .candle:
      let candles = try await reach.naming {
        try await service.candles(coin, range: range, currency: settings.currency, policy: policy)
      }
      let subject = subject(candles.about.coin, range, settings, service)
      let view = ChartView(
        output: ChartOutput(candles: candles, subject, atMost: count), canvas: canvas(session))
      try show(view, chart: view.output.chart, session)
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
    for line in series.map(\.line) {
      reach.tell(line.value.points.map(\.timestamp), of: line, session.console, settings.timeZone)
    }
    session.console.tell(failures)
    return ExitStatus(answered: series.count, failures: failures.map(\.error.code))
  }

  /// Refuses a file whose name says that it is a picture of another kind.
  private static func check(_ path: String?) throws(BitpalError) {
    guard let name = path?.split(separator: "/").last, let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return
    }
    guard name[dot...].lowercased() != ".svg" else { return }
    let stem = name[..<dot]
    throw .usage(
      "--svg: \(name) is not named as an SVG file, and no other kind of picture is written",
      hint: "give --svg \(stem).svg, and convert that: rsvg-convert \(stem).svg -o \(name)")
  }

  /// Writes the picture where it was wanted, else the view in the form asked for.
  private func show(_ view: some View, chart: Chart, _ session: Session) throws(BitpalError) {
    let picture = SVGChart(chart, width: width ?? 960, height: height ?? 480, digits: session.options.digits)
    switch svg {
    case nil:
      try session.show(view)
    case "-"?:
      try session.console.answer(picture.document())
    case let path?:
      try FileReplacement.replace(
        path, with: Array(picture.document().utf8), access: .shared)
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
      providers: service.descriptors, window: range.beginning == .ever ? nil : range.timeWindow(at: service.time.now),
      zone: settings.timeZone)
  }

  /// Names the sources that have finer candles than those in force; nothing when none is known.
  private func finer(
    than width: Duration, of coin: String, _ range: ChartTimeRange, _ providers: [ProviderSummary]
  ) -> String {
    let finer = providers.compactMap(\.descriptor).filter { provider in
      // A recording answers only what was recorded, so it is no source to go to.
      provider.recordedAt == nil && provider.capabilities.contains(.candles) && provider.coins.has(coin)
        && !provider.candleWidths.isEmpty
        && Resampling.nativeWidth(for: range.candle, among: provider.candleWidths) < width
    }
    return finer.isEmpty ? "" : "; finer ones: " + BitpalError.choices(finer.map(\.id))
  }
}
