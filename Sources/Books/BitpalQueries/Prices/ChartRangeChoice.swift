package import BitpalModel
package import FoundationEssentials

/// The range of a chart as it is asked for: by name, or from a day to a day; and how wide its candles are to be.
package struct ChartRangeChoice: Sendable {
  /// Nil for the width of the range.
  package let candle: Duration?
  private let name: String?
  private let from: String?
  private let to: String?
  private let notation: ParameterNotation

  /// Creates a chart range choice.
  ///
  /// - Parameters:
  ///   - name: The range's.
  ///   - from: The first day, or an instant.
  ///   - to: The last day, or an instant.
  ///   - candle: The width, like `4h`.
  ///   - notation: The notation of the parameters, for errors.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for parameters that contradict each other.
  package init(
    name: String?, from: String?, to: String?, candle: String?, _ notation: ParameterNotation
  ) throws(BitpalError) {
    self.name = name
    self.from = from
    self.to = to
    self.notation = notation
    self.candle = try candle.map { text throws(BitpalError) in
      guard let width = Duration(unitText: text), width >= .seconds(1) else {
        throw .usage("\(notation("candle")): \"\(text)\" is not a width", hint: "write it like 15m, 4h or 1d")
      }
      return width
    }
    if let name, Int(name) != nil {
      throw .usage("\(notation("range")): \"\(name)\" has no unit", hint: "write it like \(name)d or \(name)h")
    }
    if name != nil, from != nil {
      throw .usage("\(notation("range")) and \(notation("from")) contradict each other", hint: "give one of them")
    }
    if to != nil, from == nil {
      throw .usage(
        "\(notation("to")) needs \(notation("from"))",
        hint: "as in \(notation(["from": "2025-01-01", "to": "2025-01-14"]))")
    }
  }

  /// Reads `range`, `from`, `to` and `candle`.
  ///
  /// - Throws: As ``init(name:from:to:candle:_:)``.
  package init(_ parameters: some Parameters) throws(BitpalError) {
    try self.init(
      name: parameters["range"], from: parameters["from"], to: parameters["to"], candle: parameters["candle"],
      parameters.notation)
  }

  /// Returns the range that was asked for, or the closest one that the type has.
  ///
  /// - Parameters:
  ///   - usual: The name of the range that is taken where none is asked for.
  ///   - ranges: All there are.
  ///   - zone: The time zone for day boundaries.
  /// - Returns: The range, and the one that was asked for where that is not offered for the type.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a range that does not exist.
  package func range(
    _ type: ChartType, usual: String, among ranges: [ChartTimeRange], zone: ClockZone, now: Date
  ) throws(BitpalError) -> (range: ChartTimeRange, insteadOf: ChartTimeRange?) {
    var range: ChartTimeRange
    var wanted: ChartTimeRange?
    if let from {
      range = try between(from, zone, now)
    } else {
      (range, wanted) = try named(type, name ?? usual, ranges, now)
      range = range.standing(at: now, in: zone)
    }
    if let candle {
      range = range.with(candle: candle)
      let length = range.timeWindow(at: now).length
      guard candle <= length else {
        throw .usage(
          "\(notation("candle")): \(candle.unitText) is wider than the whole chart, \(length.shortText)",
          hint: "give a narrower one, or a longer range")
      }
    }
    return (range, wanted)
  }

  private func between(_ from: String, _ zone: ClockZone, _ now: Date) throws(BitpalError) -> ChartTimeRange {
    let start = try instant(from, "from", zone)
    guard start < now else {
      throw .usage("\(notation("from")): \(from) is in the future; it is \(now.minuteText(in: zone)) now")
    }
    guard let to else { return .between(start, nil, now: now, name: "since \(from)", in: zone) }
    var end = try instant(to, "to", zone)
    // A day is meant to its end.
    if to.utf8.count == 10 { end = zone.startOfDay(end.adding(.seconds(36 * 3600))) }
    guard start < end else { throw .usage("\(notation("from")): \(from) is not before \(to)") }
    return .between(start, end <= now ? end : nil, now: now, name: "\(from) to \(to)", in: zone)
  }

  private func instant(_ text: String, _ name: String, _ zone: ClockZone) throws(BitpalError) -> Date {
    guard let instant = Date(text, in: zone) else {
      let isLength = name == "from" && ChartTimeRange.length(text) != nil
      throw .usage(
        "\(notation(name)): \"\(text)\" is not a day",
        hint: isLength ? "did you mean \(notation(["range": text]))?" : "write it like 2025-01-14")
    }
    return text.utf8.count == 10 ? zone.midnight(ofDay: instant) : instant
  }

  /// The names that other tools give to ranges.
  private static let otherNames = [
    "all": "MAX", "ever": "MAX", "hour": "1H", "day": "1D", "week": "1W", "month": "1M", "1mo": "1M", "1month": "1M",
    "quarter": "3M", "1q": "3M", "3mo": "3M", "6mo": "6M", "12m": "1Y", "12mo": "1Y", "year": "1Y", "1year": "1Y",
  ]

  private func named(
    _ type: ChartType, _ name: String, _ ranges: [ChartTimeRange], _ now: Date
  ) throws(BitpalError) -> (ChartTimeRange, ChartTimeRange?) {
    let names = ranges.map(\.name)
    guard
      let wanted = ranges.named(Self.otherNames[name.lowercased()] ?? name)
        ?? ChartTimeRange.length(name).map({ ChartTimeRange.lasting($0, now: now, name: name) })
    else {
      let nearest = NearestName.match(name, among: names).map { "did you mean \($0)? " } ?? ""
      throw .usage(
        "\(notation("range")): unknown range \"\(name)\"",
        hint: nearest
          + "there are: \(names.joined(separator: ", ")), and lengths such as 12h or 14d; \(notation("from")) and \(notation("to")) show any time"
      )
    }
    guard let closest = ranges.closest(to: wanted, for: type) else {
      throw .usage("no range is offered for \(type.plural)", hint: "add one under ranges: in the settings")
    }
    return (closest, closest == wanted ? nil : wanted)
  }
}

extension ChartType {
  /// The plural of the type's name.
  package var plural: String {
    switch self {
    case .line: "lines"
    case .candle: "candles"
    }
  }
}
