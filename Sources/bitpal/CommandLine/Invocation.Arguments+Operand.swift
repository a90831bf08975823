import BitpalModel

extension Invocation.Arguments {
  /// The one operand of a command that takes exactly one, which the parser has seen to.
  func onlyOperand(_ word: String) throws(BitpalError) -> String {
    guard let operand = operands.first else { throw .usage("a \(word) is missing") }
    return operand
  }
}
