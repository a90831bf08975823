/// One request as it arrived.
public struct Request: Sendable {
  /// When it had been read.
  public let time: ContinuousClock.Instant

  /// Which connection it came on, from 1.
  public let connection: Int

  /// `GET`.
  public let method: String

  /// Path and query, as sent.
  public let target: String

  /// The headers, in order, names as sent.
  public let headers: [(name: String, value: String)]

  /// What was sent with it.
  public let body: [UInt8]

  /// The value of a header, whatever its case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The path without the query.
  public var path: String { String(target.prefix { $0 != "?" }) }
}
