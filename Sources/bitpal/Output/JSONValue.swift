import BitpalModel
import FoundationEssentials

/// A JSON value whose objects keep the order of their keys.
///
/// There is no floating-point case: money is text, counts are integers.
indirect enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// A text, or null.
  init(_ text: String?) {
    self = text.map { .string($0) } ?? .null
  }

  /// All digits of a number as text, or null.
  init(_ number: Decimal?) {
    self = number.map { .string($0.plainText) } ?? .null
  }

  /// An instant in ISO 8601, or null.
  init(_ instant: Date?) {
    self = instant.map { .string($0.iso8601) } ?? .null
  }
}
