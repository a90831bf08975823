import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalOutput
import BitpalPortfolio

/// The `bitpal imports list` command, which lists the known formats of CSV files.
struct ImportsListCommand: Command {
  static let name = "imports list"
  static let spec = CommandSpec(
    name, "the imports and their headers",
    details: [
      "\"portfolio import FILE\" recognizes a file by its header. Import files are searched in the folder imports beside the "
        + "settings, in $XDG_DATA_HOME/bitpal/imports and where they were installed. One that cannot be read is named on stderr."
    ],
    examples: [
      .init("imports list", "one line for each header"),
      .init("imports list --format json", "the same for a program"),
    ])

  init(_ arguments: Invocation.Arguments) {}

  func run(_ session: Session) throws -> ExitStatus {
    let listings = ImportCatalog(settings: try session.settings()).list()
    try session.show(ImportsView(listings.compactMap { try? $0.outcome.get() }))
    var status = ExitStatus.answered
    for case .failure(let problem) in listings.map(\.outcome) {
      session.console.failure(problem)
      status = .configuration
    }
    return status
  }
}

/// The `bitpal imports check NAME` command, which runs the examples of an import file.
struct ImportsCheckCommand: Command {
  static let name = "imports check"
  static let spec = CommandSpec(
    name, "read an import file and run its examples, offline", operands: .one("NAME"),
    details: [
      "Every fault of the file is named with its line and column, those of its SELECT too. Each example's rows are read as "
        + "\"portfolio import\" would read them, and what comes out is compared. Exit status 3 when anything is wrong, 1 when the "
        + "file has no examples, so that nothing was checked."
    ],
    examples: [.init("imports check koinly", "a line for each example")])

  private let name: String

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    name = try arguments.onlyOperand("NAME")
  }

  func run(_ session: Session) throws -> ExitStatus {
    let specification = try ImportCatalog(settings: try session.settings()).specification(for: name)
    let open = try Self.openPoints(of: specification)
    guard open.isEmpty else { throw BitpalError.configuration(open) }
    let view = ImportCheckView(specification, try ImportCheck(specification).run())
    try session.show(view)
    guard view.isGood else { return .configuration }
    return specification.examples.isEmpty ? .partlyAnswered : .answered
  }
}

extension ImportsCheckCommand {
  /// Returns each line of an import file that is still to be filled in; one inside the program has none.
  private static func openPoints(of specification: ImportSpecification) throws -> [ConfigurationIssue] {
    guard let file = specification.file, let text = try? BoundedFile(file, limit: 1 << 20).bytes else { return [] }
    return String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .filter { $0.element.contains("'\(Outline.toDo)'") }
      .map { index, line in
        ConfigurationIssue(
          file: file, line: index + 1, message: "the file says \(Outline.toDo); fill it in, see docs/imports.md",
          excerpt: String(line))
      }
  }
}

/// The known imports, with one row per header.
struct ImportsView: View {
  let output: ImportsOutput
  private let imports: [ImportSpecification]

  init(_ imports: [ImportSpecification]) {
    output = ImportsOutput(imports)
    self.imports = imports
  }

  func table(style: Style) -> String {
    var table = TextTable([
      .init("ID"), .init("NAME", widest: 32, narrowest: 12, drops: 2),
      .init("HEADER", widest: 400, narrowest: 24, drops: 3),
      .init("FILE", widest: 400, narrowest: 16, drops: 1),
    ])
    table.add([
      .init(ImportRecognition.ownID), "bitpal", .init(ImportRecognition.ownHeader.joined(separator: ",")),
      .init("built in", .quiet),
    ])
    for specification in imports {
      for header in specification.headers {
        table.add([
          .init(specification.id), .init(specification.name), .init(header.joined(separator: ",")),
          .init(specification.file ?? "", .quiet),
        ])
      }
    }
    return table.text(style: style)
  }
}

/// The results of the examples of an import.
struct ImportCheckView: View {
  let output: ImportCheckOutput
  private let id: String

  init(_ specification: ImportSpecification, _ outcomes: [ImportCheck.Outcome]) {
    output = ImportCheckOutput(specification, outcomes)
    id = specification.id
  }

  /// Whether every example gave the result that it states.
  var isGood: Bool { output.outcomes.allSatisfy { $0.problem == nil } }

  func table(style: Style) -> String {
    let text = "\(id): the file is in order\n"
    guard !output.outcomes.isEmpty else {
      return text + "nothing was checked: it has no examples; see docs/imports.md\n"
    }
    var table = TextTable([
      .init(""), .init("EXAMPLE", widest: 200, narrowest: 12), .init("", widest: 200, wraps: true),
    ])
    for outcome in output.outcomes {
      let result =
        outcome.faults > 0
        ? "\(outcome.faults) fault\(outcome.faults == 1 ? "" : "s"), as it should"
        : "\(outcome.transactions) transaction\(outcome.transactions == 1 ? "" : "s")"
      table.add([
        outcome.problem == nil ? "ok" : "FAILED", .init(outcome.place, .quiet), .init(outcome.problem ?? result),
      ])
    }
    return text + table.text(style: style)
  }
}
