package import Bitpal
package import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The question for a chart, or for a comparison of several coins.
package struct ChartQuery: Sendable {
  package static let parameters = [
    ParameterSpec(
      "range", .text("NAME", example: "1W"),
      "range: 15M 1H 4H 1D 1W 1M 3M 6M YTD 1Y 5Y MAX, one of the settings, or a length like 14d"),
    ParameterSpec("from", .day, "first day, or an instant, instead of a range"),
    ParameterSpec("to", .day, "last day, or an instant (now)"),
    ParameterSpec("type", .choice(ChartType.allCases.map(\.rawValue)), "type of chart"),
    ParameterSpec("candle", .text("WIDTH", example: "4h"), "width of candles, such as 1h, 4h or 1d"),
  ]

  package static let points = ParameterSpec("points", .count(2...100_000), "print at most N points, in every format")

  /// The parameter for a length that ends now, which the command line does not have.
  package static let last = ParameterSpec(
    "last", .text("LENGTH", example: "30d"), "a length that ends now, or max, instead of a range")

  /// The most points; nil for all.
  package let count: Int?

  /// The type that is asked for; nil for that of the settings.
  package let type: ChartType?

  /// The type that is named; nil where it is not, or follows from the width of candles.
  package var chosenType: ChartType? { choice.candle == nil ? type : nil }
  private let choice: ChartRangeChoice
  private let length: String?
  private let notation: ParameterNotation

  /// Reads the parameters.
  ///
  /// - Parameter last: The value of ``last``; nil for none, and for an interface without that parameter.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for parameters that are bad or contradict each other.
  package init(_ parameters: some Parameters, last: String? = nil) throws(BitpalError) {
    notation = parameters.notation
    choice = try ChartRangeChoice(parameters)
    count = try parameters.number(Self.points)
    length = last
    if length != nil, parameters["range"] ?? parameters["from"] != nil {
      throw .usage(
        "\(notation("last")) contradicts \(notation("range")) and \(notation("from"))", hint: "give one of them")
    }
    // A width of candles implies candles.
    guard let text = parameters["type"] else {
      type = choice.candle == nil ? nil : .candle
      return
    }
    guard let type = ChartType(rawValue: text) else {
      throw .usage("\(notation("type")): unknown type \"\(text)\"", hint: "there are: line, candle")
    }
    if choice.candle != nil, type == .line {
      throw .usage(
        "\(notation("candle")) and \(notation(["type": "line"])) contradict each other", hint: "give one of them")
    }
    self.type = type
  }

  /// Returns the type and the range that are asked for.
  ///
  /// - Parameters:
  ///   - only: The type where the question cannot choose it.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for an unknown range, and for dates that do not make one.
  package func question(
    only: ChartType? = nil, _ defaults: QueryDefaults, currency: String, by service: PriceService
  ) throws(BitpalError) -> ChartQuestion {
    let type = only ?? type ?? defaults.type
    let now = service.time.now
    var range: ChartTimeRange
    var wanted: ChartTimeRange?
    if let length {
      range = try self.range(last: length, defaults, now)
      if let candle = choice.candle { range = range.with(candle: candle) }
    } else {
      (range, wanted) = try choice.range(
        type, usual: defaults.range, among: defaults.ranges, zone: defaults.zone, now: now)
    }
    return ChartQuestion(
      type: type, range: range, insteadOf: wanted, currency: currency, zone: defaults.zone, now: now,
      descriptors: service.descriptors, name: { service.knownName(of: $0) }, service: service)
  }

  /// Returns the range of a length that ends now, or of all prices for `max`.
  ///
  /// A range of the settings that has this length gives its points and candles.
  private func range(
    last text: String, _ defaults: QueryDefaults, _ now: Date
  ) throws(BitpalError) -> ChartTimeRange {
    let ranges = defaults.ranges.filter { $0.end == nil }
    if text == "max" { return ranges.first { $0.beginning == .ever } ?? .ever }
    guard let length = Duration(unitText: text), (.seconds(60)...ChartTimeRange.longest).contains(length) else {
      throw .usage(
        "\(notation("last")): \"\(text)\" is not a length from 1m to 36500d", hint: "write it like 24h or 30d, or max")
    }
    return ranges.lasting(length) ?? .lasting(length, now: now, name: text)
  }
}

extension ChartTimeRange {
  /// The range of all prices there are, where the settings have none.
  package static let ever = ChartTimeRange(
    name: "max", window: .seconds(1826 * 86_400), points: 130, candle: .seconds(4 * 86_400),
    timeToLive: .seconds(6 * 3600), beginning: .ever)
}
