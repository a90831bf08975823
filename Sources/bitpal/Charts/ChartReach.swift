import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalService
import FoundationEssentials

extension ChartRangeChoice {
  /// Reads the range and the width of candles from the options.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for options that contradict each other, and for a width that is not a
  ///   duration.
  init(_ raw: RawArguments) throws(BitpalError) {
    try self.init(
      name: raw.value(.range), from: raw.value(.from), to: raw.value(.to), candle: raw.value(.candle), .options)
  }

  /// Returns the range asked for, or the closest one that is offered for the type.
  ///
  /// - Parameter console: The console that gets a notice when another range is shown.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for an unknown range, and for dates that do not make one.
  func range(
    _ type: ChartType, _ settings: Settings, now: Date, _ console: Console
  ) throws(BitpalError) -> ChartTimeRange {
    let (range, wanted) = try range(
      type, usual: settings.chart.defaultRange, among: settings.chart.ranges, zone: settings.timeZone, now: now)
    if let wanted { console.notice("\(wanted.name) is not offered for \(type.plural); showing \(range.name)") }
    return range
  }
}

/// The time that a chart covers, and the providers that may go further back.
struct ChartReach {
  private let range: ChartTimeRange
  private let type: ChartType
  private let providers: [ProviderDescriptor]
  private let now: Date

  /// - Parameter providers: All configured providers; shadowed ones are left out.
  init(_ range: ChartTimeRange, _ type: ChartType, providers: [ProviderSummary], now: Date) {
    self.range = range
    self.type = type
    self.providers = providers.filter { !$0.isShadowed }.compactMap(\.descriptor)
    self.now = now
  }

  /// Returns the answer of `ask`.
  ///
  /// - Throws: The error of `ask`. A ``BitpalError/planLimit(provider:reason:others:)`` also names the providers that
  ///   go further back than the one that failed.
  func naming<Value>(_ ask: () async throws -> Value) async throws -> Value {
    do {
      return try await ask()
    } catch BitpalError.planLimit(let provider, let reason, _) {
      throw BitpalError.planLimit(
        provider: provider, reason: reason,
        others: others(than: provider, back: now.since(range.timeWindow(at: now).start)))
    }
  }

  /// Prints a notice of the time at which the prices begin, and why, when that is later than asked for.
  func tell<Value>(_ instants: [Date], of answer: Sourced<Value>, _ console: Console, _ zone: ClockZone) {
    guard let late = LateBeginning(instants, of: answer, over: range, type, providers: providers) else { return }
    let others = others(than: answer.source, of: answer.about.coin, back: now.since(late.first) + .seconds(86_400))
    guard late.isShort || !others.isEmpty else { return }
    console.notice(
      late.message(in: zone)
        + (others.isEmpty ? "" : "; these may go further back: \(BitpalError.choices(others))"))
  }

  /// Returns the ids of the providers that answer for so long a time back.
  ///
  /// A recording is left out, because it has only what was recorded. A provider that states no limit counts as one
  /// without a limit.
  ///
  /// - Parameter coin: The coin that they must have; nil when it is not known which coin is meant.
  private func others(than source: String, of coin: String? = nil, back length: Duration) -> [String] {
    let capability: Capability = type == .line ? .line : .candles
    return providers.filter { provider in
      provider.id != source && provider.recordedAt == nil && provider.capabilities.contains(capability)
        && coin.map { provider.coins.has($0) } ?? true
        && provider.reach[capability].map { $0.longest >= length } ?? true
    }.map(\.id)
  }
}
