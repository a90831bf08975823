import BitpalModel
import BitpalNetwork
import BitpalProviders

/// A source that answers from the examples of a provider file only.
///
/// A request that the dialect makes for an example's question gets the example's body. Any other gets the source's
/// answer for an unknown coin.
struct ExampleTransport: Transport {
  private struct Answer {
    let example: DeclaredExample

    /// The index of the body for each request of the question.
    let requests: [Asked: Int]

    /// Returns the number of given coins that the example names.
    func known(_ coins: Set<String>) -> Int { coins.intersection(example.query.coins).count }

    func response(_ place: Int) -> HTTPResponse? {
      try? example.response(ofRequest: place)
    }
  }

  /// The parts of a request that distinguish it from others.
  private struct Asked: Hashable {
    let url: String
    let body: [UInt8]?

    init(_ request: HTTPRequest) {
      url = request.url
      body = request.body
    }
  }

  private let source: DialectWithExamples
  private let answers: [Answer]
  private let refusals: [Capability: HTTPResponse]

  init(_ source: DialectWithExamples) {
    self.source = source
    var answers: [Answer] = []
    var refusals: [Capability: HTTPResponse] = [:]
    for example in source.examples {
      guard let response = try? example.response() else { continue }
      if example.expectation == .failure(.notFound) {
        refusals[example.query.capability] = refusals[example.query.capability] ?? response
      } else if example.isAnswered {
        answers.append(Answer(example: example, requests: Self.requests(of: example, source)))
      }
    }
    self.answers = answers
    self.refusals = refusals
  }

  private static func requests(of example: DeclaredExample, _ source: DialectWithExamples) -> [Asked: Int] {
    guard let dialect = try? source.dialect(at: example.now) else { return [:] }
    // An example with several coins has one body, however many requests ask for them.
    var pages = example.query.capability == .quotes ? [example.query] : dialect.pages(of: example.query)
    if let length = dialect.descriptor.quotesLine, case .line(let coin, let currency, let window) = example.query {
      // The quote of a line is asked for over days of its own.
      let quote = TimeWindow(ending: window.end, length: length)
      pages += dialect.pages(of: .line(coin: coin, currency: currency, window: quote))
    }
    let planned = pages.flatMap { page in
      ((try? dialect.plan(page)) ?? []).enumerated().map { (Asked($0.element), $0.offset) }
    }
    return Dictionary(planned) { first, _ in first }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let asked = request.query
    return same(Asked(request), as: asked) ?? batch(request, of: asked) ?? refusal(asked?.capability)
  }

  /// Returns the example's answer to an equal request; nil when there is none.
  ///
  /// If questions of two kinds have the same request, the kind of the question decides; among several examples, the one
  /// that names most of its coins.
  private func same(_ request: Asked, as asked: ProviderQuery?) -> HTTPResponse? {
    let matching = answers.filter { $0.requests[request] != nil }
    let alike = matching.filter { $0.example.query.capability == asked?.capability }
    let wanted = Set(asked?.coins ?? [])
    var answer = alike.first ?? matching.first
    for other in alike where other.known(wanted) > answer?.known(wanted) ?? 0 { answer = other }
    return answer.flatMap { answer in answer.requests[request].flatMap { answer.response($0) } }
  }

  /// Returns the answer of the example that names most of the coins of a batch: a source answers with the coins that it
  /// has.
  private func batch(_ request: HTTPRequest, of asked: ProviderQuery?) -> HTTPResponse? {
    guard case .quotes(let coins, _) = asked, source.isInBatches else { return nil }
    let wanted = Set(coins)
    var best: (answer: Answer, known: Int)?
    for answer in answers {
      guard case .quotes(_, let currency) = answer.example.query else { continue }
      let known = answer.known(wanted)
      guard known > best?.known ?? 0, asks(request, .quotes(coins: coins, currency: currency)) else { continue }
      best = (answer, known)
    }
    return best?.answer.response(request.page - 1)
  }

  /// Returns whether a request is that of a question; for a plugin, whose requests may depend on the time, its stated
  /// question decides.
  private func asks(_ request: HTTPRequest, _ query: ProviderQuery) -> Bool {
    request.query == query || (try? source.dialect.plan(query).first).map(Asked.init) == Asked(request)
  }

  private func refusal(_ capability: Capability?) -> HTTPResponse {
    capability.flatMap { refusals[$0] } ?? refusals[.quotes]
      ?? Capability.allCases.lazy.compactMap { refusals[$0] }.first ?? HTTPResponse(status: 404)
  }
}

extension DeclaredExample {
  /// Whether the example has a successful answer with rows.
  var isAnswered: Bool {
    if case .rows(let rows) = expectation { return (200...299).contains(status) && !rows.isEmpty }
    return false
  }
}
