import BitpalModel
import BitpalProviders

/// What a sample was found to be an answer to, and where its columns are.
struct GuessedOperation: Sendable {
  /// How the rows are got at.
  enum Rows: Sendable {
    /// The whole body is one row.
    case body

    /// The elements at a path, as the file writes it.
    case each(String)

    /// The elements of the elements at a path: the key between is the source's own name of a pair.
    case nested(outer: String, inner: String)

    /// The elements of a list of times, and those with the same number in the lists of the other columns.
    case parallel(String)

    /// The elements at a path of which an expression holds.
    case filtered(String, condition: String)
  }

  let capability: Capability
  let rows: Rows
  let columns: [GuessedColumn]
  var time: DeclaredOperation.TimeFormat?

  /// The width of candles, the spacing of a line.
  var width: Duration?

  /// Where the table of the rows stands; nil when the body is one row.
  var container: SamplePath?

  /// The lists that stand side by side, where the rows are made of such.
  var lists: [SamplePath] = []

  /// What else a column may be that is not certain, the likeliest first.
  var candidates: [GuessedColumn] = []

  /// So many of them are worth looking at.
  static let candidatesShown = 5

  /// What must come out of the sample: a row's cells by column.
  let expected: [[String: String]]
}

/// Where a column was found in a sample, how surely, and why.
public struct GuessedColumn: Hashable, Sendable {
  /// The column, as provider files call it.
  public let field: String

  /// The path or expression.
  public let source: String

  /// How sure it is.
  public let confidence: Confidence

  /// What speaks for it.
  public let why: String
}

/// How sure a guess is.
public enum Confidence: String, CaseIterable, Sendable {
  /// Name and numbers say the same, or the name leaves no doubt.
  case certain

  /// One sign points there, none away.
  case likely

  /// Something had to be taken; look at it.
  case guess
}
