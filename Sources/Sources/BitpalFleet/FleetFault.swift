import BitpalModel

/// A failure of an exchange with a fleet's server.
package enum FleetFault: Error, Hashable {
  /// The server failed a moment ago and is not asked; the reason of that failure.
  case away(String)

  /// Nothing was received for this time.
  case silent(Duration)

  /// The connection failed or has ended; the message of libcurl or of the system.
  case broken(String)

  /// The server refuses the command: no password, read only, out of memory.
  case refused(RESPFault)

  /// The server is not Redis, or does not follow its protocol.
  case foreign(String)

  /// A value is longer than any of ours, and was not read; this is not evidence of a failing server.
  case tooLong

  /// The caller's own deadline has come; this is not evidence of a failing server.
  case noTime

  /// The description of the failure, to follow the server's address.
  package var message: String {
    switch self {
    case .away(let message), .broken(let message), .foreign(let message): message
    case .silent(let time): "has not answered for \(time.shortText)"
    case .refused(let fault):
      // More text follows, so the full stop is removed.
      "says " + (fault.message.hasSuffix(".") ? String(fault.message.dropLast()) : fault.message).printable(limit: 200)
    case .tooLong: "has a value that is longer than any of bitpal's"
    case .noTime: "could not be asked in the time there was"
    }
  }
}
