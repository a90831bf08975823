import BitpalConfig
import BitpalModel
import BitpalProviders
import BitpalService
import FoundationEssentials

extension ChartRangeChoice {
  /// - Throws: ``BitpalError/usage(_:hint:)`` for options that contradict each other.
  init(_ raw: RawArguments) throws(BitpalError) {
    try self.init(
      name: raw.value(.range), from: raw.value(.from), to: raw.value(.to), candle: raw.value(.candle), .options)
  }

  /// The range: the one asked for, or the closest one that the type has.
  ///
  /// - Parameter console: Told when another range is shown.
  /// - Throws: ``BitpalError/usage(_:hint:)``.
  func range(
    _ type: ChartType, _ settings: Settings, now: Date, _ console: Console
  ) throws(BitpalError) -> ChartTimeRange {
    let (range, wanted) = try range(
      type, usual: settings.chart.defaultRange, among: settings.chart.ranges, zone: settings.timeZone, now: now)
    if let wanted { console.notice("\(wanted.name) is not offered for \(type.plural); showing \(range.name)") }
    return range
  }
}

/// How far back a chart reaches, and who could reach further.
struct ChartReach {
  private let window: TimeWindow
  private let isAll: Bool
  private let capability: Capability
  private let providers: [ProviderDescriptor]
  private let now: Date

  /// - Parameter providers: All there are.
  init(_ range: ChartTimeRange, _ type: ChartType, providers: [ProviderSummary], now: Date) {
    window = range.timeWindow(at: now)
    isAll = range.beginning == .ever
    capability = type == .line ? .line : .candles
    self.providers = providers.filter { !$0.isShadowed }.compactMap(\.descriptor)
    self.now = now
  }

  /// The answer, or the failure with those who go further back than who failed.
  func naming<Value>(_ ask: () async throws -> Value) async throws -> Value {
    do {
      return try await ask()
    } catch BitpalError.planLimit(let provider, let reason, _) {
      throw BitpalError.planLimit(
        provider: provider, reason: reason, others: others(than: provider, back: now.since(window.start)))
    }
  }

  /// Says where the prices begin when that is later than asked for.
  func tell<Value>(_ instants: [Date], of answer: Sourced<Value>, _ console: Console, _ zone: ClockZone) {
    guard let first = instants.first, let last = instants.last else { return }
    // The first of a grid stands up to a step after the beginning; a source may have left out one more.
    let step = last.since(first).milliseconds / Int64(max(1, instants.count - 1))
    guard first.since(window.start).milliseconds > 2 * step + 60_000 else { return }
    let others = others(than: answer.source, of: answer.about.coin, back: now.since(first) + .seconds(86_400))
    // Where everything was asked for, everything there is may have come.
    guard !isAll || !others.isEmpty else { return }
    console.notice(
      "\(answer.about.coin): the prices of \(answer.source) begin on \(first.dayText(in: zone))"
        + (others.isEmpty ? "" : "; these may go further back: \(BitpalError.choices(others))"))
  }

  /// Those who answer from so far back on; of recordings nobody knows more than is in them.
  ///
  /// - Parameter coin: The coin that they must have; nil where nobody has found out which one is meant.
  private func others(than source: String, of coin: String? = nil, back length: Duration) -> [String] {
    providers.filter { provider in
      provider.id != source && provider.recordedAt == nil && provider.capabilities.contains(capability)
        && coin.map { provider.coins.has($0) } ?? true
        && provider.reach[capability].map { $0 >= length } ?? true
    }.map(\.id)
  }
}
