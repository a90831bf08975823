package import BitpalJSON

/// The shapes `bitpal.config/1` and `bitpal.provider/1`: the values in force, with the origin of each.
package struct SettingsOutput: OutputShape {
  /// A value with its dotted key and its origin.
  package typealias Entry = (key: String, value: String, origin: String)

  private let shape: Shape<[Entry]>
  package let entries: [Entry]

  private init(_ shape: Shape<[Entry]>, _ entries: [Entry]) {
    self.shape = shape
    self.entries = entries
  }

  static let config = Shape("bitpal.config/1", "Every setting in force, and where it comes from.", fields)
  static let provider = Shape(
    "bitpal.provider/1", "Everything that is in force of a provider, and where it comes from.", fields)

  private static let fields: Fields<[Entry]> = [.list("entries", "One for each value.", rowFields) { $0 }]

  private static let rowFields: Fields<Entry> = [
    Field("key", .text("With dots.")) { $0.key },
    Field("value", .text("As it would be written.")) { $0.value },
    Field("origin", .text("A file and its line, a variable, an option, or that it is built in.")) { $0.origin },
  ]

  /// Returns the shape of all settings.
  package static func settings(_ entries: [Entry]) -> SettingsOutput { SettingsOutput(config, entries) }

  /// Returns the shape of all values in force of one provider.
  package static func provider(_ entries: [Entry]) -> SettingsOutput { SettingsOutput(provider, entries) }

  package var schema: OutputSchema { shape.schema }
  package var members: JSONObject { shape.fields.object(entries) }
  package var columns: [String] { Self.rowFields.keys }
  package var rows: [JSONObject] { Self.rowFields.objects(entries) }
}

extension FactsOutput {
  static let configCheck = Shape<(file: String?, providerFiles: Int)>(
    "bitpal.config_check/1", "That the settings and the provider files are in order.",
    [
      Field("file", .text("The path of the settings; null for the built-in defaults.")) { $0.file },
      Field("provider_files", .count("The number of provider files.")) { $0.providerFiles },
    ])

  /// Returns the shape `bitpal.config_check/1`: the settings and provider files that were found valid.
  package static func settingsChecked(file: String?, providerFiles: Int) -> FactsOutput {
    FactsOutput(configCheck, (file, providerFiles))
  }

  static let configPath = Shape<String?>(
    "bitpal.config_path/1", "The settings file in force.",
    [Field("path", .text("The path; null for the built-in defaults.")) { $0 }])

  /// Returns the shape `bitpal.config_path/1`: the settings file in force; null for the built-in defaults.
  package static func settingsPath(_ path: String?) -> FactsOutput { FactsOutput(configPath, path) }

  static let configInit = Shape<String>(
    "bitpal.config_init/1", "That a settings file was written.", [Field("path", .text("The path.")) { $0 }])

  /// Returns the shape `bitpal.config_init/1`: the path of a new settings file.
  package static func settingsWritten(to path: String) -> FactsOutput { FactsOutput(configInit, path) }

  static let configAlias = Shape<(alias: String, coin: String?, previous: String?, file: String)>(
    "bitpal.config_alias/1", "The change of an alias.",
    [
      Field("alias", .text("The alias.")) { $0.alias },
      Field("coin", .text("The coin's id; null for an alias that is gone.")) { $0.coin },
      Field("previous", .text("The former coin.")) { $0.previous },
      Field("file", .text("The file in which it is written.")) { $0.file },
    ])

  /// Returns the shape `bitpal.config_alias/1`: the new meaning of an alias.
  ///
  /// - Parameter previous: Its meaning before; nil for a new alias.
  package static func aliasAdded(_ alias: String, coin: String, previous: String?, file: String) -> FactsOutput {
    FactsOutput(configAlias, (alias, coin, previous, file))
  }

  /// Returns the shape `bitpal.config_alias/1` of a removed alias: its `coin` is null.
  package static func aliasRemoved(_ alias: String, previous: String, file: String) -> FactsOutput {
    FactsOutput(configAlias, (alias, nil, previous, file))
  }
}
