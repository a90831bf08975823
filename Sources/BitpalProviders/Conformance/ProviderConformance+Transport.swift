import BitpalModel
import BitpalNetwork
import FoundationEssentials

extension ProviderConformance {
  /// Answers everything alike.
  private struct Constant: Transport {
    let response: HTTPResponse

    func send(_ request: HTTPRequest) async throws -> HTTPResponse { response }
  }

  /// Has no connection.
  private struct Broken: Transport {
    static let error = BitpalError.network(host: "conformance", reason: "no connection")

    func send(_ request: HTTPRequest) async throws -> HTTPResponse { throw Self.error }
  }

  /// Never answers, but can be cancelled.
  private struct Silent: Transport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      try await Task.sleep(for: .seconds(3600))
      throw CancellationError()
    }
  }

  /// A clock at some instant.
  private struct Standing: TimeSource {
    let now: Date
    var monotonic: Duration { .zero }

    func sleep(for duration: Duration) async throws { try Task.checkCancellation() }
  }

  private func maker() throws -> Maker {
    guard let make else { throw Verdict.skipped("it does not ask over HTTP here") }
    return make
  }

  func mapsErrors() async throws {
    let make = try maker()
    try needQuotes()
    let cases: [(words: String, response: HTTPResponse, codes: Set<ErrorCode>)] = [
      ("HTTP 429", HTTPResponse(status: 429, headers: [HTTPHeader("retry-after", "7")]), [.rateLimited]),
      ("HTTP 401", HTTPResponse(status: 401), [.unauthorized, .planLimit, .refused]),
      ("HTTP 404", HTTPResponse(status: 404), [.notFound, .refused, .noPrice, .noData]),
      ("HTTP 500", HTTPResponse(status: 500), [.refused]), ("HTTP 503", HTTPResponse(status: 503), [.refused]),
      ("a page", HTTPResponse(status: 200, body: Array("<html><body>Hello</body></html>".utf8)), [.unreadable]),
      ("half of an answer", HTTPResponse(status: 200, body: Array("[{\"id\":\"bit".utf8)), [.unreadable]),
      ("an empty body", HTTPResponse(status: 200), [.unreadable]),
    ]
    for (words, response, codes) in cases {
      let code = await failure(of: try make(Constant(response: response), Standing(now: Self.someTime)))
      guard let code, codes.contains(code) else {
        let wanted = codes.map(\.rawValue).sorted().joined(separator: " or ")
        throw Verdict.failed("\(words) becomes \(code?.rawValue ?? "an answer"), not \(wanted)")
      }
    }
    let code = await failure(of: try make(Broken(), Standing(now: Self.someTime)))
    if code != .network { throw Verdict.failed("a broken connection becomes \(code?.rawValue ?? "an answer")") }
  }

  /// Why quotes fail, as a whole or the first coin; nil when they do not.
  private func failure(of provider: any PriceProvider) async -> ErrorCode? {
    do {
      let answer = try await provider.quotes(Array(sample.coins.prefix(1)), currency: sample.currency).value
      return answer.failures.values.first?.code
    } catch {
      return (error as? BitpalError)?.code
    }
  }

  func endsWhenCancelled() async throws {
    try needQuotes()
    let asked = try make.map { try $0(Silent(), Standing(now: Self.someTime)) } ?? provider
    let (coins, currency) = (sample.coins, sample.currency)
    let task = Task {
      // Cancelled before it begins or while it waits: the end must be the same.
      try await asked.quotes(coins, currency: currency)
    }
    task.cancel()
    switch await task.result {
    case .success where make == nil: return
    case .success: throw Verdict.failed("a cancelled question is answered without a response")
    case .failure(is CancellationError): return
    case .failure(let error): throw Verdict.failed("a cancelled question ends with: \(error)")
    }
  }

  func needsNoClock() async throws {
    let make = try maker()
    try needQuotes()
    var answers: [String] = []
    for instant in [Date(milliseconds: 0), Self.someTime, Date(milliseconds: 4_102_444_800_000)] {
      let recorder = Requests()
      let provider = try make(recorder, Standing(now: instant))
      _ = try? await provider.quotes(sample.coins, currency: sample.currency)
      answers.append(recorder.urls.withLock { $0.joined(separator: "\n") })
    }
    if Set(answers).count > 1 { throw Verdict.failed("what it asks for depends on the time of day") }
  }

  /// Notes what is asked.
  private struct Requests: Transport {
    let urls = Locked<[String]>([])

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      urls.withLock { $0.append(request.url) }
      return HTTPResponse(status: 200, body: Array("[]".utf8))
    }
  }

  private static var someTime: Date { Date(milliseconds: 1_736_937_000_000) }
}
