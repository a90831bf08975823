/// The notation of a source's numbers: the separator of thousands, and the decimal mark.
///
/// The notation is declared by an example (`1.234,56`), never guessed: a number with other marks is not read. Blanks of
/// all widths count as one mark, and so do both apostrophes.
package struct NumberMarks: Hashable, Sendable {
  /// The example.
  package let example: String

  /// The spellings of the separator of thousands; empty for none.
  private let groupings: [[UInt8]]

  /// The spellings of each separator: blanks of every width in which numbers are written, and both apostrophes.
  private static let spellings = [["."], [","], ["'", "\u{2019}"], [" ", "\u{A0}", "\u{202F}", "\u{2009}"]]

  /// The decimal mark.
  private let point: UInt8

  /// Reads an example; nil if it does not show both marks, or is ambiguous.
  package init?(example: String) {
    var marks: [String] = []
    var groups = [""]
    for character in example {
      if character.isASCII, character.isNumber {
        groups[groups.count - 1].append(character)
      } else {
        marks.append(String(character))
        groups.append("")
      }
    }
    guard let point = marks.popLast(), [".", ","].contains(point), let byte = point.utf8.first,
      let decimals = groups.popLast(), !decimals.isEmpty, let first = groups.first, !first.isEmpty
    else { return nil }
    if let grouping = marks.first {
      guard let spellings = Self.spellings.first(where: { $0.contains(grouping) }), grouping != point,
        marks.allSatisfy({ $0 == grouping }), first.count <= 3,
        groups.dropFirst().allSatisfy({ $0.count == 3 })
      else { return nil }
      groupings = spellings.map { Array($0.utf8) }
    } else {
      // 1,234 is ambiguous.
      guard decimals.count != 3 else { return nil }
      groupings = []
    }
    self.example = example
    self.point = byte
  }

  /// Creates the notation of numbers with a decimal mark and any other separator of thousands.
  init(_ mark: DecimalMark) {
    let point = mark == .point ? "." : ","
    groupings = Self.spellings.filter { $0 != [point] }.joined().map { Array($0.utf8) }
    self.point = mark == .point ? UInt8(ascii: ".") : UInt8(ascii: ",")
    example = mark == .point ? "1,234.56" : "1.234,56"
  }

  /// Returns the number in the notation of JSON: `-1234.56`; nil if it is not written like the example.
  ///
  /// The separators of thousands are optional, but each group between two of them has three digits. An exponent may
  /// follow, as spreadsheets write small numbers: `1,98E-06`, a plus sign may precede it, and a zero before the decimal mark
  /// may lack: `+,5`.
  package func plain(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    let mark = bytes.firstIndex { $0 | 0x20 == UInt8(ascii: "e") }
    guard let mark else { return plain(bytes[...]) }
    let power = bytes[mark...].dropFirst()
    let digits = power.first.map { "+-".utf8.contains($0) } == true ? power.dropFirst() : power
    guard !digits.isEmpty, digits.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }) else { return nil }
    return plain(bytes[..<mark]).map { $0 + bytes[mark...] }
  }

  /// Returns the number of a text in the notation of JSON; nil if it is not written like the example.
  package func plain(_ text: String) -> String? {
    var text = text
    return text.withUTF8 { plain($0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  private func plain(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    if let sign = bytes.first, "+-".utf8.contains(sign) {
      if sign == UInt8(ascii: "-") { result.append(sign) }
      index = 1
    }
    if index < bytes.endIndex, bytes[index] == point { result.append(UInt8(ascii: "0")) }
    var group = result.last == UInt8(ascii: "0") ? 1 : 0
    var groups = 0
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte &- UInt8(ascii: "0") <= 9 {
        result.append(byte)
        group += 1
        index += 1
      } else if byte == point {
        break
      } else {
        guard let grouping = groupings.first(where: bytes[index...].starts(with:)),
          groups == 0 ? (1...3).contains(group) : group == 3
        else { return nil }
        groups += 1
        group = 0
        index += grouping.count
      }
    }
    guard group > 0, groups == 0 || group == 3 else { return nil }
    guard index < bytes.endIndex else { return result }
    result.append(UInt8(ascii: "."))
    let decimals = bytes[(index + 1)...]
    guard !decimals.isEmpty, decimals.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }) else { return nil }
    result += decimals
    return result
  }
}
