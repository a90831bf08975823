extension String {
  /// Returns the text in a form that is safe to print.
  ///
  /// Characters that control a terminal, change the direction of writing or are invisible are replaced by `�`; a text
  /// longer than `limit` characters is cut with `…`.
  ///
  /// Text from the network or from a file must pass through here before it reaches a terminal or an error message.
  package func printable(limit: Int = .max) -> String {
    if utf8.allSatisfy({ (0x20...0x7E).contains($0) }), utf8.count <= limit { return self }
    var cleaned = ""
    var count = 0
    for character in self {
      if count == limit {
        cleaned += "…"
        break
      }
      character.appendPrintable(to: &cleaned.unicodeScalars)
      count += 1
    }
    return cleaned
  }
}

extension String {
  /// Returns the text in a form that is safe to print, with its line ends unchanged.
  package func printableLines() -> String {
    split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map { String($0).printable() }
      .joined(separator: "\n")
  }
}

extension Character {
  /// The maximum number of scalars of one character: an emoji of two people with their skin tones has ten.
  ///
  /// A longer character is a stack of combining marks, which covers the lines above and below.
  private static let mostScalars = 12

  /// Appends the character to `text`, with its unsafe scalars replaced.
  fileprivate func appendPrintable(to text: inout String.UnicodeScalarView) {
    var previous: Unicode.Scalar?
    var isReplaced = false
    for scalar in unicodeScalars.prefix(Self.mostScalars) {
      let isUnsafe = scalar.isUnsafeToPrint && !scalar.isPartOfEmoji(after: previous)
      if !isUnsafe { text.append(scalar) } else if !isReplaced { text.append("\u{FFFD}") }
      isReplaced = isUnsafe
      previous = scalar
    }
    if unicodeScalars.count > Self.mostScalars { text.append("\u{FFFD}") }
  }
}

extension Unicode.Scalar {
  /// Whether the scalar controls a terminal or is invisible, so that a text looks like another one.
  ///
  /// These are control characters, line ends, marks of annotations, and all default ignorable code points of Unicode:
  /// marks of direction, joiners, fillers, tags, zero-width spaces.
  fileprivate var isUnsafeToPrint: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFFF9...0xFFFB: true
    case 0x20..<0x7F: false
    default: properties.isDefaultIgnorableCodePoint
    }
  }

  /// Returns whether the scalar selects the style of an emoji or joins two of them.
  fileprivate func isPartOfEmoji(after previous: Unicode.Scalar?) -> Bool {
    guard let previous else { return false }
    return switch value {
    case 0xFE0E, 0xFE0F: previous.properties.isEmoji
    case 0x200D: previous.properties.isEmoji && !previous.isASCII || previous == "\u{FE0F}"
    default: false
    }
  }
}
