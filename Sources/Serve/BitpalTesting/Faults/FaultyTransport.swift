public import BitpalModel
public import BitpalNetwork

/// A transport that fails by a script, one step per request; after the script every request passes.
///
///     let transport = FaultyTransport(Replay.transport(), script: "429@2s unreachable ok half")
public final class FaultyTransport: Transport {
  /// An unknown word of a script.
  public struct UnknownWord: Error, Hashable, CustomStringConvertible {
    /// The word.
    public let word: String

    /// The message, with the known words.
    public var description: String {
      "a script of faults has no word \"\(word)\"; it has: ok, a status like 503 or 429@2s, unreachable, timeout, garbage, "
        + "half, wait@2s"
    }
  }

  private let base: any Transport
  private let time: any TimeSource
  private let rest: Locked<[Fault]>

  /// Wraps a transport.
  ///
  /// - Parameters:
  ///   - base: The transport that answers the requests that pass.
  ///   - faults: The script, one step per request.
  ///   - time: The clock of the delays.
  public init(_ base: any Transport, _ faults: [Fault], time: any TimeSource = ManualTime()) {
    self.base = base
    self.time = time
    rest = Locked(faults)
  }

  /// Wraps a transport with a script of words separated by spaces.
  ///
  /// - Throws: ``UnknownWord`` for a word that is not a step.
  public convenience init(
    _ base: any Transport, script: String, time: any TimeSource = ManualTime()
  ) throws(UnknownWord) {
    var faults: [Fault] = []
    for word in script.split(separator: " ") {
      guard let fault = Fault(word) else { throw UnknownWord(word: String(word)) }
      faults.append(fault)
    }
    self.init(base, faults, time: time)
  }

  /// The remaining steps.
  public var remaining: [Fault] { rest.withLock { $0 } }

  /// Carries out the next step.
  ///
  /// - Throws: The scripted failure, the errors of the wrapped transport, or `CancellationError`.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let fault = rest.withLock { $0.isEmpty ? Fault.pass : $0.removeFirst() }
    switch fault {
    case .pass:
      return try await base.send(request)
    case .status(let status, let wait):
      let headers = wait.map { [HTTPHeader("retry-after", String($0.milliseconds / 1000))] } ?? []
      return HTTPResponse(status: status, headers: headers, body: Array("scripted failure".utf8))
    case .unreachable:
      throw BitpalError.network(host: "scripted", reason: "connection refused")
    case .timeout:
      throw BitpalError.timedOut(provider: "scripted", limit: .seconds(15))
    case .garbage:
      let response = try await base.send(request)
      return HTTPResponse(status: response.status, headers: response.headers, body: Array("\u{1}not JSON".utf8))
    case .half:
      let response = try await base.send(request)
      return HTTPResponse(
        status: response.status, headers: response.headers, body: Array(response.body.prefix(response.body.count / 2)))
    case .delay(let wait):
      try await time.sleep(for: wait)
      return try await base.send(request)
    }
  }
}

/// One step of a ``FaultyTransport``, for one request.
public enum Fault: Hashable, Sendable {
  /// Passes the request on.
  case pass

  /// Answers with that status, and with `Retry-After` in whole seconds where a wait is given.
  case status(Int, retryAfter: Duration? = nil)

  /// Fails as if there were no connection.
  case unreachable

  /// Fails with a time-out.
  case timeout

  /// Passes the request on, but returns a body that is not JSON.
  case garbage

  /// Passes the request on, but returns only the first half of the body.
  case half

  /// Waits on the test's clock, then passes the request on.
  case delay(Duration)
}

extension Fault: CustomStringConvertible {
  /// The word that ``init(_:)`` reads: `ok`, `503`, `429@2s`, `unreachable`, `timeout`, `garbage`, `half`, `wait@2s`.
  public var description: String {
    switch self {
    case .pass: "ok"
    case .status(let status, let wait): "\(status)" + (wait.map { "@\($0.unitText)" } ?? "")
    case .unreachable: "unreachable"
    case .timeout: "timeout"
    case .garbage: "garbage"
    case .half: "half"
    case .delay(let wait): "wait@\(wait.unitText)"
    }
  }

  /// Reads a word of a script; nil for an unknown word.
  public init?(_ word: some StringProtocol) {
    let parts = String(word).split(separator: Character("@"), maxSplits: 1).map(String.init)
    let wait = parts.count > 1 ? Duration(unitText: parts[1]) : nil
    guard let name = parts.first, parts.count == 1 || wait != nil else { return nil }
    switch (name, wait) {
    case ("ok", nil): self = .pass
    case ("unreachable", nil): self = .unreachable
    case ("timeout", nil): self = .timeout
    case ("garbage", nil): self = .garbage
    case ("half", nil): self = .half
    case ("wait", let wait?): self = .delay(wait)
    default:
      guard let status = Int(name), (100...599).contains(status) else { return nil }
      self = .status(status, retryAfter: wait)
    }
  }
}
