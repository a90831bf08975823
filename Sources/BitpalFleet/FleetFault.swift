import BitpalModel

/// What comes from a fleet's server instead of an answer.
package enum FleetFault: Error, Hashable {
  /// It was tried a moment ago, in vain: the reason of then.
  case away(String)

  /// Nothing was heard for so long.
  case silent(Duration)

  /// There is no connection, or no longer one: the words of libcurl or of the system.
  case broken(String)

  /// It does not do what was asked: no password, read only, out of memory.
  case refused(RESPFault)

  /// What answers is no Redis, or not one that keeps to its protocol.
  case foreign(String)

  /// The question's own deadline has come, which says nothing of the server.
  case noTime

  /// What is wrong, to follow the server's address.
  package var words: String {
    switch self {
    case .away(let words), .broken(let words), .foreign(let words): words
    case .silent(let time): "has said nothing for \(time.shortText)"
    case .refused(let fault):
      // More follows, so a full stop is in the way.
      "says " + (fault.message.hasSuffix(".") ? String(fault.message.dropLast()) : fault.message).printable(limit: 200)
    case .noTime: "could not be asked in the time there was"
    }
  }
}
