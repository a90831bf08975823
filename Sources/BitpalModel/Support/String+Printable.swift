extension String {
  /// The text made safe to print: control characters, line ends and bidirectional overrides are replaced by `�`, and
  /// what is longer than `limit` characters is cut with `…`.
  ///
  /// Text from the network or from a file must pass through here before it reaches a terminal or an error message.
  package func printable(limit: Int = .max) -> String {
    var cleaned = ""
    var count = 0
    for character in self {
      if count == limit {
        cleaned += "…"
        break
      }
      cleaned.append(character.isUnsafeToPrint ? "\u{FFFD}" : character)
      count += 1
    }
    return cleaned
  }
}

extension Character {
  fileprivate var isUnsafeToPrint: Bool {
    unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
  }
}
