import BitpalFiles
import BitpalJSON
import BitpalModel
import BitpalProviders
import BitpalReplay
import FoundationEssentials
import Glibc

/// The files that trust in a folder covers, as they were read: its settings, provider and import files, the programs
/// and files of prices that these name, and recordings.
package struct FolderContent: Hashable, Sendable {
  /// A program that a provider file, or an override, would start.
  package struct Program: Hashable, Sendable {
    /// The id of the provider.
    package let provider: String

    /// The program and its arguments.
    package let command: [String]

    /// The files that the command names, by their names in messages.
    ///
    /// Files that the program itself loads are not covered.
    package let files: [String]

    /// The word of the command that makes an interpreter run code from the command line; nil for none.
    package let inlineCode: String?

    /// The links in the program's folder that lead out of it, by their names in messages; a plugin does not see them.
    package let outwardLinks: [String]

    /// The command in the syntax of a shell.
    package var commandLine: String { command.map { ShellWord($0).description }.joined(separator: " ") }
  }

  /// A provider and the hosts to which it sends requests, by its file or the settings.
  package struct Source: Hashable, Sendable {
    /// The id of the provider.
    package let provider: String

    /// The hosts, in the order of the file.
    package let hosts: [String]
  }

  /// A file that bitpal wrote after the content was read.
  package struct WrittenFile: Sendable {
    let path: String
    let before: String?
    let after: String

    /// Creates a description of a file at an absolute path; `before` is nil for a new file.
    package init(_ path: String, before: [UInt8]? = nil, after: [UInt8]) {
      self.path = PathText.normalized(path)
      self.before = before.map(SHA256.hexDigest)
      self.after = SHA256.hexDigest(of: after)
    }
  }

  /// The folder, with its links resolved.
  package let folder: String

  /// The settings file and the preferences, by their names in messages.
  package private(set) var settingsFiles = ["config.yaml"]

  /// The provider files, by their names in messages.
  package private(set) var providerFiles: [String] = []

  /// The import files, by their names in messages.
  package private(set) var importFiles: [String] = []

  /// The bases of provider files, the recordings and files of prices, by their names in messages.
  package private(set) var dataFiles: [String] = []

  /// The programs that would be started, sorted by provider.
  package private(set) var programs: [Program] = []

  /// The hosts that would receive requests, sorted by provider; empty unless requested.
  package private(set) var sources: [Source] = []

  /// The SHA-256 checksum over the names, owners and bytes of all files.
  package private(set) var digest = ""

  /// The reasons why the folder cannot be trusted: files of other users, and files and folders that others can write.
  private(set) var faults: [ConfigurationIssue] = []

  /// The checksums of the files, with which later readers compare what they read.
  private(set) var files = TrustedFiles(settings: "", digests: [:], folders: [])

  private var digests: [String: String] = [:]
  private var folders: Set<String> = []
  private var lines: [String] = []

  /// Reads the files of a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder, with its links resolved.
  ///   - file: The settings file that was read.
  ///   - preferences: The preferences that were read; nil for none.
  ///   - settings: The settings in these files.
  ///   - hasSources: Whether ``sources`` are needed, for which every provider file must be parsed.
  init(folder: String, file: BoundedFile, preferences: BoundedFile?, settings: Settings, hasSources: Bool) {
    self.folder = folder
    let path = settings.file?.path ?? folder + "/config.yaml"
    add(path, "config.yaml", file)
    if let preferences {
      let name = PreferencesFile.fileName
      settingsFiles.append(name)
      add(PathText.joined(PathText.directory(of: path), name), name, preferences)
    }
    var nodes = settings.providerOverrides.map { (id: $0.key, node: $0.value) }
    let imports = settings.importsDirs.first
    let bases = settings.namedProvidersDir.map { PathText.joined($0, ExtendedFile.folder) }
    let directories = [settings.namedProvidersDir, bases, imports].compactMap { $0 }
    for directory in directories {
      for id in ProviderCatalog.files(in: directory) {
        let role: Role = directory == imports ? .imports : directory == bases ? .base : .provider
        guard let root = addFile(id, in: directory, as: role, hasSources: hasSources) else { continue }
        if role == .provider { nodes.append((id, root)) } else { addFiles(of: root, home: settings.home) }
      }
    }
    for (id, node) in nodes { add(id, node, home: settings.home, hasSources: hasSources) }
    for id in settings.provider + settings.convert {
      if let recording = ProviderSpecification(recording: id, from: settings.currentDirectory)?.recordingFolder {
        addData(HARReader.file(recording))
      }
    }
    for folder in Set(directories + folders + [folder]).sorted() { checkWriters(of: folder) }
    programs.sort { $0.provider < $1.provider }
    sources.sort { $0.provider < $1.provider }
    // Files that others can write count as changed.
    digest = SHA256.hexDigest(of: Array((lines.sorted().joined() + (faults.isEmpty ? "" : "unsafe\n")).utf8))
    files = TrustedFiles(settings: "config.yaml", digests: digests, folders: Set(directories))
    lines = []
  }

  /// Returns the first file that differs from `before` and was not written by bitpal; nil when there is none.
  package func change(since before: FolderContent, except written: [WrittenFile]) -> String? {
    let paths = Set(digests.keys).union(before.digests.keys).sorted()
    let path = paths.first { path in
      let (old, new) = (before.digests[path], digests[path])
      return old != new && !written.contains { $0.path == path && $0.before == old && $0.after == new }
    }
    return path.map { PathText.shown($0, from: folder) } ?? faults.first?.file
  }

  // MARK: Files

  private enum Role { case provider, base, imports }

  /// Adds a file; returns the content of a provider file, or of a base, that may name other files.
  private mutating func addFile(_ id: String, in directory: String, as role: Role, hasSources: Bool) -> YAMLNode? {
    let path = PathText.joined(directory, id + ".yaml")
    let name = PathText.shown(path, from: folder)
    // A file that cannot be read cannot be used either; when it becomes readable, the digest changes.
    let file = try? BoundedFile(prefixOf: path, limit: YAMLDocument.sizeLimit + 1)
    add(path, name, file)
    switch role {
    case .imports: importFiles.append(name)
    case .base: dataFiles.append(name)
    case .provider: providerFiles.append(name)
    }
    guard role != .imports, let bytes = file?.bytes, hasSources || Self.mayNameFiles(bytes) else { return nil }
    let document = YAMLDocument(YAMLSource(file: name, directory: directory, bytes: bytes))
    // What a base names is covered with the base; only for a list is it shown with each provider that inherits it.
    guard hasSources, role == .provider else { return document.root }
    return (try? ExtendedFile(document, at: path, shownFrom: folder))?.root
  }

  /// Adds the files that an override, a provider file or a base names.
  private mutating func addFiles(of node: YAMLNode, home: String?) {
    for path in node["command"].flatMap(PluginProgram.init(node:))?.files.map(PathText.normalized) ?? []
    where digests[path] == nil { addLarge(path, "program") }
    for key in ["recording", "file"] {
      guard let value = node[key], case .scalar(let text, _) = value.content else { continue }
      let path = PathText.resolved(text, in: value.source.directory, home: home)
      addData(key == "recording" ? HARReader.file(path) : path)
    }
  }

  /// Adds the files, the program and the hosts that an override or a provider file names.
  private mutating func add(_ id: String, _ node: YAMLNode, home: String?, hasSources: Bool) {
    addFiles(of: node, home: home)
    if let program = node["command"].flatMap(PluginProgram.init(node:)) {
      programs.append(
        Program(
          provider: id, command: program.command,
          files: program.files.map { PathText.shown(PathText.normalized($0), from: folder) },
          inlineCode: program.inlineCode, outwardLinks: hasSources ? outwardLinks(of: program.folder) : []))
    }
    guard hasSources else { return }
    var hosts = node["hosts"]?.texts ?? []
    if let base = node["base_url"]?.texts.first { hosts.append(BaseURL(base)?.host ?? base) }
    if !hosts.isEmpty { sources.append(Source(provider: id, hosts: hosts)) }
  }

  private func outwardLinks(of directory: String) -> [String] {
    let real = PathText.real(directory) ?? directory
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.sorted().map { directory + "/" + $0 }.filter { path in
      guard (try? FileStatus(withoutFollowing: path))?.kind == .link else { return false }
      return PathText.real(path)?.hasPrefix(real + "/") != true
    }.map { PathText.shown($0, from: folder) }
  }

  private mutating func addData(_ path: String) {
    guard digests[path] == nil, !ShippedFiles.contains(path) else { return }
    dataFiles.append(PathText.shown(path, from: folder))
    addLarge(path, "data")
  }

  /// Adds a file, with its status instead of its bytes when it is too large to be read each time, cannot be read, or is
  /// a file of the system that only root can replace.
  private mutating func addLarge(_ path: String, _ kind: String) {
    let status = try? FileStatus(path)
    let isSystems = status?.owner == 0 && PluginProgram.isSystemPath(path)
    let file = isSystems ? nil : try? BoundedFile(path, limit: TrustedFiles.sizeLimit)
    add(path, PathText.shown(path, from: folder), file, as: "\(kind) \(file == nil ? status?.stamp ?? "" : "") ")
    folders.insert(PathText.directory(of: path))
  }

  private mutating func add(_ path: String, _ name: String, _ file: BoundedFile?, as kind: String = "") {
    let sha256 = file.map { SHA256.hexDigest(of: $0.bytes) } ?? ""
    let content = file.map { "\(sha256) \($0.status.owner)" } ?? "unreadable"
    lines.append("\(kind)\(content) \(name.utf8.count):\(name)\n")
    digests[path] = sha256
    guard let status = file?.status ?? (try? FileStatus(path)) else { return }
    if !status.isOwn {
      faults.append(
        ConfigurationIssue(
          file: name, message: "belongs to another user, who could change it at any time; make it yours to trust it"))
    }
    check(status, path)
  }

  /// Checks that others cannot write a folder or those above it, which would allow them to replace it.
  private mutating func checkWriters(of folder: String) {
    var path = PathText.real(folder) ?? folder
    while true {
      if let status = try? FileStatus(path) { check(status, path) }
      guard path != "/", path.hasPrefix("/") else { return }
      path = PathText.directory(of: path)
    }
  }

  private mutating func check(_ status: FileStatus, _ path: String) {
    guard let mode = status.otherWriters else { return }
    let issue = ConfigurationIssue(
      file: PathText.shown(path, from: folder),
      message: "others can write it, and so change what is trusted: chmod \(mode) \(ShellWord(path))")
    if !faults.contains(issue) { faults.append(issue) }
  }

  /// Returns whether a provider file may name other files; the others need not be parsed on every run.
  private static func mayNameFiles(_ bytes: [UInt8]) -> Bool {
    // A key with escapes contains a backslash; at a NUL a search would end.
    if bytes.contains(UInt8(ascii: "\\")) || bytes.contains(0) { return true }
    return (bytes + [0]).withUnsafeBytes { bytes in
      guard let text = bytes.bindMemory(to: CChar.self).baseAddress else { return false }
      return ["command", "recording", "file"].contains { (word: String) in strstr(text, word) != nil }
    }
  }
}

