import BitpalNetwork

/// The path of a query through servers of bitpal, which reveals a loop of relays.
///
/// Each server adds its name to the `Via` header (RFC 9110, section 7.6.3); names of other intermediaries are ignored.
package enum RelayPath {
  /// The names of the servers that the present query has passed, this one last; empty for a query of this process.
  @TaskLocal package static var current: [String] = []

  /// The most servers that a query may pass.
  package static let longest = 8

  private static let mark = "bitpal-"

  /// Returns a new name for a server, `bitpal-` and a random number of 64 bits.
  package static func newName() -> String { mark + String(UInt64.random(in: .min ... .max), radix: 36) }

  /// Returns the servers of bitpal that the values of `Via` headers name, in order.
  package static func servers(in values: [String]) -> [String] {
    let hops: [Substring] = values.flatMap { $0.split(separator: ",") }
    // A hop is the protocol's version, then the name of the receiver.
    let names = hops.compactMap { hop -> String? in hop.split(separator: " ").dropFirst().first.map(String.init) }
    return names.filter { $0.hasPrefix(mark) }
  }
}

/// A transport that adds the path of its query to each request, as a `Via` header.
struct RelayTransport: Transport {
  private let base: any Transport

  init(_ base: any Transport) {
    self.base = base
  }

  func pause(after response: HTTPResponse, for wait: Duration?) -> Duration? {
    base.pause(after: response, for: wait)
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard !RelayPath.current.isEmpty else { return try await base.send(request) }
    var request = request
    request.headers.append(HTTPHeader("via", RelayPath.current.map { "1.1 \($0)" }.joined(separator: ", ")))
    return try await base.send(request)
  }
}
