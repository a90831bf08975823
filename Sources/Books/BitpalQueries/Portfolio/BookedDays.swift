package import BitpalModel
package import FoundationEssentials

/// The days on which the transactions to show were booked, by the clocks of a zone: all, those of a year, or from one day to
/// another, such as a tax year that begins in April.
package struct BookedDays: Sendable {
  package static let all = BookedDays()

  /// Returns the parameters.
  ///
  /// - Parameter subject: What the days are those of, such as `sales`.
  package static func parameters(of subject: String) -> [ParameterSpec] {
    [
      ParameterSpec("year", .text("YEAR"), "only \(subject) of this year"),
      ParameterSpec("from", .day, "only \(subject) from this day on"),
      ParameterSpec("to", .day, "only \(subject) until this day"),
    ]
  }

  private var first: String?
  private var last: String?
  private var year: String?

  private init() {}

  /// Reads `year`, `from` and `to`.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a year that is not a number from 1970 to 9999, a year together with days, and
  ///   a first day after the last.
  package init(_ parameters: some Parameters) throws(BitpalError) {
    let notation = parameters.notation
    first = try parameters.day("from")?.dayText
    last = try parameters.day("to")?.dayText
    year = parameters["year"]
    if let year {
      guard let number = Int(year), (1970...9999).contains(number), year.utf8.count == 4 else {
        throw .usage(
          "\(notation("year")): \"\(year)\" is not a year",
          hint:
            "write it like 2024, and one that begins later like \(notation(["from": "2024-04-06", "to": "2025-04-05"]))"
        )
      }
      guard first == nil, last == nil else {
        throw .usage("\(notation("year")) and days contradict each other", hint: "give one of them")
      }
    }
    if let first, let last, first > last { throw .usage("\(notation("from")) is after \(notation("to"))") }
  }

  /// Returns whether an instant lies in one of the days.
  package func contains(_ instant: Date, in zone: ClockZone) -> Bool {
    let day = instant.bookedDayText(in: zone)
    return day >= first ?? day && day <= last ?? day && year.map { day.hasPrefix($0 + "-") } ?? true
  }

  /// The days as the end of a sentence, with a blank before it: ` in 2024`, ` since 2024-04-06`; empty for all.
  package var phrase: String {
    [year.map { " in \($0)" }, first.map { " since \($0)" }, last.map { " until \($0)" }].compactMap(\.self).joined()
  }
}
