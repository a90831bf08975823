/// What is wrong with a value that a body has in some column; the other rows may be right.
package enum ColumnProblem: Error, Hashable, Sendable {
  /// A number that went through a `double` and has lost digits.
  case floatingPoint(column: String, value: String)

  /// JSON text where the text itself is wanted.
  case jsonText(column: String, value: String)

  /// A value of another type than wanted, or one that does not fit.
  case wrong(column: String, expected: String, found: String)

  /// A function of ours could not work with what it was given; its words.
  case failed(String)
}

extension ColumnProblem: CustomStringConvertible {
  /// One clause; what the author of a provider file should write instead is said too.
  package var description: String {
    switch self {
    case .floatingPoint(let column, let value):
      "\(column) came as the floating-point number \(value), which may have lost digits; write -> instead of ->>"
    case .jsonText(let column, let value):
      "\(column) came as the JSON text \(value); write ->> instead of ->"
    case .wrong(let column, let expected, let found):
      "\(column) should be \(expected), but it is \(found)"
    case .failed(let words):
      words
    }
  }
}
