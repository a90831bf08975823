import BitpalJSON
package import BitpalReplay

/// The shape `bitpal.recording_check/1`: the changes in the shape of a source's answers since they were recorded.
package struct RecordingCheckOutput: FieldShape {
  package let comparison: ShapeComparison

  /// The recording, as the user named it.
  package let name: String

  package init(_ comparison: ShapeComparison, name: String) {
    self.comparison = comparison
    self.name = name
  }

  package static let shape = Shape<Self>(
    "bitpal.recording_check/1", "The changes in the shape of a source's answers since they were recorded.",
    [
      Field("recording", .text("As it was named.")) { $0.name },
      Field("compared", .count("The number of answers that were compared.")) { $0.comparison.compared },
      Field("unasked", .list(.count("The number of an entry.", from: 1), "Those that were not asked again.")) {
        $0.comparison.unasked
      },
      .list("changes", "One for each field.", rowFields) { $0.rowSubjects },
    ])

  package static let rowFields: Fields<ShapeComparison.Change> = [
    Field("entry", .count("The number of the entry.", from: 1)) { $0.entry },
    Field("change", .word(["gone", "retyped", "added"], "The kind of change.")) { $0.kind.rawValue },
    Field("field", .text("The path in the answer.")) { $0.field },
    Field("before", .text("Its type when it was recorded.")) { $0.before },
    Field("after", .text("Its type now.")) { $0.after },
  ]

  /// The rows, one for each change.
  package var rowSubjects: [ShapeComparison.Change] { comparison.changes }
}
