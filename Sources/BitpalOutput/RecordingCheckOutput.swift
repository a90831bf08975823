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

extension FactsOutput {
  /// `bitpal.recording_accept/1`: the bodies that were changed by hand and count now.
  package static func recordingAccepted(_ changes: [BodyAcceptance.Change], name: String) -> FactsOutput {
    FactsOutput(
      "bitpal.recording_accept/1",
      [
        "recording": .string(name),
        "accepted": .array(
          changes.map { change in
            .object([
              "file": .string(change.file), "entries": .array(change.entries.map(JSONValue.integer)),
              "readable": .bool(change.isReadable),
            ])
          }),
      ])
  }
}
