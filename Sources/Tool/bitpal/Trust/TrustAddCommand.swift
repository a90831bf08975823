import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalOutput
import BitpalPlugins
import BitpalQueries

/// The `bitpal trust [FOLDER]` command.
struct TrustAddCommand: Command {
  static let name = "trust add"
  static let spec = CommandSpec(
    name, "trust a folder's config.yaml and provider files", operands: .optional("FOLDER"),
    options: [
      ParameterSpec("dry-run", .flag, "show the files, programs and hosts; trust nothing"),
      ParameterSpec("allow-code", .flag, "also trust plugins with code in their command, like  sh -c CODE"),
    ],
    details: [
      "A ./config.yaml in the current folder may have come with files of others. Until its folder is trusted it "
        + "chooses among shipped providers, recordings below the folder, ranges, times to live and display, and nothing "
        + "more: no keys, no provider files, no plugins, no aliases, no cache file, no portfolio and no watchlist.",
      "Trust covers the folder's path and the present content of the files: config.yaml, preferences.yaml, provider files, "
        + "imports/*.yaml, the programs that plugins name in their command, recordings and files of prices. Any change to "
        + "them asks again. Files and folders that others may write are refused. FOLDER is the working folder by default. "
        + "Settings named by --config or BITPAL_CONFIG, and your own, need no trust.",
    ],
    examples: [
      .init("trust --dry-run", "what there is to trust in the working folder, and what it would start"),
      .init("trust", "the working folder, after a look at its files"),
      .init("trust ~/prices", "another one"),
    ])

  private let folder: String?
  private let isDryRun: Bool
  private let allowsCode: Bool

  init(_ arguments: Invocation.Arguments) {
    folder = arguments.operands.first
    isDryRun = arguments.raw.has("dry-run")
    allowsCode = arguments.raw.has("allow-code")
  }

  func run(_ session: Session) throws -> ExitStatus {
    let folder = session.folder(folder)
    guard FileStatus.exists(folder) else { throw BitpalError.usage("the folder \(folder) does not exist") }
    guard let content = try session.content(of: folder) else {
      throw BitpalError.usage(
        "there is nothing to trust in \(folder): no config.yaml that begins with  bitpal: 1",
        hint: "your own settings need no trust")
    }
    if !isDryRun {
      if !allowsCode, let program = content.programs.first(where: { $0.inlineCode != nil }) {
        throw BitpalError.usage(
          "the plugin \(program.provider) has code in its command: \(program.commandLine.printable(limit: 400))",
          hint: "put the code into a file and name that, or trust it as it is with --allow-code")
      }
      try TrustedFolders(environment: session.environment).add(content)
    }
    try session.show(TrustAddView(content, isDryRun: isDryRun))
    if !content.programs.isEmpty {
      let sandbox = PluginLaunch.sandbox(in: content.folder, variables: session.environment.variables)
      switch sandbox {
      case .works: break
      case .missing:
        session.console.warning(
          "plugins \(PluginLaunch.withoutSandbox): bwrap is not installed (apt install bubblewrap)")
      case .refused:
        session.console.warning(
          "plugins \(PluginLaunch.withoutSandbox): this system does not let bwrap make namespaces")
      }
      for link in Set(content.programs.flatMap(\.outwardLinks)).sorted() {
        session.console.notice(
          "\(link.printable(limit: 200)) is a link that leads out of its folder: a plugin in the sandbox does not see it"
        )
      }
    }
    return .answered
  }
}

/// The files that are now trusted, and the programs that they start.
struct TrustAddView: View {
  let output: TrustedOutput
  private let content: FolderContent
  private let isDryRun: Bool

  init(_ content: FolderContent, isDryRun: Bool) {
    self.content = content
    self.isDryRun = isDryRun
    output = TrustedOutput(
      folder: content.folder, sha256: content.digest, providerFiles: content.providerFiles,
      importFiles: content.importFiles, dataFiles: content.dataFiles,
      programs: content.programs.map { ($0.provider, $0.command, $0.files, $0.inlineCode != nil) },
      sources: content.sources.map { ($0.provider, $0.hosts) })
  }

  func table(style: Style) -> String {
    let counted: [(count: Int, one: String, many: String)] = [
      (content.providerFiles.count, "provider file", "provider files"),
      (content.importFiles.count, "import file", "import files"), (content.programs.count, "program", "programs"),
      (content.dataFiles.count, "file of data", "files of data"),
    ]
    var parts = content.settingsFiles.map { "\(content.folder)/\($0)" }
    for part in counted where part.count > 0 { parts.append("\(part.count) \(part.count == 1 ? part.one : part.many)") }
    let list =
      parts.count < 3
      ? parts.joined(separator: " and ") : parts.dropLast().joined(separator: ", ") + " and \(parts[parts.count - 1])"
    var lines = ["\(isDryRun ? "would be trusted" : "trusted"): \(list), until one of them changes"]
    lines += content.programs.map(line) + hosts
    lines += content.dataFiles.map { "\(isDryRun ? "would be read" : "read"):  \($0)" }
    return lines.map { $0.printable() + "\n" }.joined()
  }

  /// The lines with the hosts that providers reach: one per provider, or a single one for more than three providers.
  private var hosts: [String] {
    let verb = isDryRun ? "would ask" : "asks"
    let lists = content.sources.map { ($0.provider, $0.hosts.joined(separator: ", ")) }
    guard lists.count > 3 else { return lists.map { "\($0) \(verb):  \($1)" } }
    return ["\(verb):  " + lists.map { "\($1) (\($0))" }.joined(separator: ", ")]
  }

  private func line(_ program: FolderContent.Program) -> String {
    "\(program.provider) \(isDryRun ? "would start" : "starts"):  \(program.commandLine)  "
      + (program.files.isEmpty
        ? "(no file of its own is named, so that a change to it is not seen)"
        : "(\(program.files.joined(separator: ", ")))")
      + (program.inlineCode == nil ? "" : "  (code in the command line, which these files do not cover)")
  }
}

extension Session {
  /// Returns the absolute path of a folder on the command line, with links resolved if it exists.
  func folder(_ operand: String?) -> String {
    let path = PathText.joined(environment.currentDirectory, operand ?? ".")
    return PathText.real(path) ?? path
  }

  /// Returns the content of a folder that can be trusted; nil when it has no settings of bitpal's.
  ///
  /// - Throws: `BitpalError.configuration` with every fault of its settings.
  func content(of folder: String) throws(BitpalError) -> FolderContent? {
    try SettingsLoader(environment: environment.standing(in: folder)).content()
  }
}

/// The `bitpal trust remove [FOLDER]` command.
struct TrustRemoveCommand: Command {
  static let name = "trust remove"
  static let spec = CommandSpec(
    name, "stop trusting a folder", operands: .optional("FOLDER"),
    details: ["FOLDER is the working folder by default; it need not be there any more."],
    examples: [.init("trust remove", "the working folder"), .init("trust remove ~/prices", "another one")])

  private let folder: String?

  init(_ arguments: Invocation.Arguments) {
    folder = arguments.operands.first
  }

  func run(_ session: Session) throws -> ExitStatus {
    let folder = session.folder(folder)
    // The folder is not read, because it may not exist any more.
    guard try TrustedFolders(environment: session.environment).remove(folder) else {
      throw BitpalError.usage("\(folder) is not trusted", hint: "\"bitpal trust list\" shows what is")
    }
    try session.show(
      FactView("trusted no longer: \(folder)", DoneOutput(Self.name, about: folder)))
    return .answered
  }
}
