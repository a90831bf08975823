import BitpalJSON

/// The text of a settings file, for edits at places that the YAML reader has marked.
struct SettingsText {
  let text: String
  private let scalars: [Unicode.Scalar]

  init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  /// Returns the character at a place; nil beyond the end.
  func scalar(at mark: YAMLMark) -> Unicode.Scalar? {
    let offset = offset(of: mark)
    return offset < scalars.count ? scalars[offset] : nil
  }

  /// Returns the text with a new line after a line.
  func inserting(_ line: String, afterLine number: Int) -> String {
    let start = offset(of: YAMLMark(line: number, column: 1))
    guard let end = scalars[start...].firstIndex(where: { $0 == "\n" || $0 == "\r" }) else {
      return text + lineEnd + line + lineEnd
    }
    return inserting(lineEnd + line, at: end)
  }

  /// Returns the text without a line.
  func removingLine(_ number: Int) -> String {
    let start = offset(of: YAMLMark(line: number, column: 1))
    return string(scalars[..<start]) + string(scalars[offset(of: YAMLMark(line: number + 1, column: 1))...])
  }

  /// Returns the text without a key, its scalar, and the comma after them, or else before them.
  func removingPair(at key: YAMLMark, value: YAMLMark) -> String {
    var start = offset(of: key)
    var end = endOfScalar(from: offset(of: value))
    func afterBlanks(_ index: Int) -> Int {
      scalars[index...].firstIndex { $0 != " " && $0 != "\t" } ?? scalars.count
    }
    let next = afterBlanks(end)
    if next < scalars.count, scalars[next] == "," {
      end = afterBlanks(next + 1)
    } else {
      while start > 0, " \t".unicodeScalars.contains(scalars[start - 1]) { start -= 1 }
      if start > 0, scalars[start - 1] == "," { start -= 1 }
    }
    return string(scalars[..<start]) + string(scalars[end...])
  }

  /// Returns the text with new lines at its end.
  func appending(_ lines: String...) -> String {
    let isOpen = scalars.last.map { $0 != "\n" && $0 != "\r" } ?? false
    return text + (isOpen ? lineEnd : "") + lines.map { $0 + lineEnd }.joined()
  }

  /// Returns the text with an addition after the character at a place.
  func inserting(_ addition: String, afterCharacterAt mark: YAMLMark) -> String {
    inserting(addition, at: min(offset(of: mark) + 1, scalars.count))
  }

  /// Returns the text with an addition after the scalar that begins at a place.
  func inserting(_ addition: String, afterScalarAt mark: YAMLMark) -> String {
    inserting(addition, at: endOfScalar(from: offset(of: mark)))
  }

  /// Returns the text with another scalar in place of the one that begins at a place.
  func replacingScalar(at mark: YAMLMark, with scalar: String) -> String {
    let start = offset(of: mark)
    return string(scalars[..<start]) + scalar + string(scalars[endOfScalar(from: start)...])
  }

  private var lineEnd: String { text.unicodeScalars.contains("\r") ? "\r\n" : "\n" }

  private func inserting(_ addition: String, at offset: Int) -> String {
    string(scalars[..<offset]) + addition + string(scalars[offset...])
  }

  private func string(_ part: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: part)
    return String(text)
  }

  /// Returns the end of a scalar: its closing quote, otherwise the position before the blanks that precede a comma,
  /// brace, comment or line end.
  private func endOfScalar(from start: Int) -> Int {
    guard start < scalars.count else { return scalars.count }
    let quote = scalars[start]
    var index = start + 1
    if quote == "\"" || quote == "'" {
      while index < scalars.count, scalars[index] != quote { index += scalars[index] == "\\" && quote == "\"" ? 2 : 1 }
      return min(index + 1, scalars.count)
    }
    index = start
    while index < scalars.count, !",}\n\r".unicodeScalars.contains(scalars[index]) {
      if scalars[index] == "#", index > start, scalars[index - 1] == " " || scalars[index - 1] == "\t" { break }
      index += 1
    }
    while index > start, scalars[index - 1] == " " || scalars[index - 1] == "\t" { index -= 1 }
    return index
  }

  /// Returns the offset of a place; the end of the text for one beyond it.
  private func offset(of mark: YAMLMark) -> Int {
    var index = scalars.first == "\u{FEFF}" ? 1 : 0
    var line = 1
    while line < mark.line, index < scalars.count {
      switch scalars[index] {
      case "\r":
        line += 1
        if index + 1 < scalars.count, scalars[index + 1] == "\n" { index += 1 }
      case "\n", "\u{85}", "\u{2028}", "\u{2029}":
        line += 1
      default: break
      }
      index += 1
    }
    return min(index + mark.column - 1, scalars.count)
  }
}
