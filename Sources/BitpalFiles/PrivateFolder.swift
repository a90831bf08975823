import Glibc

/// Folders for files of the user alone.
package enum PrivateFolder {
  /// Makes the folder of a file and those above it, with mode 0700; what is there stays as it is.
  ///
  /// - Throws: ``FileFault/noFolder(_:code:)`` naming the folder that cannot be made.
  package static func make(above path: String) throws(FileFault) {
    let folder = PathText.directory(of: path)
    if mkdir(folder, 0o700) == 0 || errno == EEXIST || errno == EISDIR { return }
    var code = errno
    if code == ENOENT, folder != PathText.directory(of: folder) {
      try make(above: folder)
      if mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
      code = errno
    }
    // A read-only file system says so even of folders that it has.
    guard access(folder, F_OK) != 0 else { return }
    throw .noFolder(folder, code: code)
  }
}
