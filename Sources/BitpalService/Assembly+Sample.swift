import BitpalModel
public import BitpalNetwork

extension Assembly {
  /// One answer of a source that no file describes yet, fetched as any other: https only, or http on this machine.
  ///
  /// - Parameters:
  ///   - url: The address.
  ///   - headers: What is sent besides `accept`; one of that name goes before it.
  ///   - secret: The header that carries a key.
  ///   - redaction: What stands neither in the answer nor in what is told on the way: whatever in the URL is a key.
  /// - Throws: `BitpalError` when there is no answer, or one that says no.
  public func sample(
    from url: String, sending body: String? = nil, headers: [HTTPHeader] = [], secret: HTTPRequest.SecretHeader? = nil,
    hiding redaction: Redaction
  ) async throws -> [UInt8] {
    let host = url.split(separator: "/").dropFirst().first.map(String.init) ?? url
    let specification = ProviderSpecification(id: host, name: host, kind: .declared(DeclaredAPI()))
    // A single request needs no budget that others know of.
    let discreet = Trace { [trace] event in
      if case .request(let command) = event { trace(.request(redaction.text(command))) } else { trace(event) }
    }
    var all = headers.first(named: "accept") == nil ? [HTTPHeader("accept", "application/json")] + headers : headers
    if let body, headers.first(named: "content-type") == nil {
      let isJSON = body.first { !$0.isWhitespace }.map { "{[".contains($0) } ?? false
      all.append(HTTPHeader("content-type", isJSON ? "application/json" : "application/x-www-form-urlencoded"))
    }
    let transports = TransportFactory(budgets: nil, time: SystemTime(), trace: discreet)
    let response = try await transports.transport(for: specification, key: nil)
      .send(HTTPRequest(url: url, headers: all, body: body.map { Array($0.utf8) }, secret: secret))
    let body = redaction.bytes(response.body)
    guard response.isSuccess else {
      let start = String(decoding: body.prefix(300), as: UTF8.self)
      throw BitpalError.refused(provider: host, status: response.status, reason: start.printable(limit: 200))
    }
    return body
  }
}
