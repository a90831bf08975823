extension CommandSpec {
  /// What completes an operand, and whether it completes all after it as well.
  struct CompletedOperand: Equatable, Sendable {
    let word: String
    let source: CompletionSource
    let isRepeated: Bool
  }

  /// What completes the operands, in their order.
  ///
  /// The name of a recording is a new one or a folder's, so nothing after `record` is completed.
  var completedOperands: [CompletedOperand] {
    guard let words = operandWord, name != .record else { return [] }
    return words.split { " []".contains($0) }.map { word in
      let isRepeated = word.hasSuffix("…")
      let word = String(isRepeated ? word.dropLast() : word)
      return CompletedOperand(word: word, source: CompletionSource(operand: word), isRepeated: isRepeated)
    }
  }
}
