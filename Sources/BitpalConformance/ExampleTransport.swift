import BitpalModel
import BitpalNetwork
import BitpalProviders

/// A source that knows what the examples of a provider file say, and nothing else.
///
/// A request that the dialect makes of an example's question gets the example's body; any other gets what the source
/// says of a coin that it does not have.
struct ExampleTransport: Transport {
  private struct Answer {
    let example: DeclaredExample

    /// The body for each request, by its place among those of the question.
    let requests: [Asked: Int]

    /// How many of some coins it names.
    func known(_ coins: Set<String>) -> Int { coins.intersection(example.query.coins).count }

    func response(_ place: Int) -> HTTPResponse? {
      (try? example.bytes(ofRequest: place)).map { HTTPResponse(status: example.status, body: $0) }
    }
  }

  /// What of a request makes it another.
  private struct Asked: Hashable {
    let url: String
    let body: [UInt8]?

    init(_ request: HTTPRequest) {
      url = request.url
      body = request.body
    }
  }

  private let source: ExampledDialect
  private let answers: [Answer]
  private let refusals: [Capability: HTTPResponse]

  init(_ source: ExampledDialect) {
    self.source = source
    var answers: [Answer] = []
    var refusals: [Capability: HTTPResponse] = [:]
    for example in source.examples {
      guard let body = try? example.bytes() else { continue }
      if example.expectation == .failure(.notFound) {
        let response = HTTPResponse(status: example.status, body: body)
        refusals[example.query.capability] = refusals[example.query.capability] ?? response
      } else if example.isAnswered {
        answers.append(Answer(example: example, requests: Self.requests(of: example, source)))
      }
    }
    self.answers = answers
    self.refusals = refusals
  }

  private static func requests(of example: DeclaredExample, _ source: ExampledDialect) -> [Asked: Int] {
    guard let dialect = try? source.dialect(at: example.now) else { return [:] }
    // An example of several coins is one body, in however many requests they are asked for.
    let pages = example.query.capability == .quotes ? [example.query] : dialect.pages(of: example.query)
    let planned = pages.flatMap { page in
      ((try? dialect.requests(for: page)) ?? []).enumerated().map { (Asked($0.element), $0.offset) }
    }
    return Dictionary(planned) { first, _ in first }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let asked = request.query
    return same(Asked(request), as: asked) ?? batch(request, of: asked) ?? refusal(asked?.capability)
  }

  /// The example's answer to that very request; where two kinds of question ask alike, that of the kind asked, and of several
  /// that which names most of the coins.
  private func same(_ request: Asked, as asked: ProviderQuery?) -> HTTPResponse? {
    let matching = answers.filter { $0.requests[request] != nil }
    let alike = matching.filter { $0.example.query.capability == asked?.capability }
    let wanted = Set(asked?.coins ?? [])
    var answer = alike.first ?? matching.first
    for other in alike where other.known(wanted) > answer?.known(wanted) ?? 0 { answer = other }
    return answer.flatMap { answer in answer.requests[request].flatMap { answer.response($0) } }
  }

  /// The example that names most of the coins of a request for several: a source answers with those it has.
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

  /// Whether a request asks a question: of a plugin, which may plan another at another time, by what it says it asks.
  private func asks(_ request: HTTPRequest, _ query: ProviderQuery) -> Bool {
    if source.dialect.readsTogether { return request.query == query }
    return (try? Asked(source.dialect.request(for: query))) == Asked(request)
  }

  private func refusal(_ capability: Capability?) -> HTTPResponse {
    capability.flatMap { refusals[$0] } ?? refusals[.quotes]
      ?? Capability.allCases.lazy.compactMap { refusals[$0] }.first ?? HTTPResponse(status: 404)
  }
}

extension DeclaredExample {
  /// Whether the source answered, with rows.
  var isAnswered: Bool {
    if case .rows(let rows) = expectation { return (200...299).contains(status) && !rows.isEmpty }
    return false
  }
}
