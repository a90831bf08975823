/// One fault in a YAML file, with where it is.
public struct ConfigurationIssue: Error, Hashable, Sendable {
  /// The file, as the user wrote it or found it.
  public let file: String

  /// The line, counted from 1; nil when the fault is the file as a whole.
  public let line: Int?

  /// The column in characters, counted from 1.
  public let column: Int?

  /// What is wrong and what would be right, without the place.
  public let message: String

  /// The text of the line, for the caret.
  public let excerpt: String?

  /// Creates an issue.
  public init(file: String, line: Int? = nil, column: Int? = nil, message: String, excerpt: String? = nil) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
    self.excerpt = excerpt
  }
}

extension ConfigurationIssue: CustomStringConvertible {
  /// `file:line:column: message`, and below it the line and a caret.
  public var description: String {
    var text = file.printable(limit: 400)
    if let line { text += ":\(line)" }
    if let column { text += ":\(column)" }
    text += ": " + message
    if let excerpt, let column, column >= 1 {
      // A long line is shown from 60 characters before the fault.
      let skipped = max(0, column - 61)
      let shown = String(excerpt.dropFirst(skipped)).printable(limit: 100)
      text += "\n  " + shown + "\n  " + String(repeating: " ", count: column - 1 - skipped) + "^"
    }
    return text
  }
}
