import BitpalModel
import BitpalNetwork
import Foundation

/// The network of the world: carries each request to the source of its host, and counts them.
final class TruthNetwork: Transport {
  /// How a source behaves.
  enum Mood: String, Sendable {
    case well

    /// HTTP 429 with a wait of a minute.
    case limited

    /// HTTP 503.
    case down

    /// No answer within the time allowed.
    case hangs

    /// HTTP 200 with an answer of the source's own form that holds nothing.
    case empty

    /// HTTP 200 with a sentence in the place of data.
    case sentence

    /// HTTP 404 with a web page.
    case page

    /// Half of an answer.
    case cut

    /// The answers of sixteen hours ago: the source stands still.
    case frozen

    /// How long ago the source stopped.
    static let standstill = 16 * 3600
  }

  private struct State {
    var moods: [Source: Mood] = [:]
    var sent: [(source: Source, target: String)] = []
  }

  private let truth: Truth
  private let clock: any TimeSource
  private let coingecko: Source
  private let state = Locked(State())

  /// - Parameter coingecko: Whose prices CoinGecko's host sends.
  init(_ truth: Truth, clock: any TimeSource, coingecko: Source = .coingecko) {
    self.truth = truth
    self.clock = clock
    self.coingecko = coingecko
  }

  /// What was sent so far.
  var sent: [(source: Source, target: String)] { state.withLock { $0.sent } }

  func turn(_ source: Source, _ mood: Mood) { state.withLock { $0.moods[source] = mood } }

  func forget() { state.withLock { $0.sent = [] } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let url = URLComponents(string: request.url)
    guard let source = Source.allCases.first(where: { $0.host == url?.host && $0.isOnWeb }) else {
      throw BitpalError.network(host: url?.host ?? "?", reason: "there is no such host", isFinal: true)
    }
    let target = (url?.path ?? "") + (url?.query.map { "?" + $0 } ?? "")
    let mood = state.withLock { state in
      state.sent.append((source, target))
      return state.moods[source] ?? .well
    }
    let reply = Self.reply(of: source, target, Wire(truth: truth, now: clock.seconds, coingecko: coingecko), mood)
    guard let reply else { throw BitpalError.timedOut(provider: source.rawValue, limit: .seconds(15)) }
    let headers =
      [HTTPHeader("content-type", "application/json")]
      + (reply.status == 429 ? [HTTPHeader("retry-after", "60")] : [])
    return HTTPResponse(status: reply.status, headers: headers, body: Array(reply.body.utf8))
  }

  /// What a source in a mood sends to a path and query; nil for nothing.
  static func reply(of source: Source, _ target: String, _ wire: Wire, _ mood: Mood) -> Wire.Reply? {
    let url = URLComponents(string: target)
    func reply(_ wire: Wire) -> Wire.Reply {
      let query = Dictionary((url?.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { first, _ in first }
      return wire.reply(of: source, url?.path ?? "", query)
    }
    switch mood {
    case .well: return reply(wire)
    case .frozen: return reply(Wire(truth: wire.truth, now: wire.now - Mood.standstill, coingecko: wire.coingecko))
    case .empty: return Wire.Reply(body: wire.nothing(of: source, url?.path ?? "", target))
    case .sentence: return Wire.Reply(body: "You have reached the limit of your plan.")
    case .page: return Wire.Reply(status: 404, body: "<!DOCTYPE html><html><body>Not Found</body></html>")
    case .cut:
      let whole = reply(wire)
      return Wire.Reply(status: whole.status, body: String(whole.body.prefix(whole.body.count / 2)))
    case .limited: return Wire.Reply(status: 429, body: #"{"status":{"error_code":429,"error_message":"slow down"}}"#)
    case .down: return Wire.Reply(status: 503, body: "")
    case .hangs: return nil
    }
  }
}

/// A clock of the world: it stands until a test moves it, and waits take no time.
final class TruthClock: TimeSource {
  private let offset = Locked((wall: 0, slept: Duration.zero))
  private let start: Int

  init(_ start: Int) { self.start = start }

  var now: Date { Date(timeIntervalSince1970: Double(start + offset.withLock { $0.wall })) }

  var monotonic: Duration { SystemTime().monotonic + offset.withLock { $0.slept } }

  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    offset.withLock { $0.slept += max(.zero, duration) }
  }

  func advance(_ seconds: Int) { offset.withLock { $0.wall += seconds } }
}

extension TimeSource {
  /// Seconds since 1970.
  var seconds: Int { Int(now.timeIntervalSince1970) }
}
