import Foundation
import Glibc
import Synchronization

/// A web server on 127.0.0.1 that answers what ``Market`` says and counts what it is asked.
final class Loopback: Sendable {
  private struct State {
    var targets: [String] = []
    var answers: [String: [UInt8]] = [:]
    var delay: Duration = .zero
  }

  let port: UInt16
  private let state = Mutex(State())

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && getsockname(listener, address, &size) == 0 && listen(listener, 512) == 0
      }
    }
    guard isListening else { throw Command.Failure(description: "no server: \(String(cString: strerror(errno)))") }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in
      while true {
        let connection = accept(listener, nil, nil)
        // The processes that are measured must not keep it open.
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        if connection >= 0 { Thread.detachNewThread { self.serve(connection) } }
      }
    }
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// The path and query of the last request.
  var lastTarget: String { state.withLock { $0.targets.last ?? "/" } }

  /// How many requests there have been.
  var count: Int { state.withLock { $0.targets.count } }

  /// How many requests `body` causes, each answered after `delay`.
  func requests(delay: Duration = .zero, during body: () async throws -> Void) async rethrows -> Int {
    state.withLock { $0.delay = delay }
    defer { state.withLock { $0.delay = .zero } }
    let before = count
    try await body()
    return count - before
  }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    var on: Int32 = 1
    setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      head += buffer[..<count]
      guard head.suffix(4) == [13, 10, 13, 10] else { continue }
      let words = String(decoding: head.prefix { $0 != 13 }, as: UTF8.self).split(separator: " ")
      guard words.count == 3, send(answer(String(words[1])), on: connection) else { return }
      head = []
    }
  }

  private func answer(_ target: String) -> [UInt8] {
    let (known, delay) = state.withLock { state in
      state.targets.append(target)
      return (state.answers[target], state.delay)
    }
    if delay > .zero { usleep(UInt32(delay / .microseconds(1))) }
    if let known { return known }
    let body = Market.body(for: target)
    let status = body == nil ? "404 Not Found" : "200 OK"
    let head = "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body?.count ?? 0)\r\n\r\n"
    let answer = Array(head.utf8) + (body ?? [])
    state.withLock { $0.answers[target] = answer }
    return answer
  }

  private func send(_ bytes: [UInt8], on connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
