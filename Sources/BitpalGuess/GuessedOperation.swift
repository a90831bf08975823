import BitpalModel
import BitpalProviders

/// The operation that a sample answers, and the paths of its columns.
struct GuessedOperation: Sendable {
  /// The way to the rows of the sample.
  enum Rows: Sendable {
    /// The whole body is one row.
    case body

    /// The elements at a path, as the file writes it.
    case each(String)

    /// The elements of the elements at a path; the key between them is the source's own name of a trading pair.
    case nested(outer: String, inner: String)

    /// The elements at a path for which an SQL condition holds.
    case filtered(String, condition: String)
  }

  let capability: Capability
  let rows: Rows
  let columns: [GuessedColumn]
  var time: DeclaredOperation.TimeFormat?

  /// The width of candles, or the spacing of a line; nil for quotes and for a single row.
  var width: Duration?

  /// The path of the table of rows; nil when the body is one row.
  var container: SamplePath?

  /// The alternatives for an uncertain column, the most likely first.
  var candidates: [GuessedColumn] = []

  /// The most alternatives that are shown.
  static let candidatesShown = 5

  /// The rows that the sample must give: cells by column.
  let expected: [[String: String]]
}

/// A column found in a sample, with its confidence and the reason.
package struct GuessedColumn: Hashable, Sendable {
  /// The name of the column in provider files.
  package let field: String

  /// The path or SQL expression of the column.
  package let source: String

  /// The confidence of the guess.
  package let confidence: Confidence

  /// The reason for the guess, as a clause.
  package let why: String
}

/// The confidence of a guess.
package enum Confidence: String, CaseIterable, Sendable {
  /// Name and numbers agree, or the name leaves no doubt.
  case certain

  /// One sign supports the guess, none contradicts it.
  case likely

  /// No sign decides; the user should check it.
  case guess
}
