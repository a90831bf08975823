public import BitpalModel
public import BitpalNetwork
public import BitpalReplay
public import FoundationEssentials

/// A transport that answers from a recording, strictly: method, URL with its query as a multiset, and body must match.
///
/// Equal requests are answered in the order in which they were recorded. What does not match fails with a
/// ``/BitpalReplay/ReplayMiss`` that names the nearest recorded request, what differs, and the command that records it.
/// In the modes `once` and `rewrite` it can record: ``save(command:)`` then writes what went through.
public final class ReplayTransport: Transport {
  private struct State {
    var playback: Playback?
    var misses: [ReplayMiss] = []
  }

  /// The recording's folder.
  public let path: String

  /// Whether this run records; requests go to the live transport then.
  public let isRecording: Bool

  /// The instant at which time should stand: that of the recording, or the start of this run when it is being recorded.
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
  ///   - mode: When it records.
  ///   - unmatched: What happens to requests that the recording does not have.
  ///   - provider: The id of the provider that is recorded, whose dialect will read it.
  ///   - live: Where requests go that are recorded or let through.
  ///   - time: The instant of a new recording is taken from here.
  /// - Throws: `BitpalError.recordingDamaged`.
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
    self.live = live ?? CurlTransport(userAgent: "bitpal/\(BitpalVersion.current)", time: time)
    recordedAt = recording?.head.recordedAt ?? time.now.startOfSecond
    state = Locked(State(playback: recording.map { Playback($0) }))
  }

  /// Answers from the recording.
  ///
  /// - Throws: `ReplayMiss`, `BitpalError.recordingDamaged`, or what the live transport throws.
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

  /// The requests that found no answer, in order.
  public var misses: [ReplayMiss] { state.withLock { $0.misses } }

  /// The recorded requests that nobody has asked for, `GET URL` each.
  public var unused: [String] {
    state.withLock { $0.playback?.unused.map { "\($0.method) \($0.url)" } ?? [] }
  }

  /// Writes what went through, if this run records.
  ///
  /// - Parameter command: The words after `bitpal` that would make the same recording, for the hints of later misses.
  /// - Throws: `BitpalError.dataFile`.
  public func save(command: [String] = []) throws(BitpalError) {
    guard isRecording, !recorder.exchanges.isEmpty else { return }
    try HARWriter.write(
      recorder.exchanges, to: path, recordedAt: recordedAt, provider: provider, command: command,
      redaction: Redaction(recorder.secrets))
  }
}

/// When a replay records.
public enum ReplayMode: String, CaseIterable, Sendable {
  /// Never: what is not in the recording is not answered. The default, and what belongs in continuous integration.
  case none

  /// When there is no recording yet: the first run records, all later ones replay.
  case once

  /// Always: the recording is replaced by this run.
  case rewrite

  /// The environment variable that decides for a whole test run: `BITPAL_REPLAY=rewrite swift test`.
  public static let variable = "BITPAL_REPLAY"
}

/// What happens to a request that the recording has no answer to.
public enum UnmatchedRequests: Hashable, Sendable {
  /// It fails with a `ReplayMiss`, which names the nearest recorded request.
  case strict

  /// It goes to the live transport, and is not recorded.
  case passthrough
}
