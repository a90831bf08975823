import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials

extension ProviderConformance {
  /// A source that gives every request the same answer.
  private struct Constant: Transport {
    let response: HTTPResponse

    func send(_ request: HTTPRequest) async throws -> HTTPResponse { response }
  }

  /// A source without a connection.
  private struct Broken: Transport {
    static let error = BitpalError.network(host: "conformance", reason: "no connection")

    func send(_ request: HTTPRequest) async throws -> HTTPResponse { throw Self.error }
  }

  /// Returns the maker of the provider over other transports.
  ///
  /// - Throws: `Verdict` when there is none.
  func maker() throws -> Maker {
    guard let make else { throw Verdict.skipped("it does not ask over HTTP here") }
    return make
  }

  /// Checks that each fault of a source becomes the error on which callers act.
  ///
  /// Callers wait for a rate limit, ask the next source after a fault, and report a wrong key to the user. A 401 may be
  /// about the plan, and a 404 about the coin; a plugin may end on bytes that it cannot read.
  ///
  /// - Throws: `Verdict` when the rule is broken or cannot be checked.
  func mapsErrors() async throws {
    let make = try maker()
    let question = try oneCoin(anyQuestion())
    let cases: [(message: String, response: HTTPResponse, codes: Set<ErrorCode>)] = [
      ("HTTP 429", HTTPResponse(status: 429, headers: [HTTPHeader("retry-after", "7")]), [.rateLimited]),
      ("HTTP 401", HTTPResponse(status: 401), [.unauthorized, .planLimit, .refused]),
      ("HTTP 404", HTTPResponse(status: 404), [.notFound, .refused, .noPrice, .noData]),
      ("HTTP 500", HTTPResponse(status: 500), [.refused]), ("HTTP 503", HTTPResponse(status: 503), [.refused]),
      (
        "a page", HTTPResponse(status: 200, body: Array("<html><body>Hello</body></html>".utf8)),
        [.unreadable, .plugin]
      ),
      ("half of an answer", HTTPResponse(status: 200, body: try await half(of: question)), [.unreadable, .plugin]),
      ("an empty body", HTTPResponse(status: 200), [.unreadable, .plugin]),
    ]
    for (message, response, codes) in cases {
      let code = await failure(of: question, try make(Constant(response: response), StoppedClock(now: sample.now)))
      guard let code, codes.contains(code) else {
        let wanted = codes.map(\.rawValue).sorted().joined(separator: " or ")
        throw Verdict.failed(
          "\(message) becomes \(code?.rawValue ?? "an answer"), not \(wanted) (\(question.capability.rawValue))")
      }
    }
    let code = await failure(of: question, try make(Broken(), StoppedClock(now: sample.now)))
    if code != .network { throw Verdict.failed("a broken connection becomes \(code?.rawValue ?? "an answer")") }
  }

  /// Returns the question about its first coin alone, so that the failure of that coin is the failure of the whole.
  private func oneCoin(_ question: ProviderQuery) -> ProviderQuery {
    question.asking(coin: question.coins.first)
  }

  /// Returns the first half of the source's own answer, or the beginning of an array.
  ///
  /// The array is used without an answer, or for a bare number, whose first half is a number too.
  private func half(of question: ProviderQuery) async throws -> [UInt8] {
    let start = Array(#"[{"id":"bit"#.utf8)
    guard let make, let source = sample.source else { return start }
    let notes = RequestLogTransport(source)
    _ = try? await ask(question, of: try make(notes, StoppedClock(now: sample.now)))
    guard let body = notes.bodies.withLock({ $0.first }),
      let first = body.first(where: { !" \n\r\t".utf8.contains($0) }), "[{".utf8.contains(first)
    else { return start }
    return Array(body.prefix(body.count / 2))
  }

  /// Returns the error of the question as a whole, or of its first coin; nil when it succeeds.
  private func failure(of question: ProviderQuery, _ provider: any PriceProvider) async -> ErrorCode? {
    do {
      guard case .quotes(let coins, let currency) = question else {
        _ = try await ask(question, of: provider)
        return nil
      }
      return try await quotes(coins, in: currency, of: provider).failures.values.first?.code
    } catch {
      return (error as? BitpalError)?.code
    }
  }

  /// Checks that the same question is asked and read alike in 1970, now and in 2100, so that it can be replayed.
  ///
  /// - Throws: `Verdict` when the rule is broken or cannot be checked.
  func needsNoClock() async throws {
    let make = try maker()
    _ = try anyQuestion()
    let nothing = Constant(response: HTTPResponse(status: 200, body: Array("[]".utf8)))
    // The quote at the end of a line is asked for over the days before now.
    for question in questions where question.capability != .quotes || provider.descriptor.quotesLine == nil {
      var requests: Set<String> = []
      var answers: Set<String> = []
      for instant in try await instants(for: question, make) {
        let notes = RequestLogTransport(sample.source ?? nothing)
        let provider = try make(notes, StoppedClock(now: instant))
        do {
          answers.insert(try await ask(question, of: provider).text)
        } catch {
          answers.insert("\(error)")
        }
        requests.insert(notes.urls.withLock { $0.joined(separator: "\n") })
      }
      let what = question.capability.rawValue
      if requests.count > 1 { throw Verdict.failed("how it asks for \(what) depends on the time of day") }
      if answers.count > 1 { throw Verdict.failed("how it reads \(what) depends on the time of day") }
    }
  }

  /// Returns 1970, now and 2100; of quotes with days only what is not before them, and the last of these days.
  ///
  /// In the place of a quote of a day that has not begun, the line before it is asked for.
  private func instants(for question: ProviderQuery, _ make: Maker) async throws -> [Date] {
    let all = [Date(milliseconds: 0), sample.now, Date(milliseconds: 4_102_444_800_000)]
    guard question.capability == .quotes, provider.descriptor.capabilities.contains(.line), let source = sample.source
    else {
      return all
    }
    let later = try make(source, StoppedClock(now: Date(milliseconds: 253_402_214_400_000)))
    let days = (try? await later.answer(to: question))?.values(Coin.self).values.compactMap(\.lastUpdated) ?? []
    return days.max().map { day in [day] + all.filter { $0 >= day } } ?? all
  }
}

extension ConformanceSample {
  /// The instant at which the sample's questions are asked.
  var now: Date { line?.window.end ?? candles?.window.end ?? Date(milliseconds: 1_736_937_000_000) }
}
