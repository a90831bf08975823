import Foundation

/// The bytes of one connection.
struct Wire {
  private let socket: Int32
  private let isStopped: () -> Bool
  private var unread: [UInt8] = []

  init(_ socket: Int32, isStopped: @escaping () -> Bool) {
    self.socket = socket
    self.isStopped = isStopped
    var on: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The next request; nil when the peer has gone or sends something else.
  mutating func readRequest(connection: Int) -> Request? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let range = unread.firstRange(of: end) {
        let head = String(decoding: unread[..<range.lowerBound], as: UTF8.self)
        unread.removeSubrange(..<range.upperBound)
        var lines = head.components(separatedBy: "\r\n")
        let words = lines.removeFirst().split(separator: " ")
        guard words.count == 3 else { return nil }
        let headers = lines.compactMap { line -> (name: String, value: String)? in
          guard let colon = line.firstIndex(of: ":") else { return nil }
          return (String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
        let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
        guard let body = readBody(length) else { return nil }
        return Request(
          time: .now, connection: connection, method: String(words[0]), target: String(words[1]), headers: headers,
          body: body)
      }
      var buffer = [UInt8](repeating: 0, count: 16_384)
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0, unread.count < 1 << 20 else { return nil }
      unread += buffer[..<count]
      // A TLS greeting, for example, has no end that could be waited for.
      guard let first = unread.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else {
        _ = perform(.status(400))
        return nil
      }
    }
  }

  /// The next bytes of the connection; nil when it ends before.
  private mutating func readBody(_ length: Int) -> [UInt8]? {
    while unread.count < length {
      var buffer = [UInt8](repeating: 0, count: 16_384)
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0, unread.count < 1 << 20 else { return nil }
      unread += buffer[..<count]
    }
    defer { unread.removeFirst(length) }
    return Array(unread.prefix(length))
  }

  /// Answers; false when the connection is to be closed.
  mutating func perform(_ answer: ServerReply) -> Bool {
    switch answer {
    case .response(let status, let headers, let body):
      return send(head(status, headers + [("Content-Length", "\(body.count)")]) + body)
    case .raw(let bytes):
      _ = send(bytes)
    case .close:
      break
    case .reset:
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    case .silence(let duration):
      _ = wait(duration)
    case .delayed(let duration, let next):
      return wait(duration) && perform(next)
    case .halfBody(let body):
      _ = send(head(200, [("Content-Length", "\(body.count)")]) + body.prefix(body.count / 2))
    case .drip(let body, let interval):
      guard send(head(200, [("Content-Length", "\(body.count)")])) else { return false }
      for byte in body { guard send([byte]), wait(interval) else { return false } }
      return true
    case .endlessBody:
      guard send(head(200, [])) else { return false }
      let block = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
      while send(block) {}
    case .endlessHeaders:
      guard send(Array("HTTP/1.1 200 OK\r\n".utf8)) else { return false }
      var number = 0
      while send(Array("X-Header-\(number): \(String(repeating: "x", count: 40))\r\n".utf8)) { number += 1 }
    case .endlessHeaderLine:
      guard send(Array("HTTP/1.1 200 OK\r\nX-Long: ".utf8)) else { return false }
      let block = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
      while send(block) {}
    case .gzipBomb(let unpacked):
      guard send(head(200, [("Content-Encoding", "gzip")])) else { return false }
      Gzip.zeros(unpacked: unpacked) { send($0) }
    }
    return false
  }

  private func head(_ status: Int, _ headers: [(String, String)]) -> [UInt8] {
    let lines = ["HTTP/1.1 \(status) Status"] + headers.map { "\($0.0): \($0.1)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Waits; false when the peer or the test has had enough before.
  private func wait(_ duration: Duration) -> Bool {
    let end = ContinuousClock.now + duration
    while !isStopped() {
      let left = end - .now
      guard left > .zero else { return true }
      var byte: UInt8 = 0
      let seen = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
      // Nothing to read is fine, and so is a further request in line.
      if seen == 0 || seen < 0 && errno != EAGAIN && errno != EINTR { return false }
      let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
      // POLLRDHUP: returns at once when the peer has left.
      var change = pollfd(fd: socket, events: 0x2000, revents: 0)
      poll(&change, 1, Int32(min(milliseconds + 1, 10)))
    }
    return false
  }
}
