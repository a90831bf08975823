import BitpalModel

/// The proof that a browser is the user's: a cookie that is given once, in exchange for a secret that only the user
/// knows.
///
/// A request from this machine proves nothing: a proxy on it may forward requests of other machines.
package final class OwnerProof: Sendable {
  private let cookie: String
  private let secret: Locked<String>
  private let didExchange: @Sendable () -> Void

  /// Creates a proof for one start of a server.
  ///
  /// - Parameter didExchange: Called when the secret has been used and replaced by another one.
  package init(_ didExchange: @escaping @Sendable () -> Void = {}) {
    cookie = Self.newText()
    secret = Locked(Self.newText())
    self.didExchange = didExchange
  }

  /// Returns the address that gives the cookie to the first browser that opens it.
  ///
  /// - Parameter url: The server's URL, without a trailing slash.
  package func address(at url: String) -> String { "\(url)/?\(Self.parameter)=\(secret.withLock { $0 })" }

  /// The query parameter with the secret; logs omit its value.
  static let parameter = "secret"

  /// Returns the cookie for a secret, which becomes invalid; nil for a wrong secret.
  func cookie(for secret: String, port: String) -> WebHeader? {
    let isRight = self.secret.withLock { current in
      guard AccessToken(current).isSame(as: secret) else { return false }
      current = Self.newText()
      return true
    }
    guard isRight else { return nil }
    didExchange()
    return WebHeader("Set-Cookie", "\(Self.name(port))=\(cookie); Path=/; HttpOnly; SameSite=Strict")
  }

  /// Whether the cookies of a request prove that it is the user's.
  func isProven(by cookies: [String], port: String) -> Bool {
    cookies.flatMap { $0.split(separator: ";") }.contains { part in
      let sides = part.split(separator: "=", maxSplits: 1)
      return sides.count == 2 && sides[0].filter { $0 != " " } == Self.name(port)
        && AccessToken(cookie).isSame(as: sides[1].filter { $0 != " " })
    }
  }

  /// Returns the cookie's name, which contains the port, because cookies are shared by all ports of a host.
  private static func name(_ port: String) -> String { "bitpal_\(port)" }

  /// Returns random letters and digits; each has 5.95 bits, the default of 32 has 190.
  static func newText(_ count: Int = 32) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    var random = SystemRandomNumberGenerator()
    return String((0..<count).map { _ in letters[Int(random.next(upperBound: UInt(letters.count)))] })
  }
}
