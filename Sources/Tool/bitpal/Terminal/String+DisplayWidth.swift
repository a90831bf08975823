extension String {
  /// The text with ASCII in the place of the program's own signs, for a terminal that shows nothing else; any other
  /// character beyond ASCII becomes a question mark.
  var inASCII: String {
    guard !utf8.allSatisfy({ $0 < 0x80 }) else { return self }
    let signs: [Character: String] = [
      "·": "-", "…": "~", "–": "-", "—": "-", "≈": "~", "▲": "+", "▼": "-", "→": ">", "×": "x", "−": "-", "’": "'",
      "│": "|", "─": "-",
    ]
    return replacing(" …", with: " ...").map { character in
      if character.isASCII || character == "\u{1B}" { return String(character) }
      return signs[character] ?? String(repeating: "?", count: max(1, String(character).displayWidth))
    }.joined()
  }

  /// The same for a text without columns, in which more than a word was left out.
  var inPlainASCII: String { replacing("…", with: "...").inASCII }

  /// The number of terminal columns of the text: full-width characters and emoji count two, combining marks none.
  ///
  /// It is the same in every locale, unlike `wcwidth`.
  var displayWidth: Int {
    if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }

  /// Returns the text cut to at most `width` columns, with `…` in the last one.
  func truncated(toWidth width: Int) -> String {
    guard displayWidth > width else { return self }
    var text = ""
    var taken = 0
    for character in self {
      taken += character.displayWidth
      if taken > width - 1 { break }
      text.append(character)
    }
    return text + "…"
  }

  /// Returns lines of at most `width` columns, broken at spaces; a longer word is broken within.
  func wrapped(toWidth width: Int) -> [String] {
    guard width > 0, displayWidth > width else { return [self] }
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      var word = String(word)
      if !lines.isEmpty || !line.isEmpty, line.displayWidth + 1 + word.displayWidth > width {
        if !line.isEmpty { lines.append(line) }
        line = ""
      } else if !line.isEmpty {
        line += " "
      }
      while line.displayWidth + word.displayWidth > width {
        let head = word.beginning(ofWidth: width)
        lines.append(head)
        word.removeFirst(head.count)
      }
      line += word
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Returns as many characters from the start as fit, but at least one.
  private func beginning(ofWidth width: Int) -> String {
    var taken = 0
    let head = prefix { character in
      taken += character.displayWidth
      return taken <= width
    }
    return head.isEmpty ? String(prefix(1)) : String(head)
  }
}

extension Character {
  /// The number of columns of a character as people see it, whatever scalars it consists of.
  fileprivate var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.isASCII, unicodeScalars.count == 1 { return 1 }
    let isEmoji =
      first.properties.isEmojiPresentation
      || first.properties.isEmoji && unicodeScalars.contains { $0 == "\u{FE0F}" || $0 == "\u{20E3}" }
    if isEmoji || first.isFullWidth { return 2 }
    let marks = unicodeScalars.dropFirst().count { $0.isSpacingMark }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return marks
    default: return 1 + marks
    }
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a mark beside its base, not above or below it; Thai and Lao AM are, although they are
  /// letters.
  fileprivate var isSpacingMark: Bool {
    properties.generalCategory == .spacingMark || value == 0x0E33 || value == 0x0EB3
  }

  /// Whether the scalar has the East Asian Width W or F, by the large blocks of Unicode's EastAsianWidth.txt.
  fileprivate var isFullWidth: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
      0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
