package import BitpalJSON

/// The shape `bitpal.trusted/1`: the trusted folders, with the state of each.
package struct TrustOutput: OutputShape {
  /// The state of a folder since it was trusted.
  package enum State: String, CaseIterable, Sendable {
    /// The folder is unchanged.
    case trusted

    /// Something in the folder has changed, so bitpal asks for trust again.
    case changed

    /// The folder has no settings any more, or none that can be read.
    case gone
  }

  package let folders: [(path: String, state: State)]

  package init(_ folders: [(path: String, state: State)]) {
    self.folders = folders
  }

  package let schema = OutputSchema.trusted

  package var columns: [String] { ["folder", "state"] }

  package var rows: [JSONObject] {
    folders.map { ["folder": .string($0.path), "state": .string($0.state.rawValue)] }
  }

  package var members: JSONObject { ["folders": rowsValue] }
}

extension FactsOutput {
  /// Returns the shape `bitpal.trust/1`: the things that are trusted from now on, until a file of the folder changes.
  ///
  /// - Parameters:
  ///   - programs: The commands that its providers start, their files that are checked, and whether the command
  ///     contains code.
  ///   - sources: The hosts that its providers ask.
  package static func trusted(
    folder: String, sha256: String, providerFiles: [String], importFiles: [String], dataFiles: [String],
    programs: [(provider: String, command: [String], files: [String], hasCode: Bool)],
    sources: [(provider: String, hosts: [String])]
  ) -> FactsOutput {
    FactsOutput(
      .trust,
      [
        "folder": .string(folder), "sha256": .string(sha256),
        "provider_files": .array(providerFiles.map(JSONValue.string)),
        "import_files": .array(importFiles.map(JSONValue.string)),
        "data_files": .array(dataFiles.map(JSONValue.string)),
        "programs": .array(
          programs.map {
            [
              "provider": .string($0.provider), "command": .array($0.command.map(JSONValue.string)),
              "files": .array($0.files.map(JSONValue.string)), "has_code": .bool($0.hasCode),
            ]
          }),
        "sources": .array(
          sources.map { ["provider": .string($0.provider), "hosts": .array($0.hosts.map(JSONValue.string))] }),
      ])
  }

  /// Returns the shape `bitpal.trust_remove/1`: the folder that is no longer trusted.
  package static func trustRemoved(folder: String) -> FactsOutput {
    FactsOutput(.trustRemove, ["folder": .string(folder)])
  }
}

extension OutputSchema {
  static let trusted = OutputSchema(
    "bitpal.trusted/1", "The folders that are trusted.",
    [
      "folders": .list(
        .object([
          "folder": .text("The path."),
          "state": .word(TrustOutput.State.allCases.map(\.rawValue), "The state of the folder since."),
        ]), "One for each.")
    ])

  static let trust = OutputSchema(
    "bitpal.trust/1", "That a folder is trusted until one of its files changes.",
    [
      "folder": .text("The path."), "sha256": .text("The digest of everything that is trusted."),
      "provider_files": .list(.text("A file."), "The provider files of the folder."),
      "import_files": .list(.text("A file."), "The import files of the folder."),
      "data_files": .list(.text("A file."), "The recordings and files of prices that are named."),
      "programs": .list(
        .object([
          "provider": .text("The provider of the program."),
          "command": .list(.text("A word."), "The command that starts it."),
          "files": .list(.text("A file."), "Those of it that are looked at."),
          "has_code": .flag("Whether there is code in the command."),
        ]), "The programs of plugins."),
      "sources": .list(
        .object([
          "provider": .text("The provider that asks."),
          "hosts": .list(.text("A host."), "The hosts that it asks."),
        ]), "The hosts that provider files name."),
    ])

  static let trustRemove = OutputSchema(
    "bitpal.trust_remove/1", "That a folder is trusted no longer.", ["folder": .text("The path.")])
}
