package import BitpalJSON
package import BitpalReplay

/// The shape `bitpal.recording_check/1`: the changes in the shape of a source's answers since they were recorded.
package struct RecordingCheckOutput: OutputShape {
  package let comparison: ShapeComparison

  /// The recording, as the user named it.
  package let name: String

  package init(_ comparison: ShapeComparison, name: String) {
    self.comparison = comparison
    self.name = name
  }

  package let schema = OutputSchema.recordingCheck

  /// The keys of a row, one row per change; without changes there are no rows.
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
  /// Returns the shape `bitpal.recording_accept/1`: the bodies that were edited by hand and are accepted now.
  package static func recordingAccepted(_ changes: [BodyAcceptance.Change], name: String) -> FactsOutput {
    FactsOutput(
      .recordingAccept,
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

extension OutputSchema {
  static let recordingCheck = OutputSchema(
    "bitpal.recording_check/1", "The changes in the shape of a source's answers since they were recorded.",
    [
      "recording": .text("As it was named."), "compared": .count("The number of answers that were compared."),
      "unasked": .list(.count("The number of an entry.", from: 1), "Those that were not asked again."),
      "changes": .list(
        .object([
          "entry": .count("The number of the entry.", from: 1),
          "change": .word(["gone", "retyped", "added"], "The kind of change."),
          "field": .text("The path in the answer."), "before": .text("Its type when it was recorded.").orNull,
          "after": .text("Its type now.").orNull,
        ]), "One for each field."),
    ])

  static let recordingAccept = OutputSchema(
    "bitpal.recording_accept/1", "That bodies which were changed by hand count now.",
    [
      "recording": .text("As it was named."),
      "accepted": .list(
        .object([
          "file": .text("Below the recording's folder."),
          "entries": .list(.count("The number of an entry.", from: 1), "Those that it answers."),
          "readable": .flag("False when it is called .json and is no JSON."),
        ]), "One for each body."),
    ])
}
