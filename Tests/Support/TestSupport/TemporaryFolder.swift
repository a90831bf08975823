import CSpawn
import FoundationEssentials
import Glibc

/// A folder that exists as long as the test holds it.
package final class TemporaryFolder: Sendable {
  /// The folder's absolute path, without links in it.
  package let path: String

  package init() throws {
    let template = (ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp") + "/bitpal-test-XXXXXX"
    var bytes = Array(template.utf8CString)
    guard mkdtemp(&bytes) != nil else { throw CocoaError(.fileWriteUnknown) }
    let made = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path =
      realpath(made, nil).map { resolved in
        defer { free(resolved) }
        return String(cString: resolved)
      } ?? made
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file, with the folders above it.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    let file = path + "/" + name
    try Self.write(text, at: file)
    return file
  }

  /// Writes a file at any path, with the folders above it.
  package static func write(_ text: String, at path: String) throws {
    let url = URL(filePath: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    // A process that another thread starts meanwhile may hold a program open, which then cannot be started.
    if text.hasPrefix("#!") { _ = bitpal_await_writers(path, 10_000) }
  }
}
