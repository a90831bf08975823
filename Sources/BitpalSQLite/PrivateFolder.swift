import Glibc

/// Folders for files of the user alone.
package enum PrivateFolder {
  /// Makes the folder of a file and those above it, with mode 0700; what is there stays as it is.
  ///
  /// Failing is told by whoever opens the file.
  package static func make(above path: String) {
    guard let slash = path.lastIndex(of: "/") else { return }
    let folder = String(path[..<slash])
    guard !folder.isEmpty, mkdir(folder, 0o700) != 0, errno == ENOENT else { return }
    make(above: folder)
    mkdir(folder, 0o700)
  }
}
