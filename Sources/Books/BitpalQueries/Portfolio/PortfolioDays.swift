package import BitpalModel
package import FoundationEssentials

/// The days of a portfolio that a question covers: those of a range, or from one day to another, in UTC.
package struct PortfolioDays: Sendable {
  /// Returns the parameters.
  ///
  /// - Parameter range: The purpose of the range, with the default.
  package static func parameters(range: String) -> [ParameterSpec] {
    [
      ParameterSpec("range", .text("NAME", example: "1Y"), range),
      ParameterSpec("from", .day, "first day, instead of a range"),
      ParameterSpec("to", .day, "last day (now)"),
    ]
  }

  private let range: ChartRangeChoice?
  private let from: Date?
  private let to: Date?

  /// The name of the default range; nil for all days since the first transaction.
  private let usual: String?
  private let notation: ParameterNotation

  /// Reads `range`, `from` and `to`.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a range together with days, a first day after the last, and a text
  ///   that is not a day.
  package init(_ parameters: some Parameters, usual: String?) throws(BitpalError) {
    self.usual = usual
    notation = parameters.notation
    from = try parameters.day("from")
    to = try parameters.day("to")
    let name = parameters["range"]
    if name != nil, from != nil || to != nil {
      throw .usage(
        "\(notation("range")) is one window, \(notation("from")) and \(notation("to")) are another",
        hint: "give one or the other")
    }
    if let from, let to, from > to { throw .usage("\(notation("from")) is after \(notation("to"))") }
    range =
      from == nil && to == nil && (name ?? usual) != nil
      ? try ChartRangeChoice(name: name, from: nil, to: nil, candle: nil, notation) : nil
  }

  /// Returns the first and the last day, and the name of the span.
  ///
  /// - Returns: The first day, nil for that of the first transaction; the last day, nil for today; the name; and the
  ///   name in titles.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for an unknown range, or one of less than two days.
  package func span(
    _ defaults: QueryDefaults, now: Date
  ) throws(BitpalError) -> (first: Date?, last: Date?, name: String, title: String) {
    guard let range else {
      let message = [from.map { "since \($0.dayText)" }, to.map { "until \($0.dayText)" }].compactMap(\.self)
      let name = message.isEmpty ? "all" : message.joined(separator: " ")
      return (from, to, name, message.isEmpty ? ChartTimeRange.ever.spelledOut : name)
    }
    let name = usual.flatMap { defaults.ranges.named($0) }?.name ?? defaults.range
    let found = try range.range(.line, usual: name, among: defaults.ranges, zone: .utc, now: now).range
    guard PortfolioHistory.spans(found, now: now) else {
      throw .usage(
        "\(notation("range")): \(found.name) is too short: a portfolio is valued by the day",
        hint: "give 1W, or a longer one")
    }
    return (PortfolioHistory.firstDay(of: found, now: now), nil, found.name, found.spelledOut)
  }
}
