/// The address of a fleet's Redis: `redis://cache.example:6379/0`, `rediss://` for TLS, or the path of a socket.
package struct FleetAddress: Hashable, Sendable {
  /// The ways to reach the server.
  package enum Place: Hashable, Sendable {
    /// A server on the network; the host is in lower case, and an IPv6 address in brackets, as in a URL.
    case host(String, port: Int, isEncrypted: Bool)

    /// A socket of this machine, at an absolute path.
    case socket(String)
  }

  /// The host or socket.
  package let place: Place

  /// The user of Redis's access control list; nil for its `default`.
  package let user: String?

  /// The number of the database; 0 by default.
  package let database: Int

  /// The reason why a text is not an address.
  package struct Fault: Error, Hashable, Sendable {
    /// The problem and the correct form, as the rest of a sentence that begins with the name of the setting; it
    /// contains no part of the text.
    package let message: String
  }

  /// The default port, with and without TLS.
  package static let standardPort = 6379

  /// Reads `redis://[USER@]HOST[:PORT][/DATABASE]`, the same with `rediss://`, `unix:///PATH` or `/PATH`.
  ///
  /// - Throws: ``Fault``, for a password too: addresses are shown, in `doctor` and in traces.
  package init(_ text: String) throws(Fault) {
    guard !text.hasPrefix("/") else {
      try self.init(socket: text[...])
      return
    }
    guard let mark = text.firstRange(of: "://") else {
      throw Fault(message: "is not an address: write redis://HOST, rediss://HOST for TLS, or the path of a socket")
    }
    let rest = text[mark.upperBound...]
    switch text[..<mark.lowerBound].lowercased() {
    case "redis": try self.init(authority: rest, isEncrypted: false)
    case "rediss": try self.init(authority: rest, isEncrypted: true)
    case "unix": try self.init(socket: rest)
    default: throw Fault(message: "begins with none of redis://, rediss:// (TLS) and unix:// (a socket)")
    }
  }

  /// The largest length of a path in the address of a socket, without the zero at its end.
  private static let longestSocketPath = 107

  private init(socket path: Substring) throws(Fault) {
    guard path.hasPrefix("/"), path.utf8.count > 1 else {
      throw Fault(message: "names no socket: write its whole path, as in unix:///run/redis/redis-server.sock")
    }
    guard path.utf8.count <= Self.longestSocketPath else {
      throw Fault(message: "is too long for a socket, whose path has at most \(Self.longestSocketPath) bytes")
    }
    // A query such as ?db=2, which other programs accept, would become part of the file's name.
    guard path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "?") }) else {
      throw Fault(message: "has something in the path of its socket that does not belong there")
    }
    self.init(place: .socket(String(path)), user: nil, database: 0)
  }

  private init(authority text: Substring, isEncrypted: Bool) throws(Fault) {
    guard !text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
      throw Fault(message: "ends with the number of the database: no options are read after it")
    }
    let authority = text.prefix { $0 != "/" }
    var host = authority
    var user: String?
    if let at = authority.lastIndex(of: "@") {
      host = authority[authority.index(after: at)...]
      user = try Self.user(authority[..<at])
    }
    var port = Self.standardPort
    let end = host.lastIndex(of: "]") ?? host.startIndex
    if let colon = host[end...].lastIndex(of: ":") {
      guard let number = Self.number(host[host.index(after: colon)...]), (1...65_535).contains(number) else {
        throw Fault(message: "names no port from 1 to 65535")
      }
      port = number
      host = host[..<colon]
    }
    guard Self.isHost(host) else { throw Fault(message: "names no host, as in redis://cache.example:6379/0") }
    let path = text[authority.endIndex...].dropFirst()
    guard let database = path.isEmpty ? 0 : Self.number(path), database <= Int32.max else {
      throw Fault(message: "ends with no number of a database, as in redis://cache.example:6379/0")
    }
    self.init(
      place: .host(host.lowercased(), port: port, isEncrypted: isEncrypted), user: user, database: database)
  }

  private init(place: Place, user: String?, database: Int) {
    self.place = place
    self.user = user
    self.database = database
  }

  private static func user(_ name: Substring) throws(Fault) -> String? {
    guard !name.contains(":") else {
      throw Fault(
        message: "has a password in it: put it into the variable BITPAL_REDIS_PASSWORD, or into a file named by "
          + "BITPAL_REDIS_PASSWORD_FILE, and change it if others have seen it")
    }
    // The name of a Redis user may contain nearly any character; no part of a URL is decoded here.
    guard name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "%") }) else {
      throw Fault(message: "has a user whose name is not of plain letters, digits and signs")
    }
    return name.isEmpty ? nil : String(name)
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  private static func isHost(_ text: Substring) -> Bool {
    guard text.hasPrefix("[") else {
      // Names of containers contain underscores, which names of hosts on the Internet do not.
      return BaseURL.isHost(String(text.replacing("_", with: "-")))
    }
    let address = text.dropFirst().dropLast()
    return text.hasSuffix("]") && address.contains(":")
      && address.utf8.allSatisfy { byte in
        byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".") || Character(Unicode.Scalar(byte)).isHexDigit
      }
  }
}

extension FleetAddress: CustomStringConvertible {
  /// The address as settings write it, without the default port and database.
  package var description: String {
    switch place {
    case .socket(let path):
      return path
    case .host(let host, let port, let isEncrypted):
      let scheme = isEncrypted ? "rediss" : "redis"
      let name = user.map { "\($0)@" } ?? ""
      let rest = (port == Self.standardPort ? "" : ":\(port)") + (database == 0 ? "" : "/\(database)")
      return "\(scheme)://\(name)\(host)\(rest)"
    }
  }

  /// Whether the connection is encrypted with TLS.
  package var isEncrypted: Bool {
    if case .host(_, _, let isEncrypted) = place { isEncrypted } else { false }
  }
}
