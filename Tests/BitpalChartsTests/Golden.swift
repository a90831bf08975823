import Foundation
import Testing

/// Files that hold what a drawing must be; `BITPAL_RECORD_GOLDEN=1` writes them anew.
enum Golden {
  static func check(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["BITPAL_RECORD_GOLDEN"] == "1" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      return
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(text == expected, "\(name) differs", sourceLocation: sourceLocation)
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "Golden")
}
