import Glibc

/// Reads whole regular files up to a limit.
package enum BoundedFile {
  /// The largest body that is read, the same as the transport's limit on a response.
  package static let bodyLimit = 8 << 20

  /// The largest HAR file that is read; browsers put every body inline.
  static let recordingLimit = 64 << 20

  /// Why a file is not read.
  package struct Failure: Error, Hashable {
    package let reason: String
  }

  /// The bytes of a file, and a text that changes when it is written.
  struct Content {
    let bytes: [UInt8]
    let stamp: String
  }

  /// The bytes of the regular file at `path`.
  package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
    try content(of: path, limit: limit).bytes
  }

  /// The bytes of the regular file at `path`, with its size and the time of its last change.
  ///
  /// - Parameter first: How many bytes to read at the most; all of them when nil.
  static func content(of path: String, limit: Int, first: Int? = nil) throws(Failure) -> Content {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure(reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(reason: "it is not a regular file")
    }
    guard status.st_size <= limit else { throw Failure(reason: "it is larger than \(limit >> 20) MiB") }
    let size = min(Int(status.st_size), first ?? .max)
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        if got <= 0 { break }
        count += got
      }
    }
    guard failure == 0 else { throw Failure(reason: String(cString: strerror(failure))) }
    // Foundation's essentials do not show nanoseconds; the file number changes with every rename over the file.
    let stamp = [
      Int64(status.st_size), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
      Int64(truncatingIfNeeded: status.st_ino),
    ]
    return Content(bytes: bytes, stamp: stamp.map { String($0, radix: 36) }.joined(separator: "."))
  }
}
