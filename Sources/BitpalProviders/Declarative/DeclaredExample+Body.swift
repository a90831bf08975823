import BitpalModel
import FoundationEssentials

extension DeclaredExample {
  /// The body as it came.
  ///
  /// - Throws: `BitpalError.dataFile` when it stands in a file that cannot be read.
  func bytes() throws(BitpalError) -> [UInt8] {
    switch body {
    case .inline(let text): return Array(text.utf8)
    case .file(let path):
      guard let data = FileManager.default.contents(atPath: path) else {
        throw .dataFile(path: path, reason: "cannot be read")
      }
      return Array(data)
    }
  }
}
