package import BitpalNetwork

/// The parts of a request that are compared with a recorded one: method, URL and body.
package struct RequestShape: Hashable, Sendable {
  package let method: String
  package let url: String
  package let contentType: String?
  package let body: [UInt8]

  package init(method: String, url: String, contentType: String? = nil, body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.contentType = contentType
    self.body = body
  }

  /// Creates the shape of a request of ours.
  package init(_ request: HTTPRequest) {
    self.init(
      method: request.method, url: request.url, contentType: request.headers.first(named: "content-type"),
      body: request.body ?? [])
  }

  /// The request of ours that has this shape.
  package var asked: HTTPRequest { HTTPRequest(url: url, body: method == "GET" ? nil : body) }

  /// One difference between two requests.
  package struct Difference: Hashable, Sendable {
    /// The description: `the path is /b, not /a`.
    package let description: String

    /// The weight of the difference in the search for the most similar recorded request.
    let weight: Int

    init(_ description: String, weight: Int = 1) {
      self.description = description
      self.weight = weight
    }
  }

  /// Returns the differences from a recorded request; empty when they match.
  package func differences(from recorded: RequestShape) -> [Difference] {
    let (asked, known) = (RequestURL(url), RequestURL(recorded.url))
    var differences: [Difference] = []
    if method != recorded.method { differences.append(Difference("the method is \(method), not \(recorded.method)")) }
    if asked.scheme != known.scheme {
      differences.append(Difference("the scheme is \(asked.scheme), not \(known.scheme)"))
    }
    if asked.host != known.host { differences.append(Difference("the host is \(asked.host), not \(known.host)")) }
    if asked.path != known.path {
      // Another path is a larger difference than any query.
      differences.append(Difference("the path is \(asked.path), not \(known.path)", weight: 100))
    }
    differences += Self.differences(asked.query, known.query).map { Difference($0) }
    if !ContentEquality.areEqual((body, contentType), (recorded.body, recorded.contentType)) {
      differences.append(Difference("the body is another"))
    }
    return differences
  }

  /// Returns the differences of two queries, name by name; the values of one name keep their order.
  private static func differences(_ asked: [RequestURL.Pair], _ known: [RequestURL.Pair]) -> [String] {
    var names: [String] = []
    for pair in asked + known where !names.contains(pair.name) { names.append(pair.name) }
    return names.compactMap { name in
      let (asked, known) = (asked.filter { $0.name == name }, known.filter { $0.name == name })
      if asked == known { return nil }
      let (now, then) = (asked.map(\.text).joined(separator: "&"), known.map(\.text).joined(separator: "&"))
      if known.isEmpty { return "the query also has \(now)" }
      if asked.isEmpty { return "the query lacks \(then)" }
      return "the query has \(now), not \(then)"
    }
  }
}
