import BitpalFiles
import BitpalModel
import FoundationEssentials
import Glibc

/// What trust in a folder covers: its settings, the provider files that they lead to and the programs that these start, as
/// they are now.
public struct FolderContent: Hashable, Sendable {
  /// A program that a provider file, or an override of one, would start.
  public struct Program: Hashable, Sendable {
    /// The id of the provider.
    public let provider: String

    /// The program and its arguments.
    public let command: [String]

    /// The files that the command names, by their names in messages.
    ///
    /// What the program itself loads is not covered.
    public let files: [String]

    /// The command as one would type it in a shell.
    public var commandLine: String { command.map { ShellWord($0).description }.joined(separator: " ") }
  }

  /// The folder, with its links resolved.
  public let folder: String

  /// The provider files, by their names in messages.
  public private(set) var providerFiles: [String] = []

  /// What would be started, by the ids of the providers.
  public private(set) var programs: [Program] = []

  /// SHA-256 over the names, owners and bytes of all files.
  public let digest: String

  /// The files that belong to somebody else, who could change them between one look and the next.
  private(set) var strangers: [String] = []

  /// The most bytes of a program that are read; of what is larger the rest is known by the file's size and times.
  private static let programLimit = 64 << 20

  /// - Parameters:
  ///   - folder: The folder, with its links resolved.
  ///   - file: The settings file as it was read.
  ///   - settings: What it says.
  init(folder: String, file: BoundedFile, settings: Settings) {
    self.folder = folder
    var text = Self.line("config.yaml", file)
    var commands: [(provider: String, node: YAMLNode)] = []
    for entry in settings.providerOverrides {
      if let node = entry.value["command"] { commands.append((entry.key, node)) }
    }
    let directory = settings.namedProvidersDir
    for id in directory.map(ProviderCatalog.files) ?? [] {
      let path = PathText.joined(directory ?? "", id + ".yaml")
      // What cannot be read cannot be used either; as soon as it can be, the digest is another one.
      let file = try? BoundedFile(prefixOf: path, limit: YAMLDocument.sizeLimit + 1)
      let name = PathText.shown(path, from: folder)
      text += Self.line(name, file)
      providerFiles.append(name)
      guard let file else { continue }
      if !file.status.isOwn { strangers.append(name) }
      if let node = Self.command(in: file.bytes, directory: PathText.directory(of: path)) {
        commands.append((id, node))
      }
    }
    for (provider, node) in commands {
      guard let program = PluginProgram(node) else { continue }
      var files: [String] = []
      for path in program.files.map(PathText.normalized) {
        let name = PathText.shown(path, from: folder)
        text += Self.line(name, program: path)
        files.append(name)
        if let status = try? FileStatus(path), !status.isOwn { strangers.append(name) }
      }
      programs.append(Program(provider: provider, command: program.command, files: files))
    }
    programs.sort { $0.provider < $1.provider }
    digest = SHA256.hexDigest(of: Array(text.utf8))
  }

  /// What a provider file would start, whatever its kind; nil for one that does not say.
  ///
  /// Few do, and the others need not be understood for that on every run.
  private static func command(in bytes: [UInt8], directory: String) -> YAMLNode? {
    // A key may be written with escapes, and then has a backslash.
    guard bytes.contains(UInt8(ascii: "\\")) || bytes.holds("command") else { return nil }
    return YAMLDocument(YAMLSource(file: "", directory: directory, bytes: bytes)).root?["command"]
  }

  private static func line(_ name: String, _ file: BoundedFile?) -> String {
    let content = file.map { "\(SHA256.hexDigest(of: $0.bytes)) \($0.status.owner)" } ?? "unreadable"
    return "\(content) \(name.utf8.count):\(name)\n"
  }

  /// A program may be started that cannot be read, or is too large to be read each time: it is known by its stamp as well.
  private static func line(_ name: String, program path: String) -> String {
    let file = try? BoundedFile(prefixOf: path, limit: programLimit)
    let isWhole = file.map { $0.bytes.count < programLimit } ?? false
    let stamp = isWhole ? "" : (try? FileStatus(path))?.stamp ?? ""
    return "program \(stamp) " + line(name, file)
  }
}

extension FileStatus {
  /// Whether the file is the user's, or the machine's: root could do as the user whatever it likes.
  var isOwn: Bool { owner == geteuid() || owner == 0 }
}

extension [UInt8] {
  fileprivate func holds(_ word: String) -> Bool {
    let word = Array(word.utf8)
    return indices.contains { self[$0] == word.first && self[$0...].starts(with: word) }
  }
}

extension PluginProgram {
  /// The program of a `command:`; nil where it is no list of words, which cannot be used.
  fileprivate init?(_ node: YAMLNode) {
    guard case .sequence(let words) = node.content else { return nil }
    let command = words.compactMap { word in
      if case .scalar(let text, _) = word.content { text } else { nil }
    }
    guard !command.isEmpty, command.count == words.count else { return nil }
    self.init(command: command, folder: node.source.directory)
  }
}
