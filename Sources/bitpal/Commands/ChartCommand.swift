import BitpalCharts
import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalProviders
import BitpalService

/// What `bitpal chart COIN…` does: one coin is drawn, several are compared.
struct ChartCommand: Command {
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
      let subject = try await subject(coin, range, settings, service)
      let view = ChartView(line: line, subject, canvas: canvas(session), atMost: count)
      try show(view, chart: view.chart, session)
      session.console.tellOddities(of: [line]) { _ in subject.coin }
    case .candle:
      let candles = try await service.candles(coin, range: range, currency: settings.currency, policy: policy)
      let subject = try await subject(coin, range, settings, service)
      let view = ChartView(candles: candles, subject, canvas: canvas(session), atMost: count)
      try show(view, chart: view.chart, session)
      session.console.tellOddities(of: [candles]) { _ in subject.coin }
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
    var series: [ComparisonView.Series] = []
    var failures: [CoinFailure] = []
    for coin in coins {
      do {
        let line = try await service.line(coin, range: range, currency: settings.currency, policy: policy)
        let id = try await service.resolve(coin, policy: .offline)
        if !series.contains(where: { $0.coin == id }) { series.append(.init(coin: id, line: line)) }
      } catch let error as BitpalError {
        failures.append(CoinFailure(coin: coin, error: error))
      }
    }
    let view = ComparisonView(
      series, failures: failures, range: range, currency: settings.currency, providers: service.descriptors,
      canvas: canvas(session), atMost: count)
    if !series.isEmpty || session.options.format == .json { try show(view, chart: view.chart, session) }
    session.console.tellOddities(of: series.map(\.line)) { _ in "the comparison" }
    session.console.tell(failures)
    return ExitStatus(answered: series.count, failures: failures.map(\.error.code))
  }

  /// Writes the picture where it was wanted, else the view in the form asked for.
  private func show(_ view: some View, chart: Chart, _ session: Session) throws(BitpalError) {
    switch svg {
    case nil:
      try session.show(view)
    case "-"?:
      try session.console.answer(SVGChart(chart).document())
    case let path?:
      try FileReplacement.replace(path, with: Array(SVGChart(chart).document().utf8), access: .shared)
      session.console.notice("wrote \(path)")
    }
  }

  /// How a table is drawn; nil when rows were asked for.
  private func canvas(_ session: Session) -> ChartCanvas? {
    if asRows { return nil }
    let console = session.console
    return ChartCanvas(
      width: width, height: height, ascii: isASCII,
      terminal: console.isTerminal ? TerminalSize.current() : nil)
  }

  /// What the chart is of.
  ///
  /// The answer is there, so whatever led from the name to the id is known without asking anyone.
  private func subject(
    _ coin: String, _ range: ChartTimeRange, _ settings: Settings, _ service: PriceService
  ) async throws -> ChartView.Subject {
    ChartView.Subject(
      coin: try await service.resolve(coin, policy: .offline), range: range, currency: settings.currency,
      providers: service.descriptors, window: TimeWindow(ending: service.time.now, length: range.window))
  }

  /// Names the sources that have finer candles than those in force; nothing when none is known.
  private func finer(than width: Duration, _ range: ChartTimeRange, _ providers: [ProviderSummary]) -> String {
    let finer = providers.compactMap(\.descriptor).filter { provider in
      provider.recordedAt == nil && provider.capabilities.contains(.candles)
        && !provider.candleWidths.isEmpty
        && Resampling.nativeWidth(for: range.candle, among: provider.candleWidths) < width
    }
    guard !finer.isEmpty else { return "" }
    return "; finer ones: " + finer.map { "--provider \($0.id)" }.joined(separator: ", ")
  }
}
