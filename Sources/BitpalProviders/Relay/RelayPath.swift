import BitpalModel
import BitpalNetwork

/// The servers of bitpal through which a question has come, by which a loop of relays is found.
///
/// Each adds its name to the `Via` header (RFC 9110, section 7.6.3); other intermediaries there do not count.
package enum RelayPath {
  /// The names of the servers that the question being answered has passed, this one last; empty for a question of this process.
  @TaskLocal package static var current: [String] = []

  /// The most servers that a question passes.
  package static let longest = 8

  private static let mark = "bitpal-"

  /// Returns a name for a server that no other has.
  package static func newName() -> String { mark + String(UInt64.random(in: .min ... .max), radix: 36) }

  /// Returns the servers of bitpal that the values of `Via` headers name, in order.
  package static func servers(in values: [String]) -> [String] {
    values.flatMap { $0.split(separator: ",") }.compactMap { hop in
      // Protocol and version, then who received it.
      hop.split(separator: " ").dropFirst().first.map(String.init)
    }.filter { $0.hasPrefix(mark) }
  }
}

/// Says with each request through which servers its question has come.
struct RelayTransport: Transport {
  private let base: any Transport

  init(_ base: any Transport) {
    self.base = base
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard !RelayPath.current.isEmpty else { return try await base.send(request) }
    var request = request
    request.headers.append(HTTPHeader("via", RelayPath.current.map { "1.1 \($0)" }.joined(separator: ", ")))
    return try await base.send(request)
  }
}
