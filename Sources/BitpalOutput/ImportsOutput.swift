package import BitpalImport
package import BitpalJSON
package import BitpalModel
import FoundationEssentials

/// The shape `bitpal.imports/1`: the kinds of CSV files that can be read.
package struct ImportsOutput: OutputShape {
  /// The row of bitpal's own files.
  private let own: JSONObject
  private let imports: [ImportSpecification]

  package init(_ imports: [ImportSpecification]) {
    self.imports = imports
    own = [
      "id": .string(ImportRecognition.ownID), "name": .string("bitpal"), "website": .null,
      "header": Self.list(ImportRecognition.ownHeader), "optional": Self.list(ImportRecognition.ownOptional),
      "delimiter": .string(","), "dates": .string(DateOrder.ymd.rawValue),
      "decimal": .string(DecimalMark.point.rawValue),
      "examples": .integer(0), "file": .null,
    ]
  }

  package let schema = OutputSchema.imports

  package var columns: [String] {
    ["id", "name", "website", "header", "optional", "delimiter", "dates", "decimal", "examples", "file"]
  }

  /// The rows, one for each header that an import knows.
  package var rows: [JSONObject] {
    [own]
      + imports.flatMap { specification in
        specification.headers.map { header in
          [
            "id": .string(specification.id), "name": .string(specification.name),
            "website": JSONValue(specification.website), "header": Self.list(header),
            "optional": Self.list(specification.optional),
            "delimiter": JSONValue(specification.delimiter.map { String(UnicodeScalar($0)) }),
            "dates": JSONValue(specification.dates.description), "decimal": JSONValue(specification.decimal?.rawValue),
            "examples": .integer(specification.examples.count), "file": JSONValue(specification.file),
          ]
        }
      }
  }

  package var members: JSONObject { ["imports": rowsValue] }

  private static func list(_ names: [String]) -> JSONValue { .array(names.map(JSONValue.string)) }
}

extension ImportDates {
  /// The order or the patterns of dates; nil for dates whose order the user has to state.
  fileprivate var description: String? {
    switch self {
    case .numbers(let order): order?.rawValue
    case .patterns(let patterns): patterns.map(\.text).joined(separator: ", ")
    }
  }
}

/// The shape `bitpal.import_plan/1`: the effect of an import, before it is carried out or after.
package struct ImportPlanOutput: OutputShape {
  /// The transactions that are added.
  package let transactions: TransactionsOutput

  /// The number of the file's transactions that are already in the portfolio.
  package let known: Int

  /// The rows of the file that are not transactions of coins.
  package let skippedRows: [SkippedRow]
  private let file: String
  private let importID: String
  private let count: Int

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - file: The file, as the user named it.
  ///   - importID: The id of the import that read the file.
  ///   - rows: The number of rows of the file.
  package init(
    file: String, importID: String, rows: Int, adding transactions: TransactionsOutput, known: Int,
    skippedRows: [SkippedRow]
  ) {
    self.file = file
    self.importID = importID
    self.count = rows
    self.transactions = transactions
    self.known = known
    self.skippedRows = skippedRows
  }

  package let schema = OutputSchema.importPlan

  package var columns: [String] { transactions.columns }

  package var rows: [JSONObject] { transactions.rows }

  package var members: JSONObject {
    ["file": .string(file), "import": .string(importID), "rows": .integer(count), "known": .integer(known)]
      + ["left_out": .array(skippedRows.map { ["reason": .string($0.reason), "rows": .integer($0.rows)] })]
      + transactions.members
  }
}

/// The shape `bitpal.import_check/1`: the results of the examples of an import.
package struct ImportCheckOutput: OutputShape {
  package let outcomes: [ImportCheck.Outcome]
  private let importID: String
  private let file: String?

  package init(_ specification: ImportSpecification, _ outcomes: [ImportCheck.Outcome]) {
    importID = specification.id
    file = specification.file
    self.outcomes = outcomes
  }

  package let schema = OutputSchema.importCheck

  package var columns: [String] { ["example", "transactions", "faults", "ok", "problem"] }

  package var rows: [JSONObject] {
    outcomes.map { outcome in
      [
        "example": .string(outcome.place), "transactions": .integer(outcome.transactions),
        "faults": .integer(outcome.faults), "ok": .bool(outcome.problem == nil), "problem": JSONValue(outcome.problem),
      ]
    }
  }

  package var members: JSONObject {
    ["import": .string(importID), "file": JSONValue(file), "examples": rowsValue]
  }
}

