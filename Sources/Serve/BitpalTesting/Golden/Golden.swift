import FoundationEssentials
public import Testing

/// A comparison of output with a file of the expected output.
public enum Golden {
  /// The environment variable that, set to `1`, makes every comparison write its file instead.
  public static let variable = "BITPAL_RECORD_GOLDEN"

  /// Expects `text` to equal the file `Golden/NAME` beside the test's file, byte for byte.
  ///
  /// With `BITPAL_RECORD_GOLDEN=1` the file is written instead; check the difference before you commit it.
  ///
  /// - Throws: The error of the file system while writing.
  public static func expect(
    _ text: String, is name: String, file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let folder = (file.lastIndex(of: "/").map { String(file[..<$0]) } ?? ".") + "/Golden"
    if isRecording { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
    try expect(text, at: folder + "/" + name, sourceLocation: sourceLocation)
  }

  /// Whether this run writes the files instead.
  public static var isRecording: Bool { ProcessInfo.processInfo.environment[variable] == "1" }

  /// Expects `text` to equal the file at `path`, or writes it.
  ///
  /// - Throws: The error of the file system while writing.
  static func expect(_ text: String, at path: String, sourceLocation: SourceLocation) throws {
    if isRecording { return try Data(text.utf8).write(to: URL(filePath: path)) }
    guard let data = FileManager.default.contents(atPath: path) else {
      Issue.record("\(path) is missing; \(variable)=1 writes it", sourceLocation: sourceLocation)
      return
    }
    let expected = String(decoding: data, as: UTF8.self)
    if expected != text {
      Issue.record(
        "\(path.split(separator: "/").last ?? "") differs: \(firstDifference(text, expected))\n\(variable)=1 writes it again",
        sourceLocation: sourceLocation)
    }
  }

  /// Returns the first difference of two texts, for a message.
  static func firstDifference(_ actual: String, _ expected: String) -> String {
    let actual = actual.split(separator: "\n", omittingEmptySubsequences: false)
    let expected = expected.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, pair) in zip(actual, expected).enumerated() where pair.0 != pair.1 {
      return "line \(index + 1) is\n  \(pair.0)\ninstead of\n  \(pair.1)"
    }
    return "\(actual.count) lines instead of \(expected.count)"
  }
}
