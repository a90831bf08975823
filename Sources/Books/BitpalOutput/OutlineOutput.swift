package import BitpalModel
import FoundationEssentials

/// The shape `bitpal.outline/1`: the fields of a new file that are beyond doubt, and what a person has to decide.
package struct OutlineOutput: FieldShape {
  package let outline: Outline

  /// The path of the new file, in the form in which a user would type it.
  package let file: String
  private let id: String

  package init(_ outline: Outline, id: String, file: String) {
    self.outline = outline
    self.id = id
    self.file = file
  }

  package static let shape = Shape<Self>(
    "bitpal.outline/1", "The outline of a provider file or an import file.",
    [
      Field("id", .text("The id of the new provider or import.")) { $0.id },
      Field("file", .text("The file that describes it.")) { $0.file },
      .list("fields", "The fields that are beyond doubt.", rowFields) { $0.rowSubjects },
      Field("todo", .list(.text("A sentence."), "The points that a person has to decide.")) { $0.outline.points },
    ])

  package static let rowFields: Fields<Outline.Field> = [
    Field("field", .text("The name of the field in the file.")) { $0.name },
    Field("source", .text("The column or the path.")) { $0.source },
    Field("why", .text("The reason.")) { $0.why },
  ]

  package var rowSubjects: [Outline.Field] { outline.fields }
}
