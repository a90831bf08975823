import BitpalModel
import BitpalNetwork

extension Assembly {
  /// One answer of a source that no file describes yet, fetched as any other: https only, or http on this machine.
  ///
  /// - Throws: `BitpalError` when there is no answer, or one that says no.
  public func sample(from url: String) async throws -> [UInt8] {
    let host = url.split(separator: "/").dropFirst().first.map(String.init) ?? url
    let specification = ProviderSpecification(id: host, name: host, kind: .http)
    // A single request needs no budget that others know of.
    let transports = TransportFactory(budgets: nil, time: SystemTime(), trace: trace)
    let response = try await transports.transport(for: specification, key: nil)
      .send(
        HTTPRequest(url: url, headers: [HTTPHeader("accept", "application/json")], deadline: Deadline.current))
    guard response.isSuccess else {
      let start = String(decoding: response.body.prefix(300), as: UTF8.self)
      throw BitpalError.refused(provider: host, status: response.status, reason: start.printable(limit: 200))
    }
    return response.body
  }
}
