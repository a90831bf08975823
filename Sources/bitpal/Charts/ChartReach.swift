import BitpalConfig
import BitpalModel
import BitpalOutput
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
  private let range: ChartTimeRange
  private let type: ChartType
  private let providers: [ProviderDescriptor]
  private let now: Date

  /// - Parameter providers: All there are.
  init(_ range: ChartTimeRange, _ type: ChartType, providers: [ProviderSummary], now: Date) {
    self.range = range
    self.type = type
    self.providers = providers.filter { !$0.isShadowed }.compactMap(\.descriptor)
    self.now = now
  }

  /// The answer, or the failure with those who go further back than who failed.
  func naming<Value>(_ ask: () async throws -> Value) async throws -> Value {
    do {
      return try await ask()
    } catch BitpalError.planLimit(let provider, let reason, _) {
      throw BitpalError.planLimit(
        provider: provider, reason: reason,
        others: others(than: provider, back: now.since(range.timeWindow(at: now).start)))
    }
  }

  /// Says where the prices begin, and why, when that is later than asked for.
  func tell<Value>(_ instants: [Date], of answer: Sourced<Value>, _ console: Console, _ zone: ClockZone) {
    guard let late = LateBeginning(instants, of: answer, over: range, type, providers: providers) else { return }
    let others = others(than: answer.source, of: answer.about.coin, back: now.since(late.first) + .seconds(86_400))
    guard late.isShort || !others.isEmpty else { return }
    console.notice(
      late.message(in: zone)
        + (others.isEmpty ? "" : "; these may go further back: \(BitpalError.choices(others))"))
  }

  /// Those who answer from so far back on; of recordings nobody knows more than is in them.
  ///
  /// - Parameter coin: The coin that they must have; nil where nobody has found out which one is meant.
  private func others(than source: String, of coin: String? = nil, back length: Duration) -> [String] {
    let capability: Capability = type == .line ? .line : .candles
    return providers.filter { provider in
      provider.id != source && provider.recordedAt == nil && provider.capabilities.contains(capability)
        && coin.map { provider.coins.has($0) } ?? true
        && provider.reach[capability].map { $0.longest >= length } ?? true
    }.map(\.id)
  }
}
