import BitpalConfig
package import BitpalModel
package import BitpalNetwork
import BitpalProviders
package import BitpalReplay

extension Assembly {
  /// Asks a source one question over the network, within its budget and past the cache.
  ///
  /// - Returns: What went over the wire.
  /// - Throws: The failure of the source, when nothing came back that can be read as its answer.
  package func exchanges(asking query: ProviderQuery, of id: String) async throws -> ExchangeRecorder {
    var assembly = self
    let recorder = ExchangeRecorder()
    assembly.recorder = recorder
    let catalog = ProviderCatalog(settings: settings)
    let provider = try assembly.providerEnvironment(catalog, surroundings?.time ?? SystemTime())
      .provider(try catalog.specification(for: id))
    do {
      _ = try await provider.answer(to: query)
    } catch let error as BitpalError where recorder.exchanges.last?.response.isSuccess ?? false || !error.isOfSource {
      // What the answer means is shown by the example that is made of it.
    }
    return recorder
  }

  /// Fetches one answer of a source that no file describes yet, by the rules of any other request: https only, or http
  /// on this machine.
  ///
  /// - Parameters:
  ///   - url: The address.
  ///   - headers: The headers that are sent; an `accept` among them replaces the default one.
  ///   - secret: The header that carries a key.
  ///   - redaction: Removes the keys of the URL from the answer and from the trace.
  /// - Returns: The body of the answer, redacted.
  /// - Throws: `BitpalError` without an answer; `.refused` for a status outside of the 200s.
  package func sample(
    from url: String, headers: [HTTPHeader] = [], secret: HTTPRequest.SecretHeader? = nil, hiding redaction: Redaction
  ) async throws -> [UInt8] {
    let host = url.split(separator: "/").dropFirst().first.map(String.init) ?? url
    let specification = ProviderSpecification(id: host, name: host, kind: DeclaredKind())
    // A single request needs no budget shared with other processes.
    let redacting = Trace { [trace] event in
      if case .request(let command) = event { trace(.request(redaction.text(command))) } else { trace(event) }
    }
    let all = headers.first(named: "accept") == nil ? [HTTPHeader("accept", "application/json")] + headers : headers
    let transports = TransportFactory(budgets: nil, time: SystemTime(), trace: redacting)
    let response = try await transports.transport(for: specification, key: nil)
      .send(HTTPRequest(url: url, headers: all, secret: secret))
    let body = redaction.bytes(response.body)
    guard response.isSuccess else {
      let start = String(decoding: body.prefix(300), as: UTF8.self)
      throw BitpalError.refused(provider: host, status: response.status, reason: start.printable(limit: 200))
    }
    return body
  }
}
