import BitpalModel

extension YAMLNode {
  /// A text of this node together with where its lines stand in the file.
  func declared(_ text: String) -> DeclaredText {
    let first = line(of: mark.line, from: mark)
    guard let character = source.scalar(at: mark) else { return DeclaredText(text, file: source.file, lines: [first]) }
    switch character {
    case "|":
      return DeclaredText(text, file: source.file, lines: blockLines(of: text) ?? [first])
    case "\"", "'":
      let line = DeclaredText.Line(number: first.number, column: first.column + 1, excerpt: first.excerpt)
      return DeclaredText(text, file: source.file, lines: [line])
    default:
      return DeclaredText(text, file: source.file, lines: [first])
    }
  }

  /// Where the lines of a block after `|` stand; nil unless the file has them as the text has.
  private func blockLines(of text: String) -> [DeclaredText.Line]? {
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
    let excerpts = rows.indices.map { source.line(mark.line + 1 + $0) }
    guard let filled = excerpts.first(where: { !$0.allSatisfy { $0 == " " } }) else { return nil }
    let indent = filled.prefix { $0 == " " }.count
    var lines: [DeclaredText.Line] = []
    for (offset, (row, excerpt)) in zip(rows, excerpts).enumerated() {
      // After the last line end there is nothing of the text any more.
      if offset == rows.count - 1, row.isEmpty { break }
      guard excerpt.dropFirst(indent) == row || row.allSatisfy({ $0 == " " }) else { return nil }
      lines.append(DeclaredText.Line(number: mark.line + 1 + offset, column: indent + 1, excerpt: excerpt))
    }
    return lines
  }

  private func line(of number: Int, from mark: YAMLMark) -> DeclaredText.Line {
    let issue = source.issue("", at: mark)
    return DeclaredText.Line(number: number, column: issue.column ?? 1, excerpt: issue.excerpt ?? "")
  }
}

extension DeclaredValue {
  /// The text of a scalar that is not empty, with its place.
  func declaredText(_ expected: String = "text") -> DeclaredText? {
    text(expected).map { entry.value.declared($0) }
  }
}
