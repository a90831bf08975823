import BitpalFiles
package import BitpalModel
import FoundationEssentials
import Glibc

/// The folders that the user has trusted, stored in a file with one line per folder: the digest and the path, in the
/// format of `sha256sum`.
package struct TrustedFolders: Sendable {
  /// A folder and the digest of its content when it was trusted.
  package struct Folder: Hashable, Sendable {
    /// The path, with its links resolved.
    package let path: String

    /// The ``FolderContent/digest`` at the time of trust.
    package let digest: String
  }

  private let file: String?

  /// The largest size of the file in bytes, enough for some thousands of folders: 1 MiB.
  private static let sizeLimit = 1 << 20

  /// Creates the list for the user of an environment, which is read only when needed.
  package init(environment: Environment) {
    file = environment.trustedFoldersFile
  }

  /// Returns the folders, sorted by path.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` for a file that cannot be read, or that others can
  ///   write.
  package func all() throws(BitpalError) -> [Folder] {
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

  /// Adds a folder in its present state, or replaces its earlier state.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` for a folder with faults,
  ///   ``/BitpalModel/BitpalError/usage(_:hint:)`` for one with a line end in its path,
  ///   ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the list cannot be stored.
  package func add(_ content: FolderContent) throws(BitpalError) {
    guard content.faults.isEmpty else { throw .configuration(content.faults) }
    guard !content.folder.contains(where: \.isNewline) else {
      throw .usage("a folder with a line end in its path cannot be trusted")
    }
    try change { $0.filter { $0.path != content.folder } + [Folder(path: content.folder, digest: content.digest)] }
  }

  /// Renews the trust in a folder after bitpal has changed it, if the state before the change is still trusted.
  ///
  /// - Parameters:
  ///   - content: The present content of the folder.
  ///   - before: The trusted content before the change.
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the list cannot be stored.
  package func renew(_ content: FolderContent, from before: FolderContent) throws(BitpalError) {
    let old = Folder(path: before.folder, digest: before.digest)
    let new = Folder(path: content.folder, digest: content.digest)
    try change { $0.contains(old) ? $0.filter { $0 != old } + [new] : $0 }
  }

  /// Removes a folder from the list.
  ///
  /// - Returns: Whether it was trusted.
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the list cannot be read or stored.
  package func remove(_ folder: String) throws(BitpalError) -> Bool {
    var wasTrusted = false
    try change { folders in
      wasTrusted = folders.contains { $0.path == folder }
      return folders.filter { $0.path != folder }
    }
    return wasTrusted
  }

  /// Replaces the list with the result of `body`, under a lock against other processes.
  private func change(_ body: ([Folder]) -> [Folder]) throws(BitpalError) {
    guard let file else {
      throw .dataFile(path: "trusted-folders", reason: "HOME is not set, so its folder is unknown")
    }
    do throws(FileFault) {
      try PrivateFolder.make(above: file)
    } catch {
      throw error.error(of: file)
    }
    let lock = open(file + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw FileFault(code: errno).error(of: file + ".lock") }
    // The lock is released when the descriptor is closed or the process ends.
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
