package import BitpalJSON
package import BitpalReplay

/// `bitpal.recording_check/1`: what changed in the shape of a source's answers since they were recorded.
package struct RecordingCheckOutput: OutputShape {
  package let comparison: ShapeComparison

  /// The recording, as it was named.
  package let name: String

  package init(_ comparison: ShapeComparison, name: String) {
    self.comparison = comparison
    self.name = name
  }

  package let schema = "bitpal.recording_check/1"

  /// A row is a change; that nothing changed is no row.
  package var columns: [String] { ["entry", "change", "field", "before", "after"] }

  package var rows: [JSONObject] {
    comparison.changes.map { change in
      [
        "entry": .integer(change.entry), "change": .string(change.kind.rawValue), "field": .string(change.field),
        "before": JSONValue(change.before), "after": JSONValue(change.after),
      ]
    }
  }

  package var members: JSONObject {
    [
      "recording": .string(name), "compared": .integer(comparison.compared),
      "unasked": .array(comparison.unasked.map(JSONValue.integer)), "changes": rowsValue,
    ]
  }
}
