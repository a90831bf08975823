import BitpalFiles
package import BitpalModel
package import FoundationEssentials
import Glibc

/// The user's folder for what the servers and `bitpal serve link` share: the key of the cookies, the one-time codes, and
/// the addresses of the servers that run.
///
/// A code is a file that is named after its digest, so that removing the file uses the code up, for one browser at one
/// server. A server holds the lock of its file while it runs, and the kernel releases the lock when it ends.
package struct OwnerFolder: Sendable {
  private let path: String

  /// Opens the folder, and makes it if it is missing.
  ///
  /// - Throws: ``BitpalError/dataFile(path:reason:)`` when it cannot be made, belongs to another user, or can be read by
  ///   others.
  package init(_ path: String) throws(BitpalError) {
    self.path = path
    let status: FileStatus
    do throws(FileFault) {
      try PrivateFolder.make(above: path + "/key")
      status = try FileStatus(withoutFollowing: path)
    } catch {
      throw error.error(of: path)
    }
    guard status.kind == .folder else {
      throw .dataFile(path: path, reason: "this is a \(status.kind.rawValue), not a folder")
    }
    guard status.owner == geteuid() else {
      throw .dataFile(path: path, reason: "it belongs to another user: run this as that user")
    }
    guard status.permissions & 0o077 == 0 else {
      throw .dataFile(path: path, reason: "others can read it; run: chmod 700 \(path)")
    }
  }

  // MARK: The key

  /// Returns the key of the cookies, which is made when it is first needed, and again when others could read it.
  ///
  /// - Throws: ``BitpalError/dataFile(path:reason:)`` when it can neither be read nor written.
  package func key() throws(BitpalError) -> String {
    let path = path + "/key"
    for _ in 0..<3 {
      if let file = try? BoundedFile(path, limit: 200), file.status.permissions & 0o077 == 0,
        file.status.owner == geteuid(), file.bytes.count >= OwnerProof.keyLength
      {
        return String(decoding: file.bytes, as: UTF8.self)
      }
      // Of two servers that start at once, the second finds the key of the first.
      unlink(path)
      let key = Array(OwnerProof.newText(OwnerProof.keyLength).utf8)
      do throws(BitpalError) {
        try FileReplacement.create(path, with: key, access: .user)
      } catch {
        guard FileStatus.exists(path) else { throw error }
      }
    }
    throw .dataFile(path: path, reason: "it cannot be read")
  }

  // MARK: Codes

  /// Returns a new code, which is good for one browser until ``OwnerCode/life`` after the present.
  ///
  /// - Throws: ``BitpalError/dataFile(path:reason:)`` when it cannot be written.
  package func issue(at now: Date) throws(BitpalError) -> OwnerCode {
    for (name, end) in codes where !OwnerCode.isGood(until: end, at: now) { unlink(path + "/" + name) }
    let code = OwnerCode.new()
    try FileReplacement.create(
      path + "/" + Self.name(of: code), with: Array("\(now.adding(OwnerCode.life).milliseconds)".utf8), access: .user)
    return code
  }

  /// Uses a code up; false when it was used before, is too old, or never was one.
  func redeem(_ code: OwnerCode, at now: Date) -> Bool {
    let path = path + "/" + Self.name(of: code)
    guard let end = Self.end(path) else { return false }
    return unlink(path) == 0 && OwnerCode.isGood(until: end, at: now)
  }

  private var codes: [(name: String, end: Date)] {
    names("code-").map { ($0, Self.end(path + "/" + $0) ?? .distantPast) }
  }

  private static func end(_ path: String) -> Date? {
    guard let file = try? BoundedFile(path, limit: 40) else { return nil }
    return Int64(String(decoding: file.bytes, as: UTF8.self)).map { Date(milliseconds: $0) }
  }

  private static func name(of code: OwnerCode) -> String {
    "code-" + SHA256.hexDigest(of: Array(code.letters.utf8)).prefix(32)
  }

  // MARK: Servers

  /// Lists a server for as long as the process lives.
  ///
  /// - Returns: Whether it is listed.
  package func list(_ url: String) -> Bool {
    let path = path + "/server-" + url.split(separator: "/").joined(separator: "-")
    for _ in 0..<3 {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { return false }
      guard (try? FileLock.take(descriptor, within: .seconds(1))) != nil else {
        close(descriptor)
        return false
      }
      // The descriptor stays open, and its lock with it. A reader may have removed the file before it was locked.
      if FileStatus.exists(path), ftruncate(descriptor, 0) == 0,
        (try? FileReplacement.write(Array(url.utf8), to: descriptor)) != nil
      {
        return true
      }
      close(descriptor)
    }
    return false
  }

  /// Returns the URLs of the servers that run, sorted.
  package func servers() -> [String] {
    names("server-").compactMap { name in
      let path = path + "/" + name
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else {
        unlink(path)
        return nil
      }
      return (try? BoundedFile(path, limit: 200)).map { String(decoding: $0.bytes, as: UTF8.self) }
    }.sorted()
  }

  private func names(_ prefix: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasPrefix(prefix) }
  }
}

/// A code with which the owner signs in a browser, once.
///
/// It has ten of 31 letters and digits, 49 bits: of the 10^14 codes a program on this machine could try some 10^7 in ten
/// minutes. Letters and digits that look alike are left out.
package struct OwnerCode: Equatable, Sendable, CustomStringConvertible {
  /// The letters and digits, in lower case.
  let letters: String

  /// The time for which a code is good: 10 minutes.
  package static let life = Duration.seconds(600)

  /// Reads a code as it was typed or sent; case, dashes and spaces make no difference.
  init(_ text: String) {
    letters = text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  static func new() -> OwnerCode {
    OwnerCode(OwnerProof.newText(10, of: "abcdefghjkmnpqrstuvwxyz23456789"))
  }

  /// The code in two halves: `k7qmw-2xdp9`.
  package var description: String { "\(letters.prefix(5))-\(letters.dropFirst(5))" }

  /// Returns the address that signs in the browser in which it is opened.
  ///
  /// - Parameter url: The server's URL, without a trailing slash.
  package func address(at url: String) -> String { "\(url)/?\(OwnerProof.parameter)=\(self)" }

  /// Returns whether a code with that end is good; one that ends later than a new one was made before the clock was set
  /// back.
  static func isGood(until end: Date, at now: Date) -> Bool { now < end && end <= now.adding(life) }
}
