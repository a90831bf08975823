import BitpalModel
import Glibc

/// An address to which a socket connects.
struct SocketAddress: Hashable, Sendable {
  /// The family of addresses, as `AF_INET`.
  let family: Int32

  /// The bytes of the system's structure.
  private let bytes: [UInt8]

  /// Creates the address of a socket of this machine.
  ///
  /// - Parameter path: Its path, at most 107 bytes.
  init(path: String) {
    family = AF_UNIX
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.dropLast().copyBytes(from: path.utf8) }
    bytes = withUnsafeBytes(of: address) { Array($0) }
  }

  private init(_ entry: addrinfo) {
    family = entry.ai_family
    bytes = Array(UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen)))
  }

  /// Returns the addresses of a host, in the order in which the system prefers them.
  ///
  /// - Parameters:
  ///   - host: A name, or an address as in a URL.
  ///   - end: The time limit for looking up a name.
  /// - Throws: ``StreamFault/silent`` when the time limit passes, ``StreamFault/broken(_:)`` for an unknown name.
  static func all(
    of host: String, port: Int, until end: ContinuousClock.Instant
  ) throws(StreamFault) -> [Self] {
    let name = host.filter { $0 != "[" && $0 != "]" }
    let literal = Self.entries(name, port, AI_NUMERICHOST)
    return literal.isEmpty ? try NameLookup(name, port).result(until: end) : literal
  }

  /// Returns the system's answer; none for a name that it does not know.
  fileprivate static func entries(_ name: String, _ port: Int, _ flags: Int32) -> [Self] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = flags | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, "\(port)", &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    return sequence(first: list, next: { $0?.pointee.ai_next }).compactMap { $0.map { Self($0.pointee) } }
  }

  /// Calls `body` with the structure and its size.
  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result? {
    bytes.withUnsafeBytes { raw in
      raw.assumingMemoryBound(to: sockaddr.self).baseAddress.map { body($0, socklen_t(raw.count)) }
    }
  }
}

/// The look-up of a name on a thread of its own, because the system's resolver knows no time limit.
private final class NameLookup: Sendable {
  private let name: String
  private let port: Int
  private let found = Locked<[SocketAddress]>([])

  /// The ends of a connection, whose second is closed when the look-up is over.
  private let ends: (receiving: Int32, sending: Int32)

  init(_ name: String, _ port: Int) throws(StreamFault) {
    var pair: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
      throw .broken(String(cString: strerror(errno)))
    }
    (self.name, self.port, ends) = (name, port, (pair[0], pair[1]))
  }

  deinit {
    close(ends.receiving)
  }

  /// Starts the thread and waits for its result; a thread that takes longer ends by itself.
  func result(until end: ContinuousClock.Instant) throws(StreamFault) -> [SocketAddress] {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let lookup = Unmanaged<NameLookup>.fromOpaque(context).takeRetainedValue()
        let entries = SocketAddress.entries(lookup.name, lookup.port, 0)
        lookup.found.withLock { $0 = entries }
        close(lookup.ends.sending)
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      close(ends.sending)
      throw .broken(String(cString: strerror(code)))
    }
    pthread_detach(thread)
    try StreamFault.wait(for: POLLIN, of: ends.receiving, until: end)
    return found.withLock { $0 }
  }
}
