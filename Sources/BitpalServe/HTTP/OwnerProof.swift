import BitpalModel

/// The proof that a browser is the user's: a cookie, given once in exchange for a secret that only the user has been told.
///
/// An address of this machine proves nothing: a proxy on it passes on what other machines ask.
package final class OwnerProof: Sendable {
  private let cookie: String
  private let secret: Locked<String>
  private let didExchange: @Sendable () -> Void

  /// Creates a proof for one start of a server.
  ///
  /// - Parameter didExchange: Called when the secret has been used up and there is another one.
  package init(_ didExchange: @escaping @Sendable () -> Void = {}) {
    cookie = Self.newText()
    secret = Locked(Self.newText())
    self.didExchange = didExchange
  }

  /// The address that makes the browser that opens it the user's, once.
  ///
  /// - Parameter url: The server's own, without a slash at its end.
  package func address(at url: String) -> String { "\(url)/?\(Self.parameter)=\(secret.withLock { $0 })" }

  /// The name of the secret in an address; logs leave its value out.
  static let parameter = "secret"

  /// Returns the cookie for a secret, which is used up; nil for a wrong one.
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

  /// Cookies are those of a host, whatever its port: each server has a name of its own.
  private static func name(_ port: String) -> String { "bitpal_\(port)" }

  /// 190 bits of letters and digits.
  static func newText(_ count: Int = 32) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    var random = SystemRandomNumberGenerator()
    return String((0..<count).map { _ in letters[Int(random.next(upperBound: UInt(letters.count)))] })
  }
}
