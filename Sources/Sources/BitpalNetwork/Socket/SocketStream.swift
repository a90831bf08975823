import BitpalModel
import Glibc

/// The reason why bytes of a connection cannot be received or sent.
package enum StreamFault: Error, Hashable, Sendable {
  /// The time limit passed before bytes could be sent or received.
  case silent

  /// The connection failed or was closed; the description is ours or the system's.
  case broken(String)

  /// The fault that the number of the system's last error describes.
  fileprivate static var system: Self {
    let number = errno
    return .broken(
      [ECONNRESET, EPIPE].contains(number) ? "the connection was reset" : String(cString: strerror(number)))
  }

  /// Waits until a descriptor is ready.
  ///
  /// - Parameters:
  ///   - events: Those of `poll`, as `POLLIN`.
  ///   - end: The time limit.
  /// - Throws: ``silent`` when the time limit passes.
  static func wait(for events: Int32, of descriptor: Int32, until end: ContinuousClock.Instant) throws(Self) {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    while true {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { throw .silent }
      let count = poll(&entry, 1, Int32(clamping: max(1, left.milliseconds)))
      if count > 0 { return }
      if count < 0, errno != EINTR { throw .system }
    }
  }
}

/// A connection without TLS for a protocol that is not HTTP, on a socket of the system.
///
/// It must not be used by several threads at once; its owner ensures that. Each operation blocks the thread of the
/// caller, at most until a given instant.
package final class SocketStream {
  /// The other end of a connection.
  package enum Place: Hashable, Sendable {
    /// The host as in a URL: an IPv6 address in brackets.
    case host(String, port: Int)

    /// The path of a socket of this machine, at most 107 bytes.
    case socket(String)
  }

  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  /// Connects to a host or a socket.
  ///
  /// - Parameter patience: The longest time for connecting, the look-up of the host's name included.
  /// - Throws: ``StreamFault/silent`` when the time limit passes, ``StreamFault/broken(_:)`` when no address of the host
  ///   accepts the connection.
  package init(to place: Place, within patience: Duration) throws(StreamFault) {
    let end = ContinuousClock.now + patience
    switch place {
    case .socket(let path): descriptor = try Self.connect(to: SocketAddress(path: path), until: end)
    case .host(let host, let port):
      descriptor = try Self.connect(to: try SocketAddress.all(of: host, port: port, until: end)[...], until: end)
      var on: Int32 = 1
      let size = socklen_t(MemoryLayout<Int32>.size)
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
      setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, size)
    }
  }

  deinit {
    close(descriptor)
  }

  /// Connects to the first address that accepts; each has an equal part of the time that is left.
  private static func connect(
    to addresses: ArraySlice<SocketAddress>, until end: ContinuousClock.Instant
  ) throws(StreamFault) -> Int32 {
    guard let first = addresses.first else { throw .broken("the name does not resolve") }
    do throws(StreamFault) {
      let now = ContinuousClock.now
      return try connect(to: first, until: now + now.duration(to: end) / addresses.count)
    } catch {
      guard addresses.count > 1 else { throw error }
      return try connect(to: addresses.dropFirst(), until: end)
    }
  }

  private static func connect(
    to address: SocketAddress, until end: ContinuousClock.Instant
  ) throws(StreamFault) -> Int32 {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(address.family, Int32(kind), 0)
    guard descriptor >= 0 else { throw .system }
    do throws(StreamFault) {
      guard address.withPointer({ Glibc.connect(descriptor, $0, $1) }) != 0 else { return descriptor }
      guard errno == EINPROGRESS else { throw .system }
      try StreamFault.wait(for: POLLOUT, of: descriptor, until: end)
      var size = socklen_t(MemoryLayout<Int32>.size)
      var problem: Int32 = 0
      guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &size) == 0 else { throw .system }
      guard problem == 0 else { throw .broken(String(cString: strerror(problem))) }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Sends all bytes.
  ///
  /// - Throws: ``StreamFault/silent`` when not all is sent by `end`, ``StreamFault/broken(_:)`` when the connection
  ///   fails.
  package func send(_ bytes: [UInt8], until end: ContinuousClock.Instant) throws(StreamFault) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count > 0 { rest.removeFirst(count) } else { try wait(for: POLLOUT, until: end) }
    }
  }

  /// Returns the next bytes, at least one.
  ///
  /// - Throws: ``StreamFault/silent`` when none has come by `end`, ``StreamFault/broken(_:)`` when the connection fails
  ///   or is closed.
  package func receive(until end: ContinuousClock.Instant) throws(StreamFault) -> ArraySlice<UInt8> {
    while true {
      let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
      if count > 0 { return buffer[..<count] }
      if count == 0 { throw .broken("the server has closed the connection") }
      try wait(for: POLLIN, until: end)
    }
  }

  /// Waits where the last call would have blocked, and throws its error otherwise.
  private func wait(for events: Int32, until end: ContinuousClock.Instant) throws(StreamFault) {
    switch errno {
    case EAGAIN: try StreamFault.wait(for: events, of: descriptor, until: end)
    case EINTR: break
    default: throw .system
    }
  }
}
