import BitpalModel
public import BitpalNetwork

extension Assembly {
  /// Fetches one answer of a source that no file describes yet, by the rules of any other request: https only, or http
  /// on this machine.
  ///
  /// - Parameters:
  ///   - url: The address.
  ///   - body: The text that is posted; nil for a GET. It is sent as JSON when it begins with a brace or a bracket,
  ///     otherwise as a form.
  ///   - headers: The headers that are sent; an `accept` or `content-type` among them replaces the default one.
  ///   - secret: The header that carries a key.
  ///   - redaction: Removes the keys of the URL from the answer and from the trace.
  /// - Returns: The body of the answer, redacted.
  /// - Throws: `BitpalError` when there is no answer; `.refused` for a status outside of the 200s.
  public func sample(
    from url: String, sending body: String? = nil, headers: [HTTPHeader] = [], secret: HTTPRequest.SecretHeader? = nil,
    hiding redaction: Redaction
  ) async throws -> [UInt8] {
    let host = url.split(separator: "/").dropFirst().first.map(String.init) ?? url
    let specification = ProviderSpecification(id: host, name: host, kind: .declared(DeclaredAPI()))
    // A single request needs no budget shared with other processes.
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
