package import BitpalJSON

/// The shapes `bitpal.config/1` and `bitpal.provider/1`: the values in force, with the origin of each.
package struct SettingsOutput: OutputShape {
  /// A value with its dotted key and its origin.
  package typealias Entry = (key: String, value: String, origin: String)

  package let schema: OutputSchema
  package let entries: [Entry]

  private init(_ schema: OutputSchema, _ entries: [Entry]) {
    self.schema = schema
    self.entries = entries
  }

  /// Returns the shape of all settings.
  package static func settings(_ entries: [Entry]) -> SettingsOutput { SettingsOutput(.config, entries) }

  /// Returns the shape of all values in force of one provider.
  package static func provider(_ entries: [Entry]) -> SettingsOutput { SettingsOutput(.provider, entries) }

  package var columns: [String] { ["key", "value", "origin"] }

  package var rows: [JSONObject] {
    entries.map { ["key": .string($0.key), "value": .string($0.value), "origin": .string($0.origin)] }
  }

  package var members: JSONObject { ["entries": rowsValue] }
}

extension FactsOutput {
  /// Returns the shape `bitpal.config_check/1`: the settings and provider files that were found valid.
  package static func settingsChecked(file: String?, providerFiles: Int) -> FactsOutput {
    FactsOutput(.configCheck, ["file": JSONValue(file), "provider_files": .integer(providerFiles)])
  }

  /// Returns the shape `bitpal.config_path/1`: the settings file in force; null for the built-in defaults.
  package static func settingsPath(_ path: String?) -> FactsOutput {
    FactsOutput(.configPath, ["path": JSONValue(path)])
  }

  /// Returns the shape `bitpal.config_init/1`: the path of a new settings file.
  package static func settingsWritten(to path: String) -> FactsOutput {
    FactsOutput(.configInit, ["path": .string(path)])
  }

  /// Returns the shape `bitpal.config_alias/1`: the new meaning of an alias.
  ///
  /// - Parameter previous: Its meaning before; nil for a new alias.
  package static func aliasAdded(_ alias: String, coin: String, previous: String?, file: String) -> FactsOutput {
    FactsOutput(
      .configAlias,
      ["alias": .string(alias), "coin": .string(coin), "previous": JSONValue(previous), "file": .string(file)])
  }

  /// Returns the shape `bitpal.config_alias/1` of a removed alias: its `coin` is null.
  package static func aliasRemoved(_ alias: String, previous: String, file: String) -> FactsOutput {
    FactsOutput(
      .configAlias,
      ["alias": .string(alias), "coin": .null, "previous": .string(previous), "file": .string(file)])
  }
}

extension OutputSchema {
  static let config = OutputSchema("bitpal.config/1", "Every setting in force, and where it comes from.", entries)

  static let provider = OutputSchema(
    "bitpal.provider/1", "Everything that is in force of a provider, and where it comes from.", entries)

  private static let entries: SchemaMembers = [
    "entries": .list(
      .object([
        "key": .text("With dots."), "value": .text("As it would be written."),
        "origin": .text("A file and its line, a variable, an option, or that it is built in."),
      ]), "One for each value.")
  ]

  static let configPath = OutputSchema(
    "bitpal.config_path/1", "The settings file in force.",
    ["path": .text("The path; null for the built-in defaults.").orNull])

  static let configCheck = OutputSchema(
    "bitpal.config_check/1", "That the settings and the provider files are in order.",
    [
      "file": .text("The path of the settings; null for the built-in defaults.").orNull,
      "provider_files": .count("The number of provider files."),
    ])

  static let configInit = OutputSchema(
    "bitpal.config_init/1", "That a settings file was written.", ["path": .text("The path.")])

  static let configAlias = OutputSchema(
    "bitpal.config_alias/1", "The change of an alias.",
    [
      "alias": .text("The alias."), "coin": .text("The coin's id; null for an alias that is gone.").orNull,
      "previous": .text("The former coin.").orNull, "file": .text("The file in which it is written."),
    ])
}
