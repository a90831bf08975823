import BitpalModel
import Glibc

/// Reads a file that the user names, or standard input for `-`.
enum InputFile {
  /// More than a hundred times what a long life of trading fills.
  private static let byteLimit = 64 << 20

  static func bytes(_ path: String) throws(BitpalError) -> [UInt8] {
    let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .dataFile(path: path, reason: String(cString: strerror(errno))) }
    defer { if descriptor != 0 { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw .dataFile(path: path, reason: String(cString: strerror(errno)))
      }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= byteLimit else { throw .dataFile(path: path, reason: "is larger than 64 MiB") }
    }
  }
}
