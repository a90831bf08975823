import BitpalModel
import Foundation

/// An HTTP/1.1 server on 127.0.0.1 for tests: it answers what the test says, and misbehaves on request.
///
///     let server = try LoopbackServer { request in .ok(json: #"{"bitcoin":{"usd":67187.3358936566}}"#) }
///     defer { server.stop() }
///
/// Each connection has a thread; all of them end with ``stop()``.
public final class LoopbackServer: Sendable {
  /// The server could not be started.
  public struct Failure: Error {
    /// What the system refused.
    public let call: String

    /// `errno`.
    public let code: Int32
  }

  private struct State {
    var requests: [Request] = []
    var open: Set<Int32> = []
    var connections = 0
    var isStopped = false
  }

  /// The port, chosen by the system.
  public let port: Int

  private let listener: Int32
  private let state = Locked(State())
  private let handler: @Sendable (Request) -> ServerReply

  /// Starts a server; `handler` is called once a request, on the connection's thread.
  public init(_ handler: @escaping @Sendable (Request) -> ServerReply) throws {
    self.handler = handler
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw Failure(call: "socket", code: errno) }
    port = try Self.bindToAnyPort(listener)
    guard listen(listener, 256) == 0 else {
      defer { close(listener) }
      throw Failure(call: "listen", code: errno)
    }
    Thread.detachNewThread { [listener, weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
        guard connection >= 0, let self else { break }
        // Child processes of a test must not keep it open.
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        self.take(connection)
      }
      close(listener)
    }
  }

  deinit { stop() }

  /// `http://127.0.0.1:PORT`.
  public var url: String { "http://127.0.0.1:\(port)" }

  /// What has been asked so far, in order.
  public var requests: [Request] { state.withLock { $0.requests } }

  /// How many connections there have been.
  public var connectionCount: Int { state.withLock { $0.connections } }

  /// Ends all connections and frees the port.
  public func stop() {
    let isFirst = state.withLock { state in
      defer { state.isStopped = true }
      for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
      return !state.isStopped
    }
    // Wakes the accepting thread, which closes the socket.
    if isFirst { shutdown(listener, Int32(SHUT_RDWR)) }
  }

  private func take(_ connection: Int32) {
    let number = state.withLock { state -> Int? in
      guard !state.isStopped, state.open.count < 256 else { return nil }
      state.open.insert(connection)
      state.connections += 1
      return state.connections
    }
    guard let number else {
      close(connection)
      return
    }
    Thread.detachNewThread { [self] in
      var wire = Wire(connection) { [state] in state.withLock { $0.isStopped } }
      while let request = wire.readRequest(connection: number) {
        state.withLock { $0.requests.append(request) }
        guard wire.perform(handler(request)) else { break }
      }
      // Closed under the lock: `stop` must not reach a number that already stands for something else.
      state.withLock { state in
        state.open.remove(connection)
        close(connection)
      }
    }
  }

  private static func bindToAnyPort(_ listener: Int32) throws -> Int {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && getsockname(listener, address, &size) == 0
      }
    }
    guard code else {
      defer { close(listener) }
      throw Failure(call: "bind", code: errno)
    }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
