import BitpalModel
import Glibc

/// Writes a file of the user's whole: it is there with all of the text, or as it was before.
enum TextFile {
  /// - Throws: ``BitpalError/dataFile(path:reason:)``.
  static func write(_ text: String, to path: String) throws(BitpalError) {
    let draft = "\(path).\(getpid()).tmp"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .dataFile(path: path, reason: String(cString: strerror(errno))) }
    do throws(OutputError) {
      defer { close(descriptor) }
      try Output(descriptor: descriptor).write(text)
    } catch {
      unlink(draft)
      throw .dataFile(path: path, reason: error.reason)
    }
    guard rename(draft, path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(draft)
      throw .dataFile(path: path, reason: reason)
    }
  }
}
