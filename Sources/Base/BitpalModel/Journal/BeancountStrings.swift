/// The state of Beancount's strings, which may span several lines.
package struct BeancountStrings {
  /// Whether a string is open after the lines that were read.
  package private(set) var isOpen = false

  /// Creates the state before the first line.
  package init() {}

  /// Reads a line on which a string may begin or end.
  package mutating func read(_ line: Substring.UTF8View) {
    guard isOpen || line.contains(UInt8(ascii: "\"")), isOpen || Self.mayHaveString(line) else { return }
    var isEscaped = false
    for byte in line {
      if isOpen, !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
        continue
      }
      if byte == UInt8(ascii: "\""), !isEscaped { isOpen.toggle() }
      if byte == UInt8(ascii: ";"), !isOpen { return }
      isEscaped = false
    }
  }

  /// Returns whether a line has the form of a directive of Beancount with a string in it.
  ///
  /// In a journal of ledger or hledger a quote is part of the description.
  private static func mayHaveString(_ line: Substring.UTF8View) -> Bool {
    let words = line.split(maxSplits: 2, omittingEmptySubsequences: true, whereSeparator: \.isBlank)
    guard words.count > 1, let first = words[0].first else { return false }
    func isString(_ word: Substring.UTF8View) -> Bool { word.first == UInt8(ascii: "\"") }
    if first.isDigit {
      let isDirective = directives.contains(String(Substring(words[1]))) && words.count == 3
      return words.count == 3 && isString(words[2]) || isDirective
    }
    if line.first?.isBlank == true {
      return words[0].last == UInt8(ascii: ":") && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
        && isString(words[1])
    }
    return ["option", "plugin", "include"].contains(String(Substring(words[0]))) && isString(words[1])
  }

  private static let directives: Set<String> = ["note", "document", "event", "query", "custom"]
}
