/// The problem of a value in one column of a row; other rows may be valid.
package enum ColumnProblem: Error, Hashable, Sendable {
  /// A number that was converted to a `double` and may have lost digits.
  case floatingPoint(column: String, value: String)

  /// JSON text where a plain text is expected.
  case jsonText(column: String, value: String)

  /// A value of another type than expected, or one that does not fit.
  case wrong(column: String, expected: String, found: String)

  /// The message of an SQL function of ours that could not handle its argument.
  case failed(String)
}

extension ColumnProblem: CustomStringConvertible {
  /// The problem as one clause, with advice for the author of a provider file.
  package var description: String {
    switch self {
    case .floatingPoint(let column, let value):
      "\(column) came as the floating-point number \(value), which may have lost digits; write -> instead of ->>"
    case .jsonText(let column, let value):
      "\(column) came as the JSON text \(value); write ->> instead of ->"
    case .wrong(let column, let expected, let found):
      "\(column) should be \(expected), but it is \(found)"
    case .failed(let message):
      message
    }
  }
}
