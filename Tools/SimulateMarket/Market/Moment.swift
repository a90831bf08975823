import BitpalModel
import FoundationEssentials

/// The instant of the recording and the calendar around it, in milliseconds since 1970.
enum Moment {
  /// 2025-01-15T10:30:00Z.
  static let now = 1_736_937_000_000

  static let minute = 60_000
  static let hour = 60 * minute
  static let day = 24 * hour

  static func iso8601(_ milliseconds: Int) -> String {
    Date(milliseconds: Int64(milliseconds)).iso8601
  }

  /// Some instant of that day (`2021-11-10`), with milliseconds as the source writes them.
  static func sometime(on day: String, random: inout SplitMix64) throws -> String {
    guard let midnight = Date(utcText: day) else { throw SimulationError(message: "\"\(day)\" is not a day") }
    return iso8601(Int(midnight.milliseconds) + random.next(in: 0...86_399) * 1000 + random.next(in: 1...999))
  }
}
