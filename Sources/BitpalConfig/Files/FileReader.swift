import Glibc

/// Reads small files whole.
enum FileReader {
  /// Why a file has no content.
  enum Failure: Error, Equatable {
    /// There is no file of that name.
    case missing

    /// The system's own words.
    case unreadable(String)

    /// Why a file that is there cannot be read; nil when it is not there.
    var reason: String? {
      if case .unreadable(let reason) = self { reason } else { nil }
    }
  }

  /// The bytes of a file, of which no more than `limit` and one are read.
  ///
  /// The byte beyond the limit lets the caller see that there is more. A pipe is read like a file.
  static func read(_ path: String, atMost limit: Int) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 8192)
    while bytes.count <= limit {
      let wanted = min(chunk.count, limit + 1 - bytes.count)
      let count = Glibc.read(descriptor, &chunk, wanted)
      if count > 0 {
        bytes += chunk[..<count]
      } else if count == 0 {
        break
      } else if errno != EINTR {
        throw failure(errno)
      }
    }
    return bytes
  }

  private static func failure(_ code: Int32) -> Failure {
    switch code {
    case ENOENT, ENOTDIR: .missing
    case EISDIR: .unreadable("this is a folder, not a file")
    default: .unreadable("cannot be read: \(String(cString: strerror(code)))")
    }
  }
}
