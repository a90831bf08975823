import BitpalFiles
import BitpalModel
import BitpalProviders

/// A cache of the manifests of plugins, valid until the program changes, so that a cached answer starts no plugin.
///
/// Each program has a small file: the program's identity in the first line, its manifest line in the second.
package struct ManifestCache: Sendable {
  private let folder: String?

  private static let sizeLimit = 1 << 20

  /// Creates a manifest cache.
  ///
  /// - Parameter folder: The folder of the files; nil to keep nothing.
  package init(folder: String?) {
    self.folder = folder
  }

  /// Returns the cached manifest line of a program; nil when none is stored, or the program has changed since.
  ///
  /// - Parameter identity: The program's present identity.
  func line(of program: PluginProgram, _ identity: String) -> [UInt8]? {
    guard let path = path(of: program), let file = try? BoundedFile(path, limit: Self.sizeLimit) else { return nil }
    let parts = file.bytes.split(separator: 0x0A, maxSplits: 1)
    guard parts.count == 2, let first = parts.first, let last = parts.last,
      first.elementsEqual(identity.utf8)
    else { return nil }
    return Array(last)
  }

  /// Stores the manifest line of a program, if it has less than 512 KiB.
  ///
  /// A file that cannot be written is not an error: the program is asked again next time.
  func keep(_ line: [UInt8], of program: PluginProgram, _ identity: String) {
    guard let path = path(of: program), line.count < Self.sizeLimit / 2 else { return }
    let content = Array(identity.utf8) + [0x0A] + line
    try? PrivateFolder.make(above: path)
    try? FileReplacement.replace(path, with: content, access: .user)
  }

  private func path(of program: PluginProgram) -> String? {
    folder.map { folder in
      let name = SHA256.hexDigest(of: Array(([program.folder] + program.command).joined(separator: "\u{0}").utf8))
      return PathText.joined(folder, "\(name.prefix(16)).manifest")
    }
  }

  /// Returns a checksum that changes with the program: of its command, its folder and the stamp of each of its files.
  static func identity(of program: PluginProgram) -> String {
    let files = program.files.map { path in
      "\(path.utf8.count):\(path) \((try? FileStatus(path).stamp) ?? "missing")"
    }
    return SHA256.hexDigest(of: Array((program.command + [program.folder] + files).joined(separator: "\u{0}").utf8))
  }
}
