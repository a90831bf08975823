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
      "Looks at the header and the rows to find dates, coins and amounts, and states for each column how certain it is. What cannot be "
        + "known has a comment TODO in the file; it runs all the same. Its first rows become an example, readable for you alone: look "
        + "at what is in them before you pass the file on.",
      "The file goes to the folder imports beside the settings, otherwise to $XDG_DATA_HOME/bitpal/imports. Nothing is overwritten.",
    ],
    examples: [.init("imports new my-exchange export.csv", "guess, and say what to look at")])

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
    let guess = try ImportGuess(bytes, name: path == "-" ? "standard input" : path, id: name)
    let file = "\(folder)/\(name).yaml"
    try FileReplacement.create(file, with: Array(guess.text.utf8), access: .user)
    try session.renewTrust(in: settings, written: .init(file, after: Array(guess.text.utf8)))
    let shown = PathText.shown(file, from: session.environment.currentDirectory)
    // The settings are read again, because the catalog must contain the new file.
    let problem = problem(of: ImportCatalog(settings: try session.settings(isSilent: true)))
    let view = ImportNewView(ImportNewOutput(guess, id: name, file: shown, problem: problem))
    session.confirm(view, "wrote \(shown)")
    return view.output.problem == nil ? .answered : .configuration
  }

  /// Returns the first problem that the check of the new file finds; nil when there is none.
  private func problem(of catalog: ImportCatalog) -> String? {
    do {
      return try ImportCheck(try catalog.specification(for: name)).run().compactMap(\.problem).first
    } catch {
      return error.message
    }
  }
}

/// The guessed fields of a CSV file, with the certainty of each and the result of a first check.
struct ImportNewView: View {
  let output: ImportNewOutput

  init(_ output: ImportNewOutput) {
    self.output = output
  }

  func table(style: Style) -> String {
    var text = "wrote \(output.file)\n"
    var table = TextTable([
      .init("FIELD"), .init("COLUMN", widest: 80, narrowest: 16), .init("SURE"), .init("WHY", widest: 200, wraps: true),
    ])
    for field in output.guess.fields {
      table.add([.init(field.name), .init(field.source), .init(field.sure), .init(field.why, .quiet)])
    }
    text += table.text(style: style)
    for note in output.guess.notes { text += "look at it: \(note)\n" }
    if let problem = output.problem { return text + "it does not run yet: \(problem)\n" }
    guard output.guess.hasExample else { return text + "it runs; look at what says TODO in it\n" }
    return text
      + "it runs; its example is made by the guess itself, so compare the rows with the file: bitpal portfolio import FILE --dry-run\n"
  }
}
