import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalOutput

/// What `bitpal trust [FOLDER]` does.
struct TrustAddCommand: Command {
  static let name = "trust add"
  static let spec = CommandSpec(
    name, "take a folder's config.yaml and provider files for your own", operands: .optional("FOLDER"),
    details: [
      "A ./config.yaml that is merely found may have come with somebody else's files. Until its folder is trusted it "
        + "chooses among shipped providers, recordings below the folder, ranges, times to live and display, and nothing "
        + "more: no keys, no provider files, no aliases, no cache file, no portfolio and no watchlist.",
      "What is trusted is the folder's path and what is in the files now; any change to them asks again. FOLDER is the "
        + "working folder by default. Settings named by --config or BITPAL_CONFIG, and your own, need no trust.",
    ],
    examples: [
      .init("trust", "the working folder, after a look at its files"),
      .init("trust ~/prices", "another one"),
    ])

  private let folder: String?

  init(_ arguments: Invocation.Arguments) {
    folder = arguments.operands.first
  }

  func run(_ session: Session) throws -> ExitStatus {
    let folder = session.folder(folder)
    guard FileStatus.exists(folder) else { throw BitpalError.usage("there is no folder \(folder)") }
    guard let content = try session.content(of: folder) else {
      throw BitpalError.usage(
        "there is nothing to trust in \(folder): no config.yaml that begins with  bitpal: 1",
        hint: "your own settings need no trust")
    }
    try TrustedFolders(environment: session.environment).add(content)
    let count = content.providerFiles.count
    let files = count == 0 ? "" : " and \(count) provider \(count == 1 ? "file" : "files")"
    try session.show(
      FactView(
        "trusted: \(content.folder)/config.yaml\(files), until one of them changes",
        .trusted(folder: content.folder, sha256: content.digest, providerFiles: content.providerFiles)))
    return .answered
  }
}

extension Session {
  /// The absolute path of a folder on the command line, with its links resolved as far as it is there.
  func folder(_ operand: String?) -> String {
    let path = PathText.joined(environment.currentDirectory, operand ?? ".")
    return PathText.real(path) ?? path
  }

  /// What there is to trust in a folder; nil when it has no settings of ours.
  func content(of folder: String) throws(BitpalError) -> FolderContent? {
    try SettingsLoader(environment: environment.standing(in: folder)).content()
  }
}

/// What `bitpal trust remove [FOLDER]` does.
struct TrustRemoveCommand: Command {
  static let name = "trust remove"
  static let spec = CommandSpec(
    name, "trust a folder no longer", operands: .optional("FOLDER"),
    details: ["FOLDER is the working folder by default; it need not be there any more."],
    examples: [.init("trust remove", "the working folder"), .init("trust remove ~/prices", "another one")])

  private let folder: String?

  init(_ arguments: Invocation.Arguments) {
    folder = arguments.operands.first
  }

  func run(_ session: Session) throws -> ExitStatus {
    let folder = session.folder(folder)
    // Nothing is asked of the folder, which may be gone.
    guard try TrustedFolders(environment: session.environment).remove(folder) else {
      throw BitpalError.usage("\(folder) is not trusted", hint: "\"bitpal trust list\" shows what is")
    }
    try session.show(
      FactView("trusted no longer: \(folder)", .trustRemoved(folder: folder)))
    return .answered
  }
}
