import BitpalModel
import BitpalNetwork
import FoundationEssentials

/// A stream of bytes to and from the server of a fleet.
protocol FleetStream: AnyObject {
  /// Sends all bytes.
  ///
  /// - Throws: The fault of the stream, also when `end` comes first.
  func send(_ bytes: [UInt8], until end: ContinuousClock.Instant) throws(StreamFault)

  /// Returns the next bytes, at least one.
  ///
  /// - Throws: The fault of the stream, also when `end` comes first.
  func receive(until end: ContinuousClock.Instant) throws(StreamFault) -> ArraySlice<UInt8>
}

extension CurlStream: FleetStream {}
extension SocketStream: FleetStream {}

/// A connection to Redis, authenticated and with its database selected.
///
/// Sendable because one thread at a time uses it: ``Fleet`` hands a connection to one caller.
final class FleetConnection: @unchecked Sendable {
  /// The longest silence of the server within an exchange.
  static let silence: Duration = .milliseconds(250)

  /// The longest duration of an exchange, however much is received.
  static let patience: Duration = .seconds(2)

  /// The time by which our wall clock is ahead of the server's.
  private(set) var offset: Duration = .zero

  /// The identifier of the server's start; `?` where the server does not state it.
  private(set) var run = "?"

  /// The server's version; nil where the server does not state it.
  private(set) var version: String?

  private let stream: any FleetStream
  private var reader = RESPReader()
  private var digests: [String: String] = [:]

  /// Authenticates, selects the database, and reads the server's time and version.
  ///
  /// - Parameter now: Returns the time of our wall clock.
  /// - Throws: ``FleetFault``: `refused` for an error of the server, `foreign` for a reply that is not that of Redis.
  init(_ stream: any FleetStream, _ address: FleetAddress, password: Secret?, now: () -> Date) throws(FleetFault) {
    self.stream = stream
    var greeting: [[String]] = []
    if let password { greeting.append(["AUTH"] + (address.user.map { [$0] } ?? []) + [password.reveal()]) }
    if address.database > 0 { greeting.append(["SELECT", "\(address.database)"]) }
    greeting += [["TIME"], ["INFO", "server"]]
    let replies = try ask(greeting)
    for reply in replies.dropLast() {
      if case .error(let fault) = reply { throw .refused(fault) }
    }
    let time = replies.dropLast().last?.elements?.compactMap(\.integer) ?? []
    guard time.count == 2, (0...1 << 40).contains(time[0]), (0...999_999).contains(time[1]) else {
      throw .foreign("does not answer as Redis does")
    }
    offset = now().since(Date(milliseconds: time[0] * 1000 + time[1] / 1000))
    // Without the right to run INFO the default remains: then only a server that has lost everything is recognized.
    run = replies.last?.fact("run_id").map { $0.filter { $0.isLetter || $0.isNumber } } ?? run
    version = replies.last?.fact("redis_version")
    isGreeted = true
  }

  /// Sends commands in one batch and returns the reply to each; a reply may be an error of the server.
  ///
  /// - Throws: ``FleetFault``: `silent`, `broken`, `tooLong`, or `noTime` when the caller's deadline comes first.
  func ask(_ commands: [[String]]) throws(FleetFault) -> [RESPValue] {
    let start = ContinuousClock.now
    let left = Deadline.left ?? Self.patience
    let end = start + min(Self.patience, max(.zero, left))
    do throws(StreamFault) {
      // Unsolicited bytes would be taken for the reply.
      guard reader.isEmpty else { throw StreamFault.broken("sent a reply without a command") }
      try stream.send(commands.flatMap { RESPWriter.command($0) }, until: min(end, start + Self.silence))
      var replies: [RESPValue] = []
      while replies.count < commands.count {
        if let reply = try next() {
          replies.append(reply)
        } else {
          // A reply without end counts as silence too.
          guard ContinuousClock.now < end else { throw StreamFault.silent }
          reader.append(try stream.receive(until: min(end, .now + Self.silence)))
        }
      }
      return replies
    } catch {
      switch error {
      case .silent:
        if left < Self.patience, ContinuousClock.now >= end { throw .noTime }
        throw .silent(ContinuousClock.now >= end ? Self.patience : Self.silence)
      case .broken(let words): throw isTooLong ? .tooLong : .broken(words)
      }
    }
  }

  /// Sends one command and returns its reply.
  ///
  /// - Throws: ``FleetFault`` as for several commands, and ``FleetFault/refused(_:)`` for an error of the server.
  func ask(_ words: [String]) throws(FleetFault) -> RESPValue {
    let reply = try ask([words]).first
    if case .error(let fault)? = reply { throw .refused(fault) }
    guard let reply else { throw .foreign("does not answer") }
    return reply
  }

  /// Runs a script by its checksum, or by its text where the server does not know it yet.
  ///
  /// - Throws: ``FleetFault``.
  func run(_ script: String, keys: [String], _ arguments: [String]) throws(FleetFault) -> RESPValue {
    let rest = ["\(keys.count)"] + keys + arguments
    let digest = digests[script] ?? SHA1.hexDigest(of: script)
    digests[script] = digest
    do throws(FleetFault) {
      return try ask(["EVALSHA", digest] + rest)
    } catch .refused(let fault) where fault.code == "NOSCRIPT" {
      return try ask(["EVAL", script] + rest)
    }
  }

  /// Whether the server has greeted as Redis does, so that what it holds may be too long for us.
  private var isGreeted = false

  /// Whether the last reply was too long to be read.
  private var isTooLong = false

  private func next() throws(StreamFault) -> RESPValue? {
    do throws(RESPReader.Fault) {
      return try reader.next()
    } catch {
      isTooLong = isGreeted && (error == .textTooLong || error == .replyTooLong)
      throw .broken("does not answer as Redis does")
    }
  }
}
