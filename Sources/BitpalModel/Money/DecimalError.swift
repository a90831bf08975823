/// Why a text is not a usable number, or a calculation has no usable result.
public enum DecimalError: Error, Equatable, Sendable {
  /// The text is not one whole JSON number (`1abc`, `1,5`, `.5`, `NaN`, empty).
  case malformed(String)

  /// The value needs more than the 38 significant digits or the exponents −128 to 127 that a `Decimal` holds.
  case outOfRange(String)

  /// The divisor is zero.
  case divisionByZero
}

extension DecimalError: CustomStringConvertible {
  /// One sentence that says what is wrong and what would be right.
  public var description: String {
    switch self {
    case .malformed(let text):
      "\"\(text.printable(limit: 40))\" is not a number (write it like 1234.56, without separators or signs other than -)"
    case .outOfRange(let text):
      "\"\(text.printable(limit: 48))\" does not fit: a number holds at most 38 significant digits"
    case .divisionByZero:
      "division by zero"
    }
  }
}
