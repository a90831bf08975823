/// The description of the CSV files of one exchange or tracker: the header by which they are recognized, and a SELECT
/// that makes transactions of their rows.
package struct ImportSpecification: Hashable, Sendable {
  /// The id by which it is chosen; the name of its file.
  package let id: String

  /// The name of the exchange or program that writes such files.
  package var name: String

  /// The address at which such a file can be downloaded; nil where it is unknown.
  package var website: String?

  /// The columns by which a file is recognized, one list per generation of the format; in any order and any case.
  package var headers: [[String]] = []

  /// Columns by which a file of the same kind in another language is recognized, which is refused; one list per language.
  package var translations: [[String]] = []

  /// The way to export such a file in English, as a phrase for messages; nil where ``translations`` is empty.
  package var english: String?

  /// Optional columns that the SELECT reads where they exist.
  package var optional: [String] = []

  /// The column with an id of its own for each transaction; rows that are equal to each other with one are the same row.
  package var unique: String?

  /// The currencies that are traded as money although a coin has their code as its ticker; in capitals.
  package var money: Set<String> = []

  /// The delimiter of fields; nil for whichever of comma, semicolon and tab gives the header.
  package var delimiter: UInt8?

  /// The largest number of lines before the header.
  package var skip = ImportSpecification.usualSkip

  /// The SELECT from rows of the file to transactions.
  package var select: DeclaredText

  /// The SELECT from rows of the file to the changes of coins and money that they state; nil if none is declared.
  package var movements: DeclaredText?

  /// The notation of dates.
  package var dates: ImportDates = .numbers(nil)

  /// The time zone of times without an offset; nil when the exchange writes them in the zone of the account.
  package var zone: ClockZone?

  /// The decimal mark; nil when the file does not state it, and a comma is then a fault.
  package var decimal: DecimalMark?

  /// The examples: rows with their expected results.
  package var examples: [ImportExample] = []

  /// The file's absolute path; nil for a built-in import.
  package var file: String?

  /// Creates a specification without a header.
  package init(id: String, name: String, select: DeclaredText) {
    self.id = id
    self.name = name
    self.select = select
  }

  /// The default of ``skip``, more than any known export needs.
  package static let usualSkip = 20

  /// The delimiters that are tried if none is stated.
  package static let usualDelimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

  /// Every column that the SELECT may name; names that differ only in case appear once.
  package var columns: [String] {
    var seen: Set<String> = []
    return (headers.flatMap(\.self) + optional).filter { seen.insert($0.lowercased()).inserted }
  }
}

/// The notations of the dates of a file.
package enum ImportDates: Hashable, Sendable {
  /// Dates in numbers, with year, month and day in this order, or in the other where only that is possible; nil for an
  /// order that the file must show or the user must state.
  case numbers(DateOrder?)

  /// Dates in one of these patterns.
  case patterns([TimePattern])
}

/// The order of the parts of a date in numbers; a date that begins with four digits always has the order year, month,
/// day.
package enum DateOrder: String, CaseIterable, Sendable {
  case dmy
  case mdy
  case ymd

  /// The order as text.
  package var description: String {
    switch self {
    case .dmy: "day, month, year"
    case .mdy: "month, day, year"
    case .ymd: "year, month, day"
    }
  }
}

/// The mark before the decimals of a number; the other of the two may separate thousands.
package enum DecimalMark: String, CaseIterable, Sendable {
  case point
  case comma

  /// The marks of numbers with this decimal mark.
  package var marks: NumberMarks { NumberMarks(self) }
}

/// The rule for transactions whose value a file does not state.
package enum MissingValuePolicy: String, CaseIterable, Sendable {
  /// Each transaction gets the close of its day.
  case close

  /// Each transaction gets the value zero, so that received coins have no cost.
  case zero

  /// The transactions are left out.
  case skip
}

/// An example of an import: some rows and their expected result.
package struct ImportExample: Hashable, Sendable {
  /// The expected result of the rows.
  package enum Expectation: Hashable, Sendable {
    /// These transactions; only the given columns are compared.
    case rows([[String: String]])

    /// These faults; each text is a part of a message.
    case faults([String])
  }

  /// The file.
  package var csv: String

  /// The currency of the portfolio.
  package var currency: String

  /// The value of `--dates`.
  package var dates: DateOrder?

  /// The value of `--decimal`.
  package var decimal: DecimalMark?

  /// The value of `--value`.
  package var value: MissingValuePolicy?

  /// The expected result.
  package var expectation: Expectation

  /// The place of the example in the file.
  package var place: DeclaredText

  /// The columns of a transaction that may be compared.
  package static let columns = [
    "line", "date", "type", "coin", "amount", "price", "fee", "label", "currency", "notes", "group",
  ]

  /// Creates an example.
  package init(
    csv: String, currency: String, dates: DateOrder?, decimal: DecimalMark?, value: MissingValuePolicy?,
    expectation: Expectation, place: DeclaredText
  ) {
    self.csv = csv
    self.currency = currency
    self.dates = dates
    self.decimal = decimal
    self.value = value
    self.expectation = expectation
    self.place = place
  }
}
