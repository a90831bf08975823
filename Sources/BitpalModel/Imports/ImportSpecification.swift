/// How the CSV files of one exchange or tracker are read as transactions: the header they are known by, and a SELECT.
public struct ImportSpecification: Hashable, Sendable {
  /// By which it is chosen; the name of its file.
  public let id: String

  /// The name of whoever writes such files.
  public var name: String

  /// Where such a file is had; nil when nobody says.
  public var website: String?

  /// The columns that a file has which is meant, a list for each generation of it; in any order and any case.
  public var headers: [[String]] = []

  /// Columns that the SELECT reads besides, where they are there.
  public var optional: [String] = []

  /// What stands between fields; nil for whichever of comma, semicolon and tab makes the header.
  public var delimiter: UInt8?

  /// How many lines may stand before the header.
  public var skip = ImportSpecification.usualSkip

  /// From rows of the file to transactions.
  public var select: DeclaredText

  /// How dates are written.
  public var dates: ImportDates = .numbers(nil)

  /// What stands before the decimals; nil when the file does not say, and a comma is then a fault.
  public var decimal: DecimalMark?

  /// Rows and what must come of them.
  public var examples: [ImportExample] = []

  /// The file's absolute path; nil for what is built in.
  public var file: String?

  /// Creates one that reads nothing yet.
  public init(id: String, name: String, select: DeclaredText) {
    self.id = id
    self.name = name
    self.select = select
  }

  /// More lines than any known export has before its header.
  public static let usualSkip = 20

  /// What may stand between fields when nothing is said.
  package static let usualDelimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

  /// Every column that the SELECT may name, without regard to case each once.
  package var columns: [String] {
    var seen: Set<String> = []
    return (headers.flatMap(\.self) + optional).filter { seen.insert($0.lowercased()).inserted }
  }
}

/// How the dates of a file are written.
public enum ImportDates: Hashable, Sendable {
  /// In numbers: year, month and day in this order, or in the other where nothing else is possible; nil for one that the
  /// file has to show or the user to say.
  case numbers(DateOrder?)

  /// In one of these patterns.
  case patterns([TimePattern])
}

/// In which order a date in numbers has its parts; one that begins with four digits is always year, month, day.
public enum DateOrder: String, CaseIterable, Sendable {
  case dmy
  case mdy
  case ymd

  /// The order in words.
  package var words: String {
    switch self {
    case .dmy: "day, month, year"
    case .mdy: "month, day, year"
    case .ymd: "year, month, day"
    }
  }
}

/// What stands before the decimals of a number; the other of the two may part thousands.
public enum DecimalMark: String, CaseIterable, Sendable {
  case point
  case comma

  /// How numbers are written with it.
  package var marks: NumberMarks? { NumberMarks(example: self == .point ? "1,234.56" : "1.234,56") }
}

/// The rule for transactions whose value a file does not state.
public enum UnsaidValue: String, CaseIterable, Sendable {
  /// The close of their day.
  case close

  /// Nothing: what came in has no cost.
  case zero

  /// None: they are left out.
  case skip
}

/// Some rows in the format of an import, and what must come of them.
public struct ImportExample: Hashable, Sendable {
  /// What must come of the rows.
  public enum Expectation: Hashable, Sendable {
    /// These transactions, of which the columns that are given are compared.
    case rows([[String: String]])

    /// These faults: each is a part of what is said.
    case faults([String])
  }

  /// The file.
  public var csv: String

  /// The currency of the portfolio.
  public var currency: String

  /// What the user would say with `--dates`.
  public var dates: DateOrder?

  /// What the user would say with `--decimal`.
  public var decimal: DecimalMark?

  /// What the user would say with `--value`.
  public var value: UnsaidValue?

  /// What must come of it.
  public var expectation: Expectation

  /// Where it stands.
  public var place: DeclaredText

  /// The columns of a transaction that may be compared.
  package static let columns = [
    "line", "date", "type", "coin", "amount", "price", "fee", "label", "currency", "notes", "group",
  ]

  /// Creates an example.
  public init(
    csv: String, currency: String, dates: DateOrder?, decimal: DecimalMark?, value: UnsaidValue?,
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
