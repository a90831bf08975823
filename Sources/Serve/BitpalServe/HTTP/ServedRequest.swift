import BitpalModel
import CHTTPD

/// One request from its first line to the last byte of its answer.
///
/// It is Sendable because tasks use `connection` only to resume it, once, while the library keeps it for that. The rest
/// is used on the library's thread only, or under the lock.
final class ServedRequest: @unchecked Sendable {
  let target: String
  let connection: OpaquePointer

  /// The line and the headers; nil until all have arrived.
  var head: WebHead?
  var isSuspended = false

  /// The answer that was known when the headers had arrived; nil for none.
  var known: WebResponse?
  private let response = Locked<WebResponse?>(nil)

  init(target: String, connection: OpaquePointer) {
    self.target = target
    self.connection = connection
  }

  var answer: WebResponse? { response.withLock { $0 } }

  /// Sets the answer and resumes the connection; only the first call has an effect.
  func finish(_ answer: WebResponse) {
    let isFirst = response.withLock { response in
      defer { response = response ?? answer }
      return response == nil
    }
    if isFirst { bitpal_httpd_resume(connection) } else { answer.stream?.end() }
  }
}
