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