extension FileStatus {
  /// Whether the owner is the user or root, which could act as the user anyway.
  var isOwn: Bool { owner == geteuid() || owner == 0 }

  /// The change of mode after which only the owner can write a file or folder; nil when none is needed.
  ///
  /// Root's group and the user's private group count as the owner. A sticky folder needs no change, because only the
  /// owner of a file in it can replace that file.
  var otherWriters: String? {
    guard kind == .regular || kind == .folder && !isSticky else { return nil }
    let isGroups = permissions & 0o020 != 0 && group != 0 && !PrivateGroup.isPrivate(group)
    return switch (permissions & 0o002 != 0, isGroups) {
    case (true, true): "go-w"
    case (true, false): "o-w"
    case (false, true): "g-w"
    case (false, false): nil
    }
  }
}

/// The private group that some systems create for each user, by `/etc/passwd` and `/etc/group`.
private enum PrivateGroup {
  /// Returns whether a group has the name of the effective user and no other members.
  static func isPrivate(_ group: gid_t) -> Bool {
    let user = lines("/etc/passwd").first { $0.count > 2 && $0[2] == "\(geteuid())" }?.first
    guard let user, let entry = lines("/etc/group").first(where: { $0.count > 3 && $0[2] == "\(group)" }) else {
      return false
    }
    return entry[0] == user && (entry[3].isEmpty || entry[3] == user)
  }

  private static func lines(_ path: String) -> [[Substring]] {
    let text = (try? BoundedFile(path, limit: 1 << 20)).map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    return text.split(separator: "\n").map { $0.split(separator: ":", omittingEmptySubsequences: false) }
  }
}

extension YAMLNode {
  /// The text of a scalar, or the texts of a list.
  fileprivate var texts: [String] {
    switch content {
    case .scalar(let text, _): [text]
    case .sequence(let items): items.flatMap(\.texts)
    case .mapping: []
    }
  }
}

extension PluginProgram {
  /// Reads the program of a `command:`; nil when it is not a list of words.
  fileprivate init?(node: YAMLNode) {
    guard case .sequence(let words) = node.content else { return nil }
    let command = node.texts
    guard !command.isEmpty, command.count == words.count else { return nil }
    self.init(command: command, folder: node.source.directory)
  }
}
