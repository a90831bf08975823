import BitpalConfig
import BitpalFiles
import BitpalImport
import BitpalModel
import BitpalOutput

/// The `bitpal imports new NAME FILE` command, which writes an import file from a CSV file.
struct ImportsNewCommand: Command {
  static let name = "imports new"
  static let spec = CommandSpec(
    name, "write an import file from one CSV file", operands: .exactly(["NAME", "FILE"]),
    details: [
      "Writes an outline: the columns with sample values, the fields that are beyond doubt, and a TODO for each other. A field is beyond "
        + "doubt when amount × price is the total in every row, when every value has one meaning, or by its usual name alone. A file "
        + "with a TODO imports nothing.",
      "The file goes to the folder imports beside the settings, otherwise to $XDG_DATA_HOME/bitpal/imports, readable for you alone. "
        + "Nothing is overwritten.",
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
    guard let folder = settings.importsDirForNew else {
      throw BitpalError.dataFile(path: "\(name).yaml", reason: "there is no place for it: HOME is not set")
    }
    let bytes = try BoundedFile.input(path, limit: ImportRecognition.largestFile)
    let outline = try ImportOutline(bytes, name: path == "-" ? "standard input" : path, id: name)
    let file = "\(folder)/\(name).yaml"
    try FileReplacement.create(file, with: Array(outline.text.utf8), access: .user)
    try session.renewTrust(in: settings, written: .init(file, after: Array(outline.text.utf8)))
    let shown = PathText.shown(file, from: session.environment.currentDirectory)
    session.confirm(ImportNewView(output: ImportNewOutput(outline, id: name, file: shown)), "wrote \(shown)")
    return .answered
  }
}

/// The fields of a CSV file that are beyond doubt, and what is to do.
struct ImportNewView: View {
  let output: ImportNewOutput

  func table(style: Style) -> String {
    var text = "wrote \(output.file)\n"
    var table = TextTable([
      .init("FIELD"), .init("COLUMN", widest: 80, narrowest: 16), .init("BECAUSE", widest: 200, wraps: true),
    ])
    for field in output.outline.fields {
      table.add([.init(field.name), .init(field.source), .init(field.why, .quiet)])
    }
    text += table.text(style: style)
    for item in output.outline.toDo { text += "TODO \(item.printable())\n" }
    return text
  }
}
