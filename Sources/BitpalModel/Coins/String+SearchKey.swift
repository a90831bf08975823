extension String {
  /// The text as search compares it: lower case, without diacritics, full-width letters made narrow, white space and
  /// invisible characters reduced to single spaces.
  ///
  /// `Ankaragücü` → `ankaragucu`, `Ｗｉｄｅ　Ｃｏｉｎ` → `wide coin`. Letters that only look alike in another script stay.
  package var searchKey: String {
    var key = ""
    key.reserveCapacity(utf8.count)
    var isSpacePending = false
    func append(_ part: String) {
      if isSpacePending, !key.isEmpty { key += " " }
      isSpacePending = false
      key += part
    }
    for character in lowercased() {
      guard let first = character.unicodeScalars.first else { continue }
      if character.isWhitespace || first.properties.generalCategory == .control {
        isSpacePending = true
      } else if first.isASCII {
        // Whatever follows within the character is a mark upon it.
        append(String(first))
      } else if first.properties.generalCategory != .format {
        append(character.withoutDiacritics)
      }
    }
    return key
  }
}

extension Character {
  /// The letter under its marks.
  fileprivate var withoutDiacritics: String {
    if let first = unicodeScalars.first, (0xFF01...0xFF5E).contains(first.value),
      let narrow = Unicode.Scalar(first.value - 0xFEE0)
    {
      return String(narrow).lowercased()
    }
    return Self.plainLetters[self] ?? String(self)
  }

  /// Letters with marks → letters without.
  ///
  /// A character equals every other composition of itself, so the keys can be made of a letter and combining marks.
  private static let plainLetters: [Character: String] = {
    func marked(_ letter: Character, _ marks: UInt32...) -> Character {
      let text = marks.compactMap(Unicode.Scalar.init).reduce(into: String(letter)) { $0.unicodeScalars.append($1) }
      return text.first ?? letter
    }
    var letters: [Character: String] = [
      "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "ŋ": "n",
      "ς": "σ", "µ": "μ",
    ]
    let latin: [UInt32] = [
      0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x309, 0x30A, 0x30B, 0x30C, 0x30F, 0x311, 0x31B, 0x323,
      0x326, 0x327, 0x328, 0x32E, 0x331,
    ]
    for letter in "abcdefghijklmnopqrstuvwxyz" {
      for mark in latin { letters[marked(letter, mark)] = String(letter) }
    }
    // Two marks on a vowel: Vietnamese, Pinyin.
    for letter in "aeiouy" {
      for first: UInt32 in [0x302, 0x306, 0x308, 0x31B] {
        for second: UInt32 in [0x300, 0x301, 0x303, 0x304, 0x309, 0x30C, 0x323] {
          letters[marked(letter, first, second)] = String(letter)
        }
      }
    }
    for letter in "αεηιουω" {
      for mark: UInt32 in [0x301, 0x308] { letters[marked(letter, mark)] = String(letter) }
    }
    return letters
  }()
}
