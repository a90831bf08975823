import BitpalConfig
import BitpalModel
import BitpalProviders
import BitpalService
import FoundationEssentials

/// The range of a chart as it was asked for: by name, or from a day to a day; and how wide its candles are to be.
struct ChartRangeChoice {
  /// Nil for the width of the range.
  let candle: Duration?
  private let name: String?
  private let from: String?
  private let to: String?

  /// - Throws: ``BitpalError/usage(_:hint:)`` for options that contradict each other.
  init(_ raw: RawArguments) throws(BitpalError) {
    name = raw.value(.range)
    from = raw.value(.from)
    to = raw.value(.to)
    candle = try raw.value(.candle).map { text throws(BitpalError) in
      guard let width = Duration(unitText: text), width >= .seconds(1) else {
        throw .usage("--candle: \"\(text)\" is not a width", hint: "write it like 15m, 4h or 1d")
      }
      return width
    }
    if name != nil, from != nil {
      throw .usage("--range and --from contradict each other", hint: "give one of them")
    }
    if to != nil, from == nil { throw .usage("--to needs --from", hint: "as in --from 2025-01-01 --to 2025-01-14") }
  }

  /// The range: the one asked for, or the closest one that the type has.
  ///
  /// - Parameter console: Told when another range is shown.
  /// - Throws: ``BitpalError/usage(_:hint:)``.
  func range(
    _ type: ChartType, _ settings: Settings, now: Date, _ console: Console
  ) throws(BitpalError) -> ChartTimeRange {
    var range: ChartTimeRange
    if let from {
      range = try between(from, settings.timeZone, now)
    } else {
      range = try named(type, settings.chart, console).standing(at: now, in: settings.timeZone)
    }
    if let candle {
      range = range.with(candle: candle)
      let length = range.timeWindow(at: now).length
      guard candle <= length else {
        throw .usage(
          "--candle: \(candle.unitText) is wider than the whole chart, \(length.shortText)",
          hint: "give a narrower one, or a longer range")
      }
    }
    return range
  }

  private func between(_ from: String, _ zone: ClockZone, _ now: Date) throws(BitpalError) -> ChartTimeRange {
    let start = try instant(from, .from, zone)
    guard start < now else { throw .usage("--from: \(from) is in the future; it is \(now.minuteText(in: zone)) now") }
    guard let to else { return .between(start, nil, now: now, name: "since \(from)") }
    var end = try instant(to, .to, zone)
    // A day is meant to its end.
    if to.utf8.count == 10 { end = zone.startOfDay(end.adding(.seconds(36 * 3600))) }
    guard start < end else { throw .usage("--from: \(from) is not before \(to)") }
    return .between(start, end < now ? end : nil, now: now, name: "\(from) to \(to)")
  }

  private func instant(_ text: String, _ name: OptionName, _ zone: ClockZone) throws(BitpalError) -> Date {
    guard let instant = Date(utcText: text) else {
      throw .usage("\(name.spelling): \"\(text)\" is not a day", hint: "write it like 2025-01-14")
    }
    return text.utf8.count == 10 ? zone.midnight(ofDay: instant) : instant
  }

  private func named(
    _ type: ChartType, _ chart: ChartSettings, _ console: Console
  ) throws(BitpalError) -> ChartTimeRange {
    let name = name ?? chart.defaultRange
    let names = chart.ranges.map(\.name)
    guard let wanted = chart.ranges.named(name) else {
      let nearest = NearestName.match(name, among: names).map { "did you mean \($0)? " } ?? ""
      throw .usage(
        "--range: there is no \"\(name)\"",
        hint: nearest + "there are: \(names.joined(separator: ", ")); --from and --to show any time")
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

extension ChartType {
  /// What several of them are called in a sentence.
  fileprivate var plural: String {
    switch self {
    case .line: "lines"
    case .candle: "candles"
    }
  }
}
