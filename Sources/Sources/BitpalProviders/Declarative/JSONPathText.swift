import BitpalModel

/// A JSON path of a provider file as an SQL expression.
///
/// A placeholder in it becomes a bound parameter, and the key that it is part of is quoted: `$.quotes.{CURRENCY}.price`
/// is `'$.quotes."' || :CURRENCY || '".price'`.
package struct JSONPathText {
  /// The SQL expression of the path.
  package let sql: String

  /// Creates the expression of a path whose placeholders have been checked.
  package init(_ path: String) {
    guard path.contains("{") else {
      sql = Self.quoted(path)
      return
    }
    var text = Self.quoted(Self.segments(of: path).map(Self.quotedKey).joined())
    for placeholder in DeclaredPlaceholder.allCases {
      text = text.replacing("{\(placeholder.rawValue)}", with: "' || :\(placeholder.rawValue) || '")
    }
    sql = "(\(text))"
  }

  /// Returns whether a path is well-formed; SQLite itself reads a path only as far as the body matches it.
  static func isPath(_ path: String) -> Bool {
    let segments = segments(of: path)
    return segments.first == "$"
      && segments.dropFirst().allSatisfy { segment in
        if segment.hasPrefix("[") {
          // An index counts from the start, or with `#-` from the end.
          var index = segment.dropFirst()
          if index.hasPrefix("#-") { index = index.dropFirst(2) }
          let digits = index.dropLast()
          return index.last == "]" && !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
        }
        guard segment.hasPrefix(".\"") else { return segment.count > 1 && !segment.contains("\"") }
        return segment.count > 3 && segment.hasSuffix("\"") && !segment.dropFirst(2).dropLast().contains("\"")
      }
  }

  /// Returns the path's steps: `$`, `.key`, `[0]`.
  static func segments(of path: String) -> [String] {
    var segments: [String] = []
    var current = ""
    var isQuoted = false
    for character in path {
      if !isQuoted, character == "." || character == "[", !current.isEmpty {
        segments.append(current)
        current = ""
      }
      if character == "\"" { isQuoted.toggle() }
      current.append(character)
    }
    return current.isEmpty ? segments : segments + [current]
  }

  private static func quotedKey(_ segment: String) -> String {
    guard segment.hasPrefix("."), !segment.hasPrefix(".\""), segment.contains("{") else { return segment }
    return ".\"\(segment.dropFirst())\""
  }

  /// Returns a text as an SQL literal, in single quotes.
  package static func quoted(_ text: String) -> String {
    "'" + text.doubling("'") + "'"
  }
}
