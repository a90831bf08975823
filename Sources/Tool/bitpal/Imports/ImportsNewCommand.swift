import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalPortfolio

/// The `bitpal imports new NAME FILE` command, which writes an import file from a CSV file.
struct ImportsNewCommand: Command {
  static let name = "imports new"
  static let spec = CommandSpec(
    name, "write an import file from one CSV file", operands: .exactly(["NAME", "FILE"]),
    details: [
      "The file is an outline: the columns with sample values, the certain fields, and a TODO for each other field. A "
        + "field is certain if amount × price is the total in every row, if every value has one meaning, or by its "
        + "usual name alone. A file with a TODO imports nothing.",
      "The file is written to the folder imports beside the settings, otherwise to $XDG_DATA_HOME/bitpal/imports, and "
        + "is readable only by you. Existing files are not overwritten.",
    ],
    examples: [.init("imports new my-exchange export.csv", "the outline of an import for such files")])

  private let name: String
  private let path: String

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    guard arguments.operands.count == 2 else { throw .usage("imports new needs a NAME and a FILE") }
    name = arguments.operands[0]
    path = arguments.operands[1]
  }

  func run(_ session: Session) throws -> ExitStatus {
    try session.console.checkOutput()
    let settings = try session.settings()
    let catalog = ImportCatalog(settings: settings)
    try catalog.checkNew(id: name)
    let file = try session.newFile(name, in: settings.importsDirForNew)
    let bytes = try BoundedFile.input(path, limit: ImportRecognition.largestFile)
    let outline = try ImportOutline(bytes, name: path == "-" ? "standard input" : path, id: name).outline
    session.confirm(OutlineView(output: try session.write(outline, id: name, to: file, settings)))
    return .answered
  }
}
