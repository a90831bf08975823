public import BitpalModel
public import BitpalNetwork
package import BitpalReplay
public import FoundationEssentials

/// A transport that answers from a recording, strictly: method, URL with its query as a multiset, and body must match.
///
/// Equal requests are answered in the order in which they were recorded. Any other request fails with a
/// `ReplayMiss` that contains the nearest recorded request, the differences, and the command that
/// records it. In the modes `once` and `rewrite` it can record: ``save(command:)`` then writes the exchanges.
///
/// ```swift
/// let transport = try ReplayTransport(path)
/// let response = try await transport.send(HTTPRequest(url: "https://api.example.com/x?a=3"))
/// ```
public final class ReplayTransport: Transport {
  private struct State {
    var playback: Playback?
    var misses: [ReplayMiss] = []
  }

  /// The path of the recording.
  public let path: String

  /// Whether this run records; then requests go to the live transport.
  public let isRecording: Bool

  /// The instant for the test's clock: that of the recording, or the start of this run when it records.
  public let recordedAt: Date

  private let state: Locked<State>
  private let unmatched: UnmatchedRequests
  private let live: any Transport
  private let provider: String
  private let recorder = ExchangeRecorder()

  /// Opens a recording.
  ///
  /// - Parameters:
  ///   - path: Its folder, or a HAR file of any program.
  ///   - mode: The mode of recording.
  ///   - unmatched: The treatment of requests that the recording does not have.
  ///   - provider: The id of the recorded provider, whose dialect reads the recording.
  ///   - live: The transport for requests that are recorded or passed through; nil for libcurl.
  ///   - time: The clock that gives the instant of a new recording.
  /// - Throws: `BitpalError.recordingDamaged` for a recording that cannot be read.
  public init(
    _ path: String, mode: ReplayMode = .none, unmatched: UnmatchedRequests = .strict,
    provider: String = "coingecko", live: (any Transport)? = nil, time: any TimeSource = SystemTime()
  ) throws(BitpalError) {
    let isRecording: Bool
    switch mode {
    case .none: isRecording = false
    case .once: isRecording = HARWriter.place(path) == .free && !path.hasSuffix(".har")
    case .rewrite: isRecording = true
    }
    let recording = isRecording ? nil : try HARReader.open(path)
    self.path = path
    self.isRecording = isRecording
    self.unmatched = unmatched
    self.provider = provider
    self.live = live ?? CurlTransport(userAgent: BitpalVersion.userAgent, time: time)
    recordedAt = recording?.head.recordedAt ?? time.now.startOfSecond
    state = Locked(State(playback: recording.map { Playback($0) }))
  }

  /// Answers from the recording, or from the live transport while recording.
  ///
  /// - Throws: `ReplayMiss`, `BitpalError.recordingDamaged`, or the errors of the live transport.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    if isRecording {
      return try await recorder.transport(live, provider: provider).send(request)
    }
    let found = state.withLock { state in
      Result { () throws -> (Recording, RecordedExchange) in
        guard var playback = state.playback else { throw CancellationError() }
        defer { state.playback = playback }
        do {
          return (playback.recording, try playback.exchange(for: request))
        } catch let miss as ReplayMiss {
          if unmatched == .strict { state.misses.append(miss) }
          throw miss
        }
      }
    }
    do {
      let (recording, exchange) = try found.get()
      return try recording.response(of: exchange)
    } catch is ReplayMiss where unmatched == .passthrough {
      return try await live.send(request)
    }
  }

  /// The requests without a recorded answer, in order.
  package var misses: [ReplayMiss] { state.withLock { $0.misses } }

  /// The recorded requests that were not made, as `GET URL`.
  public var unused: [String] {
    state.withLock { $0.playback?.unused.map { "\($0.method) \($0.url)" } ?? [] }
  }

  /// Writes the exchanges of this run, if it records and there are any.
  ///
  /// - Parameter command: The arguments of `bitpal` that would make the same recording, for the hints of later misses.
  /// - Throws: `BitpalError.dataFile` when the recording cannot be written.
  public func save(command: [String] = []) throws(BitpalError) {
    guard isRecording, !recorder.exchanges.isEmpty else { return }
    try HARWriter.write(
      recorder.exchanges, to: path, recordedAt: recordedAt, provider: provider, command: command,
      redaction: Redaction(recorder.secrets))
  }
}

/// A mode of recording.
public enum ReplayMode: String, CaseIterable, Sendable {
  /// Never records, so requests outside of the recording are not answered. The default, and right for continuous
  /// integration.
  case none

  /// Records if the recording does not exist: the first run records, all later ones replay.
  case once

  /// Always records: this run replaces the recording.
  case rewrite

  /// The environment variable that decides for a whole test run: `BITPAL_REPLAY=rewrite swift test`.
  public static let variable = "BITPAL_REPLAY"
}

/// A treatment of requests that the recording cannot answer.
public enum UnmatchedRequests: Hashable, Sendable {
  /// The request fails with a `ReplayMiss`, which contains the nearest recorded request.
  case strict

  /// The request goes to the live transport, and is not recorded.
  case passthrough
}
