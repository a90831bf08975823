import Foundation

/// Where things are.
enum Repository {
  /// The folder of the package.
  static let root: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { url.deleteLastPathComponent() }
    return url.path
  }()

  /// The folder with the tool: the one that `BITPAL_TEST_TOOLS` names, or that of the test bundle.
  static let products: String = {
    if let folder = ProcessInfo.processInfo.environment["BITPAL_TEST_TOOLS"] { return folder }
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: own).deletingLastPathComponent().path
  }()

  /// The folder of the recordings, without links.
  static let fixtures = URL(fileURLWithPath: root + "/Fixtures").resolvingSymlinksInPath().path

  /// The tool.
  static var tool: String { products + "/bitpal" }

  /// The folder of the transcripts.
  static var transcripts: String { root + "/Tests/EndToEndTests/Golden" }
}
