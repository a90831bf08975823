extension CommandSpec {
  /// What completes an operand, and whether it completes all after it as well.
  struct CompletedOperand: Equatable, Sendable {
    let word: String
    let source: CompletionSource
    let isRepeated: Bool
  }

  /// What completes the operands, in their order.
  ///
  /// Where a command line of its own stands among them, nothing is: `record` takes a new name, or a folder's, before one.
  var completedOperands: [CompletedOperand] {
    guard let words = operandWord, !words.contains("--") else { return [] }
    return words.split { " []".contains($0) }.map { word in
      let isRepeated = word.hasSuffix("…")
      let word = String(isRepeated ? word.dropLast() : word)
      return CompletedOperand(word: word, source: CompletionSource(operand: word), isRepeated: isRepeated)
    }
  }
}
