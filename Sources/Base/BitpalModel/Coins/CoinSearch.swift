import Glibc

/// A search of a coin list, with the order of its matches.
///
/// Exact symbols and ids come first, then texts that begin with the search text, then texts that contain it; the name
/// decides among equals. Case and diacritics do not matter; see ``Swift/String/searchKey``.
package struct CoinSearch: Hashable, Sendable {
  /// The quality of a match.
  package enum Rank: Int, Comparable, Sendable {
    /// The text is the coin's id or symbol.
    case exact

    /// The coin's id, symbol or name begins with the text.
    case prefix

    /// The coin's id, symbol or name contains the text.
    case substring

    package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  /// The normalized text that is compared.
  package let key: String

  /// Creates a search; nil when nothing of the text is left to search for.
  package init?(_ text: String) {
    key = text.searchKey
    if key.isEmpty { return nil }
  }

  /// Returns the texts by which coins are found: of each its id, symbol and name, each after a line feed, which no search
  /// text contains.
  package static func keys(of items: [CoinListItem]) -> String {
    var keys = ""
    for item in items {
      for text in [item.id, item.symbol, item.name] {
        keys += "\n"
        keys += text.searchKey
      }
    }
    return keys
  }

  /// Returns the items by name, and equal names by id: in the order of matches of one rank.
  package static func sorted(_ items: [CoinListItem]) -> [CoinListItem] {
    items.map { (name: $0.name.searchKey, item: $0) }.sorted { ($0.name, $0.item.id) < ($1.name, $1.item.id) }
      .map(\.item)
  }

  /// Returns the positions of the coins that match among those of ``keys(of:)``: the best ones first, and those of one
  /// rank in the order of the keys.
  package func matches(amongKeys keys: UnsafeBufferPointer<UInt8>) -> [(position: Int, rank: Rank)] {
    let feed = UInt8(ascii: "\n")
    var found: [(position: Int, rank: Rank)] = []
    var key = key
    key.withUTF8 { key in
      guard let start = keys.baseAddress, let wanted = key.baseAddress else { return }
      // The place up to which the lines are counted, and their number.
      var (counted, lines, from) = (0, 0, 0)
      while from + key.count <= keys.count,
        let match = memchr(start + from, Int32(wanted.pointee), keys.count - key.count - from + 1)
      {
        let place = UnsafeRawPointer(match) - UnsafeRawPointer(start)
        from = place + 1
        guard memcmp(match, wanted, key.count) == 0 else { continue }
        from = place + key.count
        for byte in keys[counted..<place] where byte == feed { lines += 1 }
        counted = place
        guard lines > 0 else { continue }
        // Of the three lines of a coin the last is its name, which is never exact.
        let (position, field) = (lines - 1).quotientAndRemainder(dividingBy: 3)
        let isWhole = field < 2 && from < keys.count && keys[from] == feed
        let rank: Rank = keys[place - 1] != feed ? .substring : isWhole ? .exact : .prefix
        if let last = found.last, last.position == position {
          found[found.count - 1].rank = min(rank, last.rank)
        } else {
          found.append((position, rank))
        }
      }
    }
    return [Rank.exact, .prefix, .substring].flatMap { rank in found.filter { $0.rank == rank } }
  }

  /// Returns the coins that match, the best ones first.
  private func ranked(_ items: [CoinListItem]) -> [(item: CoinListItem, rank: Rank)] {
    var keys = Self.keys(of: items)
    return keys.withUTF8 { matches(amongKeys: $0) }.map { (items[$0.position], $0.rank) }
  }

  /// The matching well-known coins.
  package var wellKnown: [CoinListItem] { ranked(WellKnownCoins.all).map(\.item) }

  /// Returns matches in the expected order: the well-known coins whose id, symbol or name begins with the text, best
  /// known first, then all others in the order of ``matches(in:limit:)``, with well-known ones before their equals.
  ///
  /// - Parameter wellKnown: Those of ``wellKnown``, which are all among the matches. A coin that matches only by the name
  ///   that its source has for it may not be, so its place does not count.
  package func inOrder(_ matches: [CoinListItem], wellKnown: [CoinListItem]) -> [CoinListItem] {
    let known = Set(wellKnown.map(\.id))
    let ranked = ranked(Self.sorted(matches)).enumerated().map { index, match in
      let place = known.contains(match.item.id) ? WellKnownCoins.place(of: match.item.id) : nil
      let isExpected = place != nil && match.rank < .substring
      return (group: isExpected ? 0 : match.rank.rawValue + 1, place: place ?? .max, index: index, item: match.item)
    }
    return ranked.sorted { ($0.group, $0.place, $0.index) < ($1.group, $1.place, $1.index) }.map(\.item)
  }

  /// Returns the best matches.
  package func matches(in items: [CoinListItem], limit: Int) -> [CoinListItem] {
    ranked(Self.sorted(items)).prefix(max(0, limit)).map(\.item)
  }
}

extension String {
  /// The text as search compares it: in lower case, without diacritics, with full-width letters made narrow, and white
  /// space and invisible characters reduced to single spaces.
  ///
  /// `Ankaragücü` → `ankaragucu`, `Ｗｉｄｅ　Ｃｏｉｎ` → `wide coin`. Letters that only look alike in another script stay.
  package var searchKey: String {
    if let key = asciiSearchKey { return key }
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
        // The other scalars of the character are marks.
        append(String(first))
      } else if first.properties.generalCategory != .format {
        append(character.withoutDiacritics)
      }
    }
    return key
  }

  /// The key of a text that is ASCII alone, which nearly all are; nil for any other.
  private var asciiSearchKey: String? {
    var text = self
    return text.withUTF8 { bytes in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
      return String(unsafeUninitializedCapacity: bytes.count) { key in
        var count = 0
        var isSpacePending = false
        for byte in bytes {
          // White space and control characters.
          if byte <= 0x20 || byte == 0x7F {
            isSpacePending = true
            continue
          }
          if isSpacePending, count > 0 {
            key[count] = 0x20
            count += 1
          }
          isSpacePending = false
          key[count] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
          count += 1
        }
        return count
      }
    }
  }
}

extension Character {
  /// The letter without its marks.
  fileprivate var withoutDiacritics: String {
    if let first = unicodeScalars.first, (0xFF01...0xFF5E).contains(first.value),
      let narrow = Unicode.Scalar(first.value - 0xFEE0)
    {
      return String(narrow).lowercased()
    }
    return Self.plainLetters[self] ?? String(self)
  }

  /// The letters without marks by those with marks.
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
