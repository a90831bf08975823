import BitpalModel
import CHTTPD

/// One request: from its first line to its last byte.
///
/// Sendable holds because `connection` is used to resume alone, once, while the library keeps the connection for that; the
/// rest is touched on the library's thread only, or under its lock.
final class ServedRequest: @unchecked Sendable {
  let target: String
  let connection: OpaquePointer

  /// The line and the headers, once all are there.
  var head: WebHead?
  var isSuspended = false
  private let response = Locked<WebResponse?>(nil)

  init(target: String, connection: OpaquePointer) {
    self.target = target
    self.connection = connection
  }

  var answer: WebResponse? { response.withLock { $0 } }

  /// Says what is answered, and has the library's thread look for it; what comes second is too late.
  func finish(_ answer: WebResponse) {
    let isFirst = response.withLock { response in
      defer { response = response ?? answer }
      return response == nil
    }
    if isFirst { bitpal_httpd_resume(connection) } else { answer.stream?.end() }
  }
}