/// The shape `bitpal.import_new/1`: the fields found in a file, with the certainty of each, and the result of a first
/// check.
package struct ImportNewOutput: OutputShape {
  package let guess: ImportGuess

  /// The path of the new file, in the form in which a user would type it.
  package let file: String

  /// The problem of the new file; nil when its check passes.
  package let problem: String?
  private let id: String

  package init(_ guess: ImportGuess, id: String, file: String, problem: String?) {
    self.guess = guess
    self.id = id
    self.file = file
    self.problem = problem
  }

  package let schema = OutputSchema.importNew

  package var columns: [String] { ["field", "source", "sure", "why"] }

  package var rows: [JSONObject] {
    guess.fields.map {
      ["field": .string($0.name), "source": .string($0.source), "sure": .string($0.sure), "why": .string($0.why)]
    }
  }

  package var members: JSONObject {
    [
      "import": .string(id), "file": .string(file), "fields": rowsValue,
      "notes": .array(guess.notes.map(JSONValue.string)), "ok": .bool(problem == nil), "problem": JSONValue(problem),
    ]
  }
}

extension OutputSchema {
  static let imports = OutputSchema(
    "bitpal.imports/1", "Whose CSV files can be read.",
    [
      "imports": .list(
        .object([
          "id": .text("The id by which it is chosen."),
          "name": .text("The exchange or program that writes such files."),
          "website": .text("The address at which such a file can be downloaded.").orNull,
          "header": .list(.text("A column."), "The columns that such a file has, in any order."),
          "optional": .list(.text("A column."), "Optional columns that are read where they exist."),
          "delimiter": .text("The delimiter of fields; null for the one that makes the header.").orNull,
          "dates": .text("The notation of dates; null where the user may have to state it.").orNull,
          "decimal": .word(
            DecimalMark.allCases.map(\.rawValue), "The decimal mark; null where a comma is a fault."
          ).orNull,
          "examples": .count("The number of examples of its file."),
          "file": .text("The file that describes it; null for a built-in one.").orNull,
        ]), "One for each header that an import knows.")
    ])

  static let importPlan = OutputSchema(
    "bitpal.import_plan/1", "The plan of an import.",
    [
      "file": .text("The file, as it was named."), "import": .text("The id of the import that read it."),
      "rows": .count("The number of rows of the file."),
      "known": .count("The number of its transactions that are there already."),
      "left_out": .list(
        .object(["reason": .text("The reason, in a few words."), "rows": .count("The number of rows.")]),
        "Rows that are no transactions of coins."),
    ] + OutputSchema.transactionMembers)

  static let importCheck = OutputSchema(
    "bitpal.import_check/1", "The results of the examples of an import.",
    [
      "import": .text("The import."), "file": .text("The file that describes it.").orNull,
      "examples": .list(
        .object([
          "example": .text("Its place."), "transactions": .count("The number of results."),
          "faults": .count("The number of reported faults."), "ok": .flag("Whether it came out as it says."),
          "problem": .text("The reason why it did not.").orNull,
        ]), "One for each example."),
    ])

  static let importNew = OutputSchema(
    "bitpal.import_new/1", "The import file that was guessed from a CSV file, and its check.",
    [
      "import": .text("The id of the new import."), "file": .text("The file that describes it."),
      "fields": .list(
        .object([
          "field": .text("Our name of the column."), "source": .text("The column of the file."),
          "sure": .word(["certain", "likely", "guess"], "The confidence."), "why": .text("The reason."),
        ]), "The columns that were found."),
      "notes": .list(.text("A sentence."), "The points that a person should check."),
      "ok": .flag("Whether its example comes out."), "problem": .text("The reason why not.").orNull,
    ])
}
