import BitpalFiles
import BitpalModel
import FoundationEssentials
import Glibc

/// What trust in a folder covers: its settings and the provider files that they lead to, as they are now.
public struct FolderContent: Hashable, Sendable {
  /// The folder, with its links resolved.
  public let folder: String

  /// The provider files, by their names in messages.
  public let providerFiles: [String]

  /// SHA-256 over the names, owners and bytes of all files.
  public let digest: String

  /// The files that belong to somebody else, who could change them between one look and the next.
  let strangers: [String]

  /// - Parameters:
  ///   - settings: The settings file as it was read.
  ///   - providersDir: The folder of provider files that the settings name; nil for none.
  init(folder: String, settings: BoundedFile, providersDir: String?) {
    self.folder = folder
    var text = Self.line("config.yaml", settings)
    var providerFiles: [String] = []
    var strangers: [String] = []
    let paths = providersDir.map { directory in
      ProviderCatalog.files(in: directory).map { PathText.joined(directory, $0 + ".yaml") }
    }
    for path in paths ?? [] {
      // What cannot be read cannot be used either; as soon as it can be, the digest is another one.
      let file = try? BoundedFile(prefixOf: path, limit: YAMLDocument.sizeLimit + 1)
      let name = PathText.shown(path, from: folder)
      text += Self.line(name, file)
      providerFiles.append(name)
      if let file, !file.status.isOwn { strangers.append(name) }
    }
    self.providerFiles = providerFiles
    self.strangers = strangers
    digest = SHA256.hexDigest(of: Array(text.utf8))
  }

  private static func line(_ name: String, _ file: BoundedFile?) -> String {
    let content = file.map { "\(SHA256.hexDigest(of: $0.bytes)) \($0.status.owner)" } ?? "unreadable"
    return "\(content) \(name.utf8.count):\(name)\n"
  }
}

extension FileStatus {
  /// Whether the file is the user's, or the machine's: root could do as the user whatever it likes.
  var isOwn: Bool { owner == geteuid() || owner == 0 }
}
