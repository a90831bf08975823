import BitpalConfig
import BitpalJSON
import BitpalModel

/// Every setting in force and where it comes from.
struct ConfigView: View {
  private let entries: [SettingEntry]
  private let schema: String
  private let widest: Int

  init(_ settings: Settings) {
    self.init(settings.entries, schema: "bitpal.config/1", widest: 400)
  }

  /// - Parameter widest: How much of a value a table shows; other forms carry it whole.
  init(_ entries: [SettingEntry], schema: String, widest: Int) {
    self.widest = widest
    self.entries = entries
    self.schema = schema
  }

  var columns: [String] { ["key", "value", "origin"] }

  var rows: [JSONObject] {
    entries.map { ["key": .string($0.key), "value": .string($0.value), "origin": .string($0.origin.description)] }
  }

  var json: JSONObject {
    ["schema": .string(schema), "entries": .array(rows.map(JSONValue.object)), "errors": []]
  }

  func table(style: Style) -> String {
    var table = TextTable([.init("KEY"), .init("VALUE", widest: widest), .init("ORIGIN")])
    for entry in entries { table.add([.init(entry.key), .init(entry.value), .init(entry.origin.description, .quiet)]) }
    return table.text(style: style)
  }
}
