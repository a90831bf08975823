import BitpalJSON

/// The shape `bitpal.trusted/1`: the trusted folders, with the state of each.
package struct TrustOutput: FieldShape {
  /// The state of a folder since it was trusted.
  package enum State: String, CaseIterable, Sendable {
    /// The folder is unchanged.
    case trusted

    /// Something in the folder has changed, so bitpal asks for trust again.
    case changed

    /// The folder has no settings any more, or none that can be read.
    case gone
  }

  package let folders: [Folder]

  package typealias Folder = (path: String, state: State)

  package init(_ folders: [Folder]) {
    self.folders = folders
  }

  package static let shape = Shape<Self>(
    "bitpal.trusted/1", "The folders that are trusted.",
    [.list("folders", "One for each.", rowFields) { $0.folders }])

  package static let rowFields: Fields<Folder> = [
    Field("folder", .text("The path.")) { $0.path },
    Field("state", .word(State.allCases.map(\.rawValue), "The state of the folder since.")) { $0.state.rawValue },
  ]

  package var rowSubjects: [Folder] { folders }
}

/// The shape `bitpal.trust/1`: the things of a folder that are trusted until one of its files changes.
package struct TrustedOutput: FieldShape {
  /// A program with its files that are checked, and whether its command contains code.
  package typealias Program = (provider: String, command: [String], files: [String], hasCode: Bool)

  private let folder: String
  private let sha256: String
  private let providerFiles: [String]
  private let importFiles: [String]
  private let dataFiles: [String]
  private let programs: [Program]
  private let sources: [(provider: String, hosts: [String])]

  package init(
    folder: String, sha256: String, providerFiles: [String], importFiles: [String], dataFiles: [String],
    programs: [Program], sources: [(provider: String, hosts: [String])]
  ) {
    self.folder = folder
    self.sha256 = sha256
    self.providerFiles = providerFiles
    self.importFiles = importFiles
    self.dataFiles = dataFiles
    self.programs = programs
    self.sources = sources
  }

  package static let shape = Shape<Self>(
    "bitpal.trust/1", "That a folder is trusted until one of its files changes.",
    [
      Field("folder", .text("The path.")) { $0.folder },
      Field("sha256", .text("The digest of everything that is trusted.")) { $0.sha256 },
      Field("provider_files", .list(.text("A file."), "The provider files of the folder.")) { $0.providerFiles },
      Field("import_files", .list(.text("A file."), "The import files of the folder.")) { $0.importFiles },
      Field("data_files", .list(.text("A file."), "The recordings and files of prices that are named.")) {
        $0.dataFiles
      },
      .list(
        "programs", "The programs of plugins.",
        [
          Field("provider", .text("The provider of the program.")) { $0.provider },
          Field("command", .list(.text("A word."), "The command that starts it.")) { $0.command },
          Field("files", .list(.text("A file."), "Those of it that are looked at.")) { $0.files },
          Field("has_code", .flag("Whether there is code in the command.")) { $0.hasCode },
        ]
      ) { $0.programs },
      .list(
        "sources", "The hosts that provider files name.",
        [
          Field("provider", .text("The provider that asks.")) { $0.provider },
          Field("hosts", .list(.text("A host."), "The hosts that it asks.")) { $0.hosts },
        ]
      ) { $0.sources },
    ])
}
