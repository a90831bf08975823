import BitpalModel
import BitpalSQLite
import Glibc

/// The few things done to the user's files besides what SQLite does.
enum UserFiles {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func remove(_ path: String) { unlink(path) }

  /// Makes an empty file for the user alone, and the folders above it.
  static func makeFile(_ path: String) throws(BitpalError) {
    PrivateFolder.make(above: path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .dataFile(path: path, reason: "cannot be made (\(lastReason()))") }
    close(descriptor)
  }

  /// Gives a file another name, replacing what has it.
  static func rename(_ path: String, to other: String) throws(BitpalError) {
    guard Glibc.rename(path, other) == 0 else {
      throw .dataFile(path: other, reason: "cannot be put in place (\(lastReason()))")
    }
  }

  /// Replaces a file by rename, so that a reader finds the old or the new one, never a part.
  static func replace(_ path: String, with bytes: [UInt8]) throws(BitpalError) {
    PrivateFolder.make(above: path)
    let unfinished = "\(path).\(getpid()).unfinished"
    let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .dataFile(path: path, reason: "cannot be written (\(lastReason()))") }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written) }
      if count < 0 {
        if errno == EINTR { continue }
        let reason = lastReason()
        close(descriptor)
        unlink(unfinished)
        throw .dataFile(path: path, reason: "cannot be written (\(reason))")
      }
      written += count
    }
    close(descriptor)
    try rename(unfinished, to: path)
  }

  /// The bytes of a file; nil when it cannot be read or is larger than `limit`.
  static func bytes(of path: String, limit: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0, bytes.count + count <= limit else { return nil }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  private static func lastReason() -> String { String(cString: strerror(errno)) }
}
