import BitpalModel
import BitpalNetwork
import BitpalProviders

/// A source that knows what the examples of a provider file say, and nothing else.
///
/// A request that the dialect makes of an example's question gets the example's body; any other gets what the source
/// says of a coin that it does not have.
struct ExampleTransport: Transport {
  private struct Answer {
    let query: ProviderQuery
    let requests: Set<Asked>
    let response: HTTPResponse
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

  private let dialect: DeclarativeDialect
  private let answers: [Answer]
  private let refusals: [Capability: HTTPResponse]

  init(_ dialect: DeclarativeDialect) {
    self.dialect = dialect
    var answers: [Answer] = []
    var refusals: [Capability: HTTPResponse] = [:]
    for example in dialect.api.examples {
      guard let body = try? example.bytes() else { continue }
      let response = HTTPResponse(status: example.status, body: body)
      if example.expectation == .failure(.notFound) {
        refusals[example.query.capability] = refusals[example.query.capability] ?? response
      } else if example.isAnswered {
        // An example of several coins is one body, in however many requests they are asked for.
        let pages = example.query.capability == .quotes ? [example.query] : dialect.pages(of: example.query)
        let requests = pages.compactMap { try? Asked(dialect.request(for: $0)) }
        answers.append(Answer(query: example.query, requests: Set(requests), response: response))
      }
    }
    self.answers = answers
    self.refusals = refusals
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let asked = request.query
    let answer = same(Asked(request), as: asked) ?? batch(Asked(request), of: asked)
    return answer?.response ?? refusal(asked?.capability)
  }

  /// The example's answer to that very request; where two kinds of question ask alike, that of the kind asked.
  private func same(_ request: Asked, as asked: ProviderQuery?) -> Answer? {
    let matching = answers.filter { $0.requests.contains(request) }
    return matching.first { $0.query.capability == asked?.capability } ?? matching.first
  }

  /// The example that names most of the coins of a request for several: a source answers with those it has.
  private func batch(_ request: Asked, of asked: ProviderQuery?) -> Answer? {
    guard case .quotes(let coins, _) = asked, dialect.api.operations[.quotes]?.batch != nil else { return nil }
    let wanted = Set(coins)
    var best: (answer: Answer, known: Int)?
    for answer in answers {
      guard case .quotes(let has, let currency) = answer.query else { continue }
      let known = wanted.intersection(has).count
      guard known > best?.known ?? 0,
        (try? Asked(dialect.request(for: .quotes(coins: coins, currency: currency)))) == request
      else { continue }
      best = (answer, known)
    }
    return best?.answer
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
