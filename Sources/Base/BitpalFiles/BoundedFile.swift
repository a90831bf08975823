package import BitpalModel
import Glibc

/// The complete content of a file up to a limit.
///
/// A file that the program finds itself must be a regular file: a pipe or a device of that name is refused at once,
/// where `read` would wait for ever.
package struct BoundedFile: Sendable {
  /// The kinds of files that may be read.
  package enum Source: Sendable {
    /// Only regular files.
    case regularFile

    /// Also pipes and devices, such as `/dev/stdin` and `<(…)`, with a wait for their content.
    case stream
  }

  /// The content.
  package let bytes: [UInt8]

  /// The status of the file when it was opened.
  package let status: FileStatus

  /// Reads the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: The most bytes it may have.
  ///   - source: The kinds of files that the path may lead to.
  /// - Throws: ``FileFault``.
  package init(_ path: String, limit: Int, from source: Source = .regularFile) throws(FileFault) {
    try self.init(path, source) { (descriptor, status) throws(FileFault) in
      // A file of /proc reports a size of 0, and any other file may grow: the size alone is not reliable.
      guard status.size <= limit else { throw .tooLarge(limit: limit) }
      let bytes = try Self.bytes(of: descriptor, atMost: limit + 1, expecting: status.size)
      guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
      return bytes
    }
  }

  /// Reads the beginning of the file at `path`, however large it is.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: The most bytes that are read.
  ///   - source: The kinds of files that the path may lead to.
  /// - Throws: ``FileFault``.
  package init(prefixOf path: String, limit: Int, from source: Source = .regularFile) throws(FileFault) {
    try self.init(path, source) { (descriptor, status) throws(FileFault) in
      try Self.bytes(of: descriptor, atMost: limit, expecting: min(status.size, limit))
    }
  }

  /// Reads the user's input: a file, a pipe, or standard input for `-`.
  ///
  /// - Parameters:
  ///   - path: The file as it was named.
  ///   - limit: The most bytes it may have.
  /// - Throws: `BitpalError.dataFile`.
  package static func input(_ path: String, limit: Int) throws(BitpalError) -> [UInt8] {
    do throws(FileFault) {
      guard path == "-" else { return try BoundedFile(path, limit: limit, from: .stream).bytes }
      let bytes = try bytes(of: STDIN_FILENO, atMost: limit + 1, expecting: 0)
      guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
      return bytes
    } catch {
      throw error.error(of: path == "-" ? "standard input" : path)
    }
  }

  private init(
    _ path: String, _ source: Source, read: (Int32, FileStatus) throws(FileFault) -> [UInt8]
  ) throws(FileFault) {
    if ShippedFiles.contains(path) {
      guard let shipped = ShippedFiles.bytes(of: path) else { throw .missing }
      bytes = Array(shipped)
      status = FileStatus(shipped: shipped)
      return
    }
    // Without O_NONBLOCK, opening a pipe waits until a program writes to it.
    let waiting = source == .stream ? 0 : O_NONBLOCK
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | waiting)
    // A socket cannot be opened, and some devices cannot either: their kind explains more than the system's error.
    guard descriptor >= 0 else {
      let code = errno
      if code == ENXIO, let kind = try? FileStatus(path).kind { throw .notAFile(kind) }
      throw FileFault(code: code)
    }
    defer { close(descriptor) }
    status = try FileStatus(descriptor: descriptor)
    let isReadable = status.kind == .regular || source == .stream && [.pipe, .device].contains(status.kind)
    guard isReadable else { throw .notAFile(status.kind) }
    bytes = try read(descriptor, status)
  }

  /// Reads the bytes up to the end or the limit; `expected` is their probable number, for which memory is reserved
  /// once.
  private static func bytes(
    of descriptor: Int32, atMost limit: Int, expecting expected: Int
  ) throws(FileFault) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      // One byte more than expected, so that the end is found without another round.
      let room = min(limit - bytes.count, bytes.isEmpty ? max(expected + 1, 4096) : max(bytes.count, 65_536))
      var failure: Int32 = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        while count < room {
          let got = read(descriptor, buffer.baseAddress.map { $0 + count }, room - count)
          if got < 0, errno == EINTR { continue }
          if got < 0 { failure = errno }
          if got <= 0 { break }
          count += got
        }
      }
      guard failure == 0 else { throw FileFault(code: failure) }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      if chunk.count < room { break }
    }
    return bytes
  }
}
