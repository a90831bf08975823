package import BitpalModel
import FoundationEssentials

/// The proof that a browser is the user's: a cookie that is given in exchange for a code that only the user knows.
///
/// A request from this machine proves nothing: a proxy on it may forward requests of other machines. The cookie is
/// signed with a key of the user's, so that it outlives the server, and it names its own end.
package final class OwnerProof: Sendable {
  private let folder: OwnerFolder?
  private let key: [UInt8]
  private let time: any TimeSource

  /// The codes of a server without a folder, with their ends.
  private let codes = Locked<[(code: OwnerCode, end: Date)]>([])

  /// Creates a proof.
  ///
  /// - Parameter folder: The user's folder with the key and the codes; nil for a proof that ends with the server.
  /// - Throws: ``BitpalError/dataFile(path:reason:)`` when the key can neither be read nor written.
  package init(_ folder: OwnerFolder?, time: any TimeSource = SystemTime()) throws(BitpalError) {
    key = Array((try folder?.key() ?? Self.newText(Self.keyLength)).utf8)
    (self.folder, self.time) = (folder, time)
  }

  /// Creates a proof that ends with the server.
  package init(time: any TimeSource = SystemTime()) {
    (folder, key, self.time) = (nil, Array(Self.newText(Self.keyLength).utf8), time)
  }

  /// The query parameter with the code; logs omit its value.
  static let parameter = "secret"

  /// The number of letters and digits of a key, which have 255 bits.
  static let keyLength = 43

  /// The time for which a browser stays signed in: 30 days.
  static let life = Duration.seconds(30 * 86_400)

  /// Returns a new code.
  package func newCode() -> OwnerCode {
    if let code = try? folder?.issue(at: time.now) { return code }
    let code = OwnerCode.new()
    let now = time.now
    codes.withLock { codes in
      codes.removeAll { !OwnerCode.isGood(until: $0.end, at: now) }
      codes.append((code, now.adding(OwnerCode.life)))
    }
    return code
  }

  /// Returns the cookie for a code, which is used up; nil for a code that is not good.
  func cookie(for text: String, port: String) -> WebHeader? {
    let (code, now) = (OwnerCode(text), time.now)
    let isOwn = codes.withLock { codes in
      guard let index = codes.firstIndex(where: { AccessToken($0.code.letters).isSame(as: code.letters) }) else {
        return false
      }
      return OwnerCode.isGood(until: codes.remove(at: index).end, at: now)
    }
    guard isOwn || folder?.redeem(code, at: now) == true else { return nil }
    let end = now.adding(Self.life).milliseconds / 1000
    return WebHeader(
      "Set-Cookie",
      "\(Self.name(port))=\(end).\(signature(port, end)); Path=/; Max-Age=\(Self.life.components.seconds); HttpOnly; "
        + "SameSite=Strict")
  }

  /// Returns whether the cookies of a request prove that it is the user's.
  func isProven(by head: WebHead) -> Bool {
    head.cookies(named: Self.name(head.port)).contains { cookie in
      let value = cookie.split(separator: ".", maxSplits: 1)
      guard value.count == 2, let end = Int64(value[0]),
        AccessToken(signature(head.port, end)).isSame(as: value[1])
      else { return false }
      let left = Date(milliseconds: end * 1000).since(time.now)
      return left > .zero && left <= Self.life
    }
  }

  private func signature(_ port: String, _ end: Int64) -> String {
    let code = SHA256.authenticationCode(of: Array("bitpal owner \(port) \(end)".utf8), key: key)
    return SHA256.hexDigest(of: code)
  }

  /// Returns the cookie's name, which contains the port, because cookies are shared by all ports of a host.
  private static func name(_ port: String) -> String { "bitpal_\(port)" }

  private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

  /// Returns random letters and digits; each of the default ones has 5.95 bits, the default of 32 has 190.
  static func newText(_ count: Int = 32, of letters: String = letters) -> String {
    let letters = Array(letters)
    var random = SystemRandomNumberGenerator()
    return String((0..<count).map { _ in letters[Int(random.next(upperBound: UInt(letters.count)))] })
  }
}
