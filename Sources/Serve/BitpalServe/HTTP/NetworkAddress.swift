package import BitpalModel
import Glibc

/// The address at which a server listens: an address of this machine and a port.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
  /// The numeric address, such as `127.0.0.1`, `::1` or `0.0.0.0`.
  package let host: String

  /// The port; 0 for any free one.
  package let port: UInt16

  /// The default address, `127.0.0.1:8642`.
  package static let standard = NetworkAddress(host: "127.0.0.1", port: 8642)

  private init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads an address and a port, such as `127.0.0.1:8642`, `[::1]:8642` or `localhost:0`; `localhost` becomes
  /// 127.0.0.1.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for any other text.
  package init(_ text: String) throws(BitpalError) {
    let refusal = BitpalError.usage(
      "--listen: \"\(text)\" is not an address and a port",
      hint: "write it like 127.0.0.1:8642, [::1]:8642 or 0.0.0.0:8642; port 0 is any that is free")
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
      let name = Self.host(of: text)
    else { throw refusal }
    let host = name == "localhost" ? "127.0.0.1" : name
    guard Self.isNumeric(host) else { throw refusal }
    self.init(host: host, port: port)
  }

  /// Whether only this machine can reach it.
  package var isLoopback: Bool { Self.isLoopback(host) }

  /// The address at which a program of this machine reaches a server that listens here: the loopback address where it
  /// listens at all; nil for an address of another network.
  package var ofThisMachine: NetworkAddress? {
    switch host {
    case "0.0.0.0": NetworkAddress(host: "127.0.0.1", port: port)
    case "::": NetworkAddress(host: "::1", port: port)
    default: isLoopback ? self : nil
    }
  }

  /// The addresses at which browsers open a server that listens here: for one that listens at all addresses, that of this machine
  /// and the first in one of its networks; for any other, its own.
  package var openable: [NetworkAddress] {
    guard let own = ofThisMachine, own != self else { return [self] }
    return [own]
      + (Self.ofNetworks(isVersion6 ? AF_INET6 : AF_INET).first.map { [NetworkAddress(host: $0, port: port)] } ?? [])
  }

  /// Returns the addresses of this machine in its networks.
  private static func ofNetworks(_ family: Int32) -> [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    return sequence(first: list) { $0?.pointee.ifa_next }.compactMap { entry -> String? in
      guard let entry, let place = entry.pointee.ifa_addr, Int32(place.pointee.sa_family) == family else { return nil }
      let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      guard getnameinfo(place, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
        return nil
      }
      let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      // An address with a zone, such as fe80::1%eth0, is of one link alone.
      return isLoopback(host) || host.contains("%") ? nil : host
    }
  }

  /// The address as in a URL, where an IPv6 address is in brackets.
  package var description: String { (isVersion6 ? "[\(host)]" : host) + ":\(port)" }

  var isVersion6: Bool { host.contains(":") }

  func with(port: UInt16) -> NetworkAddress { NetworkAddress(host: host, port: port) }

  /// Returns the host of a `Host` header or an address in lower case, without port and brackets; nil for any other
  /// text.
  static func host(of text: String) -> String? {
    var host = text[...]
    if host.first == "[" {
      guard let end = host.firstIndex(of: "]") else { return nil }
      let port = host[host.index(after: end)...]
      guard port.isEmpty || port.first == ":" && UInt16(port.dropFirst()) != nil else { return nil }
      return host[host.index(after: host.startIndex)..<end].lowercased()
    }
    if let colon = host.firstIndex(of: ":") {
      guard UInt16(host[host.index(after: colon)...]) != nil else { return nil }
      host = host[..<colon]
    }
    return host.isEmpty ? nil : host.lowercased()
  }

  /// Returns whether a host is an address and not a name.
  static func isNumeric(_ host: String) -> Bool { bytes(of: host, AF_INET) != nil || bytes(of: host, AF_INET6) != nil }

  /// Returns whether an address is one of 127.0.0.0/8, or `::1`.
  static func isLoopback(_ host: String) -> Bool {
    bytes(of: host, AF_INET)?.first == 127 || bytes(of: host, AF_INET6) == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// Returns the bytes of an address in network order; nil when it is not of that family.
  static func bytes(of host: String, _ family: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: family == AF_INET ? 4 : 16)
    return inet_pton(family, host, &bytes) == 1 ? bytes : nil
  }
}

/// The error of an address at which another program listens, so that another try may succeed.
package struct AddressTaken: Error {
  package let failure: BitpalError
}

/// A listening socket.
struct Listener: Sendable {
  let descriptor: Int32

  /// The address with the actual port.
  let address: NetworkAddress

  /// The time for which a port in use is tried again, because a server that is being replaced finishes its answers: 2
  /// s.
  private static let patience = Duration.seconds(2)

  /// Listens at an address.
  ///
  /// It blocks the thread for up to 2 s while the port is in use.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - pause: Waits between two attempts.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for an address that is not available, ``AddressTaken`` for one in use.
  init(_ address: NetworkAddress, pause: () -> Void = { poll(nil, 0, 50) }) throws {
    let family = address.isVersion6 ? AF_INET6 : AF_INET
    descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw Self.failure(address, errno) }
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    if address.isVersion6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, 4) }
    let end = ContinuousClock.now + Self.patience
    var isBound = Self.bind(descriptor, to: address)
    while !isBound, errno == EADDRINUSE, ContinuousClock.now < end {
      pause()
      isBound = Self.bind(descriptor, to: address)
    }
    guard isBound, listen(descriptor, 1024) == 0, let port = Self.port(of: descriptor) else {
      let code = errno
      close(descriptor)
      let failure = Self.failure(address, code)
      if code == EADDRINUSE { throw AddressTaken(failure: failure) }
      throw failure
    }
    self.address = address.with(port: port)
  }

  private static func bind(_ descriptor: Int32, to address: NetworkAddress) -> Bool {
    if address.isVersion6 {
      var place = sockaddr_in6()
      place.sin6_family = sa_family_t(AF_INET6)
      place.sin6_port = address.port.bigEndian
      inet_pton(AF_INET6, address.host, &place.sin6_addr)
      return bind(descriptor, &place)
    }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = address.port.bigEndian
    inet_pton(AF_INET, address.host, &place.sin_addr)
    return bind(descriptor, &place)
  }

  private static func bind<Place>(_ descriptor: Int32, _ place: inout Place) -> Bool {
    withUnsafePointer(to: &place) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
        Glibc.bind(descriptor, place, socklen_t(MemoryLayout<Place>.size)) == 0
      }
    }
  }

  private static func port(of descriptor: Int32) -> UInt16? {
    var place = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = withUnsafeMutablePointer(to: &place) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard code == 0 else { return nil }
    // Both families have the address family first and the port second.
    return withUnsafeBytes(of: place) { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self).bigEndian }
  }

  private static func failure(_ address: NetworkAddress, _ code: Int32) -> BitpalError {
    let hint =
      switch code {
      case EADDRINUSE: "another bitpal may be serving there; --listen 127.0.0.1:0 takes any port that is free"
      case EACCES: "ports below 1024 are the system's: choose a higher one"
      case EADDRNOTAVAIL: "it is not an address of this machine: see \"ip address\""
      default: "choose another one"
      }
    return .usage("--listen: \(address) cannot be had: \(String(cString: strerror(code)))", hint: hint)
  }
}
