/// A text of a provider file with its place, so that messages can point at a fault within it.
package struct DeclaredText: Hashable, Sendable {
  /// The place of the beginning of one line of the text in the file.
  package struct Line: Hashable, Sendable {
    /// The line of the file, counted from 1.
    package let number: Int

    /// The column of its first character, counted from 1.
    package let column: Int

    /// The whole line of the file, for the caret.
    package let excerpt: String

    /// Creates a line.
    package init(number: Int, column: Int, excerpt: String) {
      self.number = number
      self.column = column
      self.excerpt = excerpt
    }
  }

  /// The text itself.
  package let text: String

  /// The file, as the user wrote it or found it.
  package let file: String

  /// The place of each line of the text; only the first is known if the file wraps or escapes the text.
  package let lines: [Line]

  /// Creates a text; programs that bring providers of their own need not state a place.
  package init(_ text: String, file: String = "", lines: [Line] = []) {
    self.text = text
    self.file = file
    self.lines = lines
  }

  /// Returns an issue at the character that begins at byte `offset` of the text; at its beginning if nil.
  package func issue(_ message: String, at offset: Int? = nil) -> ConfigurationIssue {
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

  /// `file:line` for messages about a run; the file alone if the line is unknown.
  package var place: String {
    lines.first.map { "\(file):\($0.number)" } ?? file
  }
}

/// The placeholders `{name}` of a URL, a path or a header of a provider file.
package enum DeclaredPlaceholder: String, CaseIterable, Sendable {
  case id
  case upperID = "ID"
  case symbol
  case upperSymbol = "SYMBOL"
  case currency
  case upperCurrency = "CURRENCY"
  case days, interval, from, to, date
  case fromMilliseconds = "from_ms"
  case toMilliseconds = "to_ms"
  case fromISO = "from_iso"
  case toISO = "to_iso"
  case ids
  case upperSymbols = "SYMBOLS"
  case cursor
  case page
  case offset
  case key

  /// A part of a text: literal text, or a placeholder.
  package enum Part: Equatable, Sendable {
    case literal(String)
    case placeholder(DeclaredPlaceholder)

    /// The beginning or the end of a window in the notation of the pattern: `{from:yyyyMMdd}`.
    case date(DeclaredPlaceholder, TimePattern)

    /// The placeholder; nil for literal text.
    package var name: DeclaredPlaceholder? {
      switch self {
      case .literal: nil
      case .placeholder(let name), .date(let name, _): name
      }
    }
  }

  /// A fault of a placeholder: the problem, and the byte of the text.
  package struct Fault: Error, Equatable, Sendable {
    package let message: String
    package let offset: Int
  }

  /// Splits a text into its parts; `allowed` are the placeholders that are valid in it.
  ///
  /// A brace before anything but a letter is none of a placeholder: it and the one that closes it are literal text.
  package static func parts(of text: String, allowed: [DeclaredPlaceholder]) throws(Fault) -> [Part] {
    var parts: [Part] = []
    var rest = text[...]
    var plainBraces = 0
    func offset(_ index: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: index) }
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      let next = rest[open...].dropFirst().first
      let isPlain = rest[open] == "{" ? next.map { !$0.isLetter } ?? false : plainBraces > 0
      if isPlain {
        plainBraces += rest[open] == "{" ? 1 : -1
        parts.append(.literal(String(rest[...open])))
        rest = rest[open...].dropFirst()
        continue
      }
      guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
        throw Fault(message: "a placeholder is written {name}, with both braces", offset: offset(open))
      }
      if open > rest.startIndex { parts.append(.literal(String(rest[..<open]))) }
      parts.append(
        try part(
          rest[rest.index(after: open)..<close], allowed: allowed, offset: offset(rest.index(after: open)),
          mayBePart: true))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.literal(String(rest))) }
    return parts
  }

  /// Splits a body into its parts; a brace begins a placeholder only where a name and a closing brace follow: `{id}` is
  /// one, `{"id": 1}` and `{ price }` are not.
  package static func parts(ofBody text: String, allowed: [DeclaredPlaceholder]) throws(Fault) -> [Part] {
    var parts: [Part] = []
    var rest = text[...]
    var literal = ""
    while let open = rest.firstIndex(of: "{") {
      let inner = rest[rest.index(after: open)...]
      let name = inner.prefix { $0.isASCII && $0.isLetter || $0 == "_" }
      let takesPattern = ["from", "to", "date"].contains(name) && inner[name.endIndex...].hasPrefix(":")
      guard !name.isEmpty, takesPattern || inner[name.endIndex...].hasPrefix("}"), let close = inner.firstIndex(of: "}")
      else {
        literal += rest[...open]
        rest = inner
        continue
      }
      literal += rest[..<open]
      if !literal.isEmpty { parts.append(.literal(literal)) }
      literal = ""
      let offset = text.utf8.distance(from: text.startIndex, to: inner.startIndex)
      parts.append(try part(inner[..<close], allowed: allowed, offset: offset))
      rest = inner[inner.index(after: close)...]
    }
    literal += rest
    return literal.isEmpty ? parts : parts + [.literal(literal)]
  }

  /// Parses the text between two braces; `offset` is the byte of the text at which it begins.
  ///
  /// A pattern is of a whole date unless `mayBePart`.
  package static func part(
    _ inner: Substring, allowed: [DeclaredPlaceholder], offset: Int, mayBePart: Bool = false
  ) throws(Fault) -> Part {
    let name = inner.prefix { $0 != ":" }
    guard let placeholder = DeclaredPlaceholder(rawValue: String(name)), allowed.contains(placeholder) else {
      throw Fault(message: unknown(String(name), allowed: allowed), offset: offset - 1)
    }
    guard name.endIndex != inner.endIndex else {
      return placeholder == .date ? .date(.date, .day) : .placeholder(placeholder)
    }
    guard [.from, .to, .date].contains(placeholder) else {
      throw Fault(message: "only {from}, {to} and {date} take a pattern, like {from:yyyyMMdd}", offset: offset - 1)
    }
    let pattern = inner[name.endIndex...].dropFirst()
    do {
      return .date(placeholder, try TimePattern(String(pattern), mayBePart: mayBePart))
    } catch {
      let skipped = inner.utf8.distance(from: inner.startIndex, to: pattern.startIndex)
      throw Fault(message: error.message, offset: offset + skipped + error.offset)
    }
  }

  private static func unknown(_ name: String, allowed: [DeclaredPlaceholder]) -> String {
    let shown = "{\(name.printable(limit: 60))}"
    if name == DeclaredPlaceholder.key.rawValue {
      return "{key} is only for headers: and for the query of get: or post:"
    }
    let known = DeclaredPlaceholder(rawValue: name) != nil
    let advice =
      NearestName.match(name, among: allowed.map(\.rawValue)).flatMap { $0 == name ? nil : "did you mean {\($0)}?" }
      ?? (allowed.isEmpty ? "none has" : "valid here: " + allowed.map { "{\($0.rawValue)}" }.joined(separator: " "))
    return known ? "\(shown) has no meaning here (\(advice))" : "unknown placeholder \(shown) (\(advice))"
  }
}
