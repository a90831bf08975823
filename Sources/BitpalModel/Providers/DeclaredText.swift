/// A text of a provider file that knows where it stands, so that a fault within it can be pointed at.
public struct DeclaredText: Hashable, Sendable {
  /// Where one line of the text begins in the file.
  public struct Line: Hashable, Sendable {
    /// The line of the file, counted from 1.
    public let number: Int

    /// The column of its first character, counted from 1.
    public let column: Int

    /// The whole line of the file, for the caret.
    public let excerpt: String

    /// Creates a line.
    public init(number: Int, column: Int, excerpt: String) {
      self.number = number
      self.column = column
      self.excerpt = excerpt
    }
  }

  /// The text itself.
  public let text: String

  /// The file, as the user wrote it or found it.
  public let file: String

  /// Where each line of the text begins; only the first is known when the file wraps or escapes it.
  public let lines: [Line]

  /// Creates a text; one without a place is good for programs that bring providers of their own.
  public init(_ text: String, file: String = "", lines: [Line] = []) {
    self.text = text
    self.file = file
    self.lines = lines
  }

  /// A fault of the text, at the character that begins at byte `offset` of it; at its beginning when nil.
  public func issue(_ message: String, at offset: Int? = nil) -> ConfigurationIssue {
    guard let first = lines.first else { return ConfigurationIssue(file: file, message: message) }
    func issue(_ line: Line, column: Int) -> ConfigurationIssue {
      ConfigurationIssue(file: file, line: line.number, column: column, message: message, excerpt: line.excerpt)
    }
    guard let offset else { return issue(first, column: first.column) }
    let before = String(decoding: text.utf8.prefix(offset), as: UTF8.self)
    let rows = before.split(separator: "\n", omittingEmptySubsequences: false)
    guard rows.count <= lines.count, let row = rows.last else { return issue(first, column: first.column) }
    let line = lines[rows.count - 1]
    return issue(line, column: line.column + row.count)
  }

  /// `file:line`, for words about a run; the file alone when the line is not known.
  public var place: String {
    lines.first.map { "\(file):\($0.number)" } ?? file
  }
}
