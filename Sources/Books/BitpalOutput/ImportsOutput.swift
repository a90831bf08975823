package import BitpalJSON
package import BitpalModel
package import BitpalPortfolio
import FoundationEssentials

/// The shape `bitpal.imports/1`: the kinds of CSV files that can be read.
package struct ImportsOutput: FieldShape {
  private let imports: [ImportSpecification]

  package init(_ imports: [ImportSpecification]) {
    self.imports = imports
  }

  package static let shape = Shape<Self>(
    "bitpal.imports/1", "Whose CSV files can be read.",
    [.list("imports", "One for each header that an import knows.", rowFields) { $0.rowSubjects }])

  /// A header that an import knows; bitpal's own files have no specification.
  package typealias Row = (specification: ImportSpecification?, header: [String])

  package static let rowFields: Fields<Row> = [
    Field("id", .text("The id by which it is chosen.")) { $0.specification?.id ?? ImportRecognition.ownID },
    Field("name", .text("The exchange or program that writes such files.")) { $0.specification?.name ?? "bitpal" },
    Field("website", .text("The address at which such a file can be downloaded.")) { $0.specification?.website },
    Field("header", .list(.text("A column."), "The columns that such a file has, in any order.")) { $0.header },
    Field("optional", .list(.text("A column."), "Optional columns that are read where they exist.")) {
      $0.specification?.optional ?? ImportRecognition.ownOptional
    },
    Field("delimiter", .text("The delimiter of fields; null for the one that makes the header.").orNull) { row in
      row.specification.map { $0.delimiter.map { String(UnicodeScalar($0)) } } ?? ","
    },
    Field("dates", .text("The notation of dates; null where the user may have to state it.")) { row in
      row.specification.map(\.dates.description) ?? DateOrder.ymd.rawValue
    },
    Field("decimal", .word(DecimalMark.allCases.map(\.rawValue), "The decimal mark; null where a comma is a fault.")) {
      row in row.specification.map(\.decimal?.rawValue) ?? DecimalMark.point.rawValue
    },
    Field("examples", .count("The number of examples of its file.")) { $0.specification?.examples.count ?? 0 },
    Field("file", .text("The file that describes it; null for a built-in one.")) { $0.specification?.file },
  ]

  package var rowSubjects: [Row] {
    [(nil, ImportRecognition.ownHeader)]
      + imports.flatMap { specification in specification.headers.map { (specification, $0) } }
  }
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
package struct ImportPlanOutput: FieldShape {
  /// The transactions that are added.
  package let transactions: TransactionsOutput

  /// The number of the file's transactions that are already in the portfolio.
  package let known: Int

  /// The rows of the file that are not transactions of coins.
  package let skippedRows: [SkippedRow]

  /// The change of each coin and currency, by the file and by the import.
  package let sums: [ImportProof.Sum]
  private let file: String
  private let importID: String
  private let count: Int

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - file: The file, as the user named it.
  ///   - importID: The id of the import that read the file.
  ///   - rows: The number of rows of the file.
  ///   - sums: The change of each coin and currency that was proven.
  package init(
    file: String, importID: String, rows: Int, adding transactions: TransactionsOutput, known: Int,
    skippedRows: [SkippedRow], sums: [ImportProof.Sum]
  ) {
    self.file = file
    self.importID = importID
    self.count = rows
    self.transactions = transactions
    self.known = known
    self.skippedRows = skippedRows
    self.sums = sums
  }

  package static let shape = Shape<Self>(
    "bitpal.import_plan/1", "The plan of an import.",
    [
      Field("file", .text("The file, as it was named.")) { $0.file },
      Field("import", .text("The id of the import that read it.")) { $0.importID },
      Field("rows", .count("The number of rows of the file.")) { $0.count },
      Field("known", .count("The number of its transactions that are there already.")) { $0.known },
      .list(
        "left_out", "Rows that are not transactions of coins.",
        [
          Field("reason", .text("The reason, in a few words.")) { $0.reason },
          Field("rows", .count("The number of rows.")) { $0.rows },
        ]
      ) { $0.skippedRows },
      .list(
        "proof", "The change of each coin and currency; empty for an import that does not declare movements.",
        [
          Field("unit", .text("The coin or currency, as the file calls it.")) { $0.unit },
          Field("stated", .decimal("The change that the rows of the file state.")) { $0.stated },
          Field("recorded", .decimal("The change that is recorded or left out.")) { $0.recorded },
        ]
      ) { $0.sums },
    ] + TransactionsOutput.shape.fields.of(\.transactions))

  package var columns: [String] { transactions.columns }
  package var rows: [JSONObject] { transactions.rows }
}

/// The shape `bitpal.import_check/1`: the results of the examples of an import.
package struct ImportCheckOutput: FieldShape {
  package let outcomes: [ImportCheck.Outcome]
  private let importID: String
  private let file: String?

  package init(_ specification: ImportSpecification, _ outcomes: [ImportCheck.Outcome]) {
    importID = specification.id
    file = specification.file
    self.outcomes = outcomes
  }

  package static let shape = Shape<Self>(
    "bitpal.import_check/1", "The results of the examples of an import.",
    [
      Field("import", .text("The import.")) { $0.importID },
      Field("file", .text("The file that describes it.")) { $0.file },
      .list("examples", "One for each example.", rowFields) { $0.outcomes },
    ])

  package static let rowFields: Fields<ImportCheck.Outcome> = [
    Field("example", .text("Its place.")) { $0.place },
    Field("transactions", .count("The number of results.")) { $0.transactions },
    Field("faults", .count("The number of reported faults.")) { $0.faults },
    Field("ok", .flag("Whether it came out as it says.")) { $0.problem == nil },
    Field("problem", .text("The reason why it did not.")) { $0.problem },
  ]

  package var rowSubjects: [ImportCheck.Outcome] { outcomes }
}
