import Foundation

/// The files of the repository.
enum Repository {
  static let root: URL = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url
  }()

  /// Returns the paths of the files below a folder whose names have one of the endings.
  static func files(in folder: String, endings: [String]) -> [String] {
    let below = FileManager.default.enumerator(atPath: root.path + "/" + folder)?.compactMap { $0 as? String } ?? []
    return below.filter { file in !file.contains(".build/") && endings.contains { file.hasSuffix("." + $0) } }.sorted()
      .map { folder + "/" + $0 }
  }

  /// Returns the lines of a file, without their ends; none of one that cannot be read.
  static func lines(of file: String) -> [String] {
    let text = try? String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
    return text?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) ?? []
  }
}
