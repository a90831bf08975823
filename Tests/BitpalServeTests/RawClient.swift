import Foundation
import Glibc

/// A client that sends the bytes it is told to, whatever they are.
///
/// It reads on a thread of its own: one that waits would hold one of the few that tasks share, on which the server answers.
final class RawClient: Sendable {
  private let descriptor: Int32

  /// - Parameter port: Of 127.0.0.1.
  init(port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    inet_pton(AF_INET, "127.0.0.1", &place.sin_addr)
    withUnsafePointer(to: &place) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // Longer than any answer takes: a server that says nothing fails the test and does not hang it.
    var limit = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit {
    Glibc.close(descriptor)
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var bytes = bytes
    _ = Glibc.send(descriptor, &bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Whether the server has closed the connection.
  var isOver: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 1 && errno != EAGAIN
  }

  /// What comes until the server closes.
  func readToEnd() async -> String {
    await read { _ in false }
  }

  /// One answer, by its length; what comes until the server closes where it tells none.
  func readAnswer() async -> String {
    await read { text in
      guard let end = text.ranges(of: "\r\n\r\n").first?.upperBound else { return false }
      guard let mark = text.ranges(of: "Content-Length: ").first else { return false }
      let length = Int(text[mark.upperBound...].prefix { $0.isNumber }) ?? 0
      return text[end...].utf8.count >= length
    }
  }

  /// What comes until something is in it that is waited for.
  func read(to text: String) async -> String {
    await read { $0.contains(text) }
  }

  private func read(until isDone: @escaping @Sendable (String) -> Bool) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isDone(String(decoding: bytes, as: UTF8.self)) {
          let count = recv(self.descriptor, &buffer, buffer.count, 0)
          guard count > 0 else { break }
          bytes += buffer[..<count]
        }
        continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
    }
  }
}
