package import BitpalJSON

/// `bitpal.config/1` and `bitpal.provider/1`: values in force, and where each comes from.
package struct SettingsOutput: OutputShape {
  /// A value, with its dotted key and who set it.
  package typealias Entry = (key: String, value: String, origin: String)

  package let schema: String
  package let entries: [Entry]

  private init(_ schema: String, _ entries: [Entry]) {
    self.schema = schema
    self.entries = entries
  }

  /// Every setting.
  package static func settings(_ entries: [Entry]) -> SettingsOutput { SettingsOutput("bitpal.config/1", entries) }

  /// Everything that is in force of one provider.
  package static func provider(_ entries: [Entry]) -> SettingsOutput { SettingsOutput("bitpal.provider/1", entries) }

  package var columns: [String] { ["key", "value", "origin"] }

  package var rows: [JSONObject] {
    entries.map { ["key": .string($0.key), "value": .string($0.value), "origin": .string($0.origin)] }
  }

  package var members: JSONObject { ["entries": rowsValue] }
}

extension FactsOutput {
  /// `bitpal.config_check/1`: that the settings and so many provider files are in order.
  package static func settingsChecked(file: String?, providerFiles: Int) -> FactsOutput {
    FactsOutput("bitpal.config_check/1", ["file": JSONValue(file), "provider_files": .integer(providerFiles)])
  }

  /// `bitpal.config_path/1`: the settings file in force; null for the built-in defaults.
  package static func settingsPath(_ path: String?) -> FactsOutput {
    FactsOutput("bitpal.config_path/1", ["path": JSONValue(path)])
  }

  /// `bitpal.config_init/1`: where a settings file was written.
  package static func settingsWritten(to path: String) -> FactsOutput {
    FactsOutput("bitpal.config_init/1", ["path": .string(path)])
  }

  /// `bitpal.config_alias/1`: what an alias means from now on.
  ///
  /// - Parameter previous: What it meant before; nil when it is new.
  package static func aliasAdded(_ alias: String, coin: String, previous: String?, file: String) -> FactsOutput {
    FactsOutput(
      "bitpal.config_alias/1",
      ["alias": .string(alias), "coin": .string(coin), "previous": JSONValue(previous), "file": .string(file)])
  }

  /// `bitpal.config_alias/1` of an alias that is gone: its `coin` is null.
  package static func aliasRemoved(_ alias: String, previous: String, file: String) -> FactsOutput {
    FactsOutput(
      "bitpal.config_alias/1",
      ["alias": .string(alias), "coin": .null, "previous": .string(previous), "file": .string(file)])
  }
}
