import BitpalModel
import BitpalNetwork
import FoundationEssentials

/// Bytes to and fro, for whoever speaks with the server of a fleet.
protocol FleetStream: AnyObject {
  /// Sends all of it.
  func send(_ bytes: [UInt8], until end: ContinuousClock.Instant) throws(CurlStream.Fault)

  /// The next bytes, at least one.
  func receive(until end: ContinuousClock.Instant) throws(CurlStream.Fault) -> ArraySlice<UInt8>
}

extension CurlStream: FleetStream {}

/// A connection to Redis over which whoever has it may ask: authenticated, in the right database.
///
/// Sendable because one thread at a time uses it: ``Fleet`` hands a connection to one caller.
final class FleetConnection: @unchecked Sendable {
  /// How long the server may say nothing.
  static let silence: Duration = .milliseconds(250)

  /// How long an exchange may take in all, however much is said.
  static let patience: Duration = .seconds(2)

  /// How far our wall clock is ahead of the server's.
  private(set) var offset: Duration = .zero

  /// Which start of the server this is; `?` where it does not tell.
  private(set) var run = "?"

  /// The server's version; nil where it does not tell.
  private(set) var version: String?

  private let stream: any FleetStream
  private var reader = RESPReader()
  private var digests: [String: String] = [:]

  /// - Parameter now: The wall clock.
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
    // Who may not look keeps the default: then only a server that has lost everything is known to have.
    run = replies.last?.fact("run_id").map { $0.filter { $0.isLetter || $0.isNumber } } ?? run
    version = replies.last?.fact("redis_version")
  }

  /// Sends commands in one go and returns what is said to each.
  func ask(_ commands: [[String]]) throws(FleetFault) -> [RESPValue] {
    let start = ContinuousClock.now
    let left = Deadline.left ?? Self.patience
    let end = start + min(Self.patience, max(.zero, left))
    do throws(CurlStream.Fault) {
      // What comes unasked would be taken for the answer.
      guard reader.isEmpty else { throw CurlStream.Fault.broken("says what nobody has asked for") }
      try stream.send(commands.flatMap { RESPWriter.command($0) }, until: min(end, start + Self.silence))
      var replies: [RESPValue] = []
      while replies.count < commands.count {
        if let reply = try next() {
          replies.append(reply)
        } else {
          // Whoever never stops talking says nothing either.
          guard ContinuousClock.now < end else { throw CurlStream.Fault.silent }
          reader.append(try stream.receive(until: min(end, .now + Self.silence)))
        }
      }
      return replies
    } catch {
      switch error {
      case .silent:
        if left < Self.patience, ContinuousClock.now >= end { throw .noTime }
        throw .silent(ContinuousClock.now >= end ? Self.patience : Self.silence)
      case .broken(let words): throw .broken(words)
      }
    }
  }

  /// Sends one command.
  ///
  /// - Throws: ``FleetFault/refused(_:)`` too.
  func ask(_ words: [String]) throws(FleetFault) -> RESPValue {
    let reply = try ask([words]).first
    if case .error(let fault)? = reply { throw .refused(fault) }
    guard let reply else { throw .foreign("does not answer") }
    return reply
  }

  /// Runs a script: by its checksum, and by its text where the server does not know it yet.
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

  private func next() throws(CurlStream.Fault) -> RESPValue? {
    do throws(RESPReader.Fault) {
      return try reader.next()
    } catch {
      throw .broken("does not answer as Redis does")
    }
  }
}
