import Foundation
import Glibc

/// A pseudo-terminal: what is written to its inner end can be read here.
final class Terminal {
  /// There is no terminal to be had.
  struct Unavailable: Error {}

  private static let setLock: CUnsignedLong = 0x4004_5431
  private static let getNumber: CUnsignedLong = 0x8004_5430

  /// Whether this machine has pseudo-terminals; some containers do not.
  static var isAvailable: Bool { (try? Terminal()) != nil }

  let inner: FileHandle
  private let outer: Int32

  init() throws {
    // What posix_openpt, unlockpt and ptsname do on Linux; Swift does not import them.
    outer = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var lock: CInt = 0
    var number: CInt = 0
    guard outer >= 0, ioctl(outer, Self.setLock, &lock) == 0, ioctl(outer, Self.getNumber, &number) == 0 else {
      throw Unavailable()
    }
    let descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Unavailable() }
    inner = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  deinit {
    close(outer)
  }

  /// What comes until a text is in it; call it after the process has started.
  func read(until text: String) throws -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: bytes, as: UTF8.self).contains(text) {
      let count = Glibc.read(outer, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Everything until the last writer has gone; call it after the process has started.
  func readToEnd() throws -> String {
    try inner.close()
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(outer, &buffer, buffer.count)
      // The kernel answers EIO once nobody holds the inner end.
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
