import BitpalModel
import Glibc

/// Writes a file that must not be there yet, for the user alone, with the folders above it.
enum NewFile {
  /// - Throws: ``BitpalError/dataFile(path:reason:)``, also when the file is there already.
  static func write(_ text: String, to path: String) throws(BitpalError) {
    try createFolders(of: path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = errno == EEXIST ? "it is there already and is left as it is" : String(cString: strerror(errno))
      throw .dataFile(path: path, reason: reason)
    }
    defer { close(descriptor) }
    do throws(OutputError) {
      try Output(descriptor: descriptor).write(text)
    } catch {
      unlink(path)
      throw .dataFile(path: path, reason: error.reason)
    }
  }

  /// Creates the folders that lack, for the user alone.
  private static func createFolders(of path: String) throws(BitpalError) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      if mkdir(folder, 0o700) != 0, errno != EEXIST, errno != EISDIR, access(folder, F_OK) != 0 {
        throw .dataFile(path: folder, reason: String(cString: strerror(errno)))
      }
    }
  }
}
