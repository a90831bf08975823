import BitpalFiles
public import BitpalModel
import FoundationEssentials
import Glibc

/// The folders that the user has trusted, kept in a file of the user's: a line each, the digest of what was trusted and
/// the path, as `sha256sum` writes them.
public struct TrustedFolders: Sendable {
  /// A folder and what it held when it was trusted.
  public struct Folder: Hashable, Sendable {
    /// The path, with its links resolved.
    public let path: String

    /// ``FolderContent/digest`` of then.
    public let digest: String
  }

  private let file: String?

  /// The most bytes that are read: some thousands of folders.
  private static let sizeLimit = 1 << 20

  /// The folders that the user of an environment has trusted; nothing is read before it is asked.
  public init(environment: Environment) {
    file = environment.trustedFoldersFile
  }

  /// The folders, by path.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` for a file that cannot be read, or that others may
  ///   write.
  public func all() throws(BitpalError) -> [Folder] {
    guard let file else { return [] }
    let content: BoundedFile
    do throws(FileFault) {
      content = try BoundedFile(file, limit: Self.sizeLimit)
    } catch {
      if error == .missing { return [] }
      throw error.error(of: file)
    }
    guard content.status.owner == geteuid(), content.status.permissions & 0o022 == 0 else {
      throw .dataFile(path: file, reason: "others can write this file, so what it says of trust counts for nothing")
    }
    return String(decoding: content.bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "  ", maxSplits: 1)
      guard parts.count == 2, let digest = parts.first, let path = parts.last else { return nil }
      return Folder(path: String(path), digest: String(digest))
    }
  }

  /// Trusts a folder as it is, in the place of what it was before.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` for a folder that cannot be trusted,
  ///   ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when that cannot be kept.
  public func add(_ content: FolderContent) throws(BitpalError) {
    guard content.faults.isEmpty else { throw .configuration(content.faults) }
    guard !content.folder.contains(where: \.isNewline) else {
      throw .usage("a folder with a line end in its path cannot be trusted")
    }
    try change { $0.filter { $0.path != content.folder } + [Folder(path: content.folder, digest: content.digest)] }
  }

  /// Trusts a folder as bitpal has changed it, unless it is trusted no longer as it was before.
  ///
  /// - Parameters:
  ///   - content: The folder as it is now.
  ///   - before: The folder as it was when it was last found trusted.
  /// - Throws: As ``add(_:)``.
  package func renew(_ content: FolderContent, from before: FolderContent) throws(BitpalError) {
    let old = Folder(path: before.folder, digest: before.digest)
    let new = Folder(path: content.folder, digest: content.digest)
    try change { $0.contains(old) ? $0.filter { $0 != old } + [new] : $0 }
  }

  /// Trusts a folder no longer.
  ///
  /// - Returns: Whether it was trusted.
  public func remove(_ folder: String) throws(BitpalError) -> Bool {
    var wasTrusted = false
    try change { folders in
      wasTrusted = folders.contains { $0.path == folder }
      return folders.filter { $0.path != folder }
    }
    return wasTrusted
  }

  /// Replaces the list by what `body` makes of it, while no other process changes it.
  private func change(_ body: ([Folder]) -> [Folder]) throws(BitpalError) {
    guard let file else {
      throw .dataFile(path: "trusted-folders", reason: "there is no place for it: HOME is not set")
    }
    do throws(FileFault) {
      try PrivateFolder.make(above: file)
    } catch {
      throw error.error(of: file)
    }
    let lock = open(file + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw FileFault(code: errno).error(of: file + ".lock") }
    // Closing it, or the end of the process, unlocks it.
    defer { close(lock) }
    do throws(FileFault) {
      try FileLock.take(lock, within: .seconds(10))
    } catch {
      guard error == .refused(code: EWOULDBLOCK) else { throw error.error(of: file + ".lock") }
      throw .dataFile(path: file, reason: "another bitpal has been changing it for ten seconds; is one stopped?")
    }
    let old = try all()
    let new = body(old).sorted { $0.path < $1.path }
    guard new != old else { return }
    let text = new.map { "\($0.digest)  \($0.path)\n" }.joined()
    try FileReplacement.replace(file, with: Array(text.utf8), access: .user)
  }
}
