/// One fault in a YAML file, with its place.
public struct ConfigurationIssue: Error, Hashable, Sendable {
  /// The file, as the user wrote it or found it.
  public let file: String

  /// The line, counted from 1; nil when the fault is the file as a whole.
  public let line: Int?

  /// The column in characters, counted from 1.
  public let column: Int?

  /// The problem and the correct form, without the place.
  public let message: String

  /// The text of the line, for the caret; of a long line only the part around the fault.
  package let excerpt: String?

  /// The number of characters of the line before the excerpt.
  private let skipped: Int

  /// Creates an issue.
  ///
  /// - Parameters:
  ///   - file: The file's name in messages.
  ///   - line: Counted from 1; nil when the issue is the file's as a whole.
  ///   - column: In characters, counted from 1; nil when it is the line's as a whole.
  ///   - message: The problem, in one clause.
  ///   - excerpt: The whole line, which is not kept: a file may be one line of megabytes, and have many faults.
  public init(file: String, line: Int? = nil, column: Int? = nil, message: String, excerpt: String? = nil) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
    // A long line is shown from 60 characters before the fault.
    let skipped = max(0, (column ?? 0) - 61)
    self.skipped = skipped
    self.excerpt = excerpt.map { String($0.dropFirst(skipped).prefix(Self.shown + 1)) }
  }

  /// The number of characters of a line that are shown.
  private static let shown = 100
}

extension ConfigurationIssue: CustomStringConvertible {
  /// `file:line:column: message`, and below it the line and a caret.
  public var description: String {
    var text = file.printable(limit: 400)
    if let line { text += ":\(line)" }
    if let column { text += ":\(column)" }
    text += ": " + message
    if let excerpt, let column, column >= 1 {
      text += "\n  " + excerpt.printable(limit: Self.shown)
      text += "\n  " + String(repeating: " ", count: column - 1 - skipped) + "^"
    }
    return text
  }
}
