package import BitpalModel

/// The file of a node, with its name, folder and bytes for messages and relative paths.
package final class YAMLSource: Sendable {
  /// The name of the file in messages.
  package let file: String

  /// The absolute folder of the file, the base of relative paths in it.
  package let directory: String

  /// The content, without a byte order mark.
  package let bytes: [UInt8]

  /// The byte range of each line; calculated once, because every text of a file is located by its line.
  private let lines: [Range<Int>]

  /// Creates a source; a UTF-8 byte order mark is removed.
  package init(file: String, directory: String, bytes: [UInt8]) {
    self.file = file
    self.directory = directory
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    self.bytes = bytes
    var lines: [Range<Int>] = []
    var start = 0
    while let end = Self.endOfLine(of: bytes, from: start) {
      lines.append(start..<end.end)
      start = end.next
    }
    self.lines = lines + [start..<bytes.count]
  }

  /// Returns an issue with its place, the text of its line, and its column in characters; without a mark, one about the
  /// whole file.
  package func issue(_ message: String, at mark: YAMLMark? = nil) -> ConfigurationIssue {
    guard let mark else { return ConfigurationIssue(file: file, message: message) }
    let text = line(mark.line)
    let before = String(text.unicodeScalars.prefix(mark.column - 1))
    // A combining character at the mark belongs to the preceding character, so the count can be one too low.
    let missing = mark.column - 1 - before.unicodeScalars.count
    return ConfigurationIssue(
      file: file, line: mark.line, column: before.count + missing + 1, message: message, excerpt: text)
  }

  /// Returns the text of a line without its end; empty for a line that does not exist.
  package func line(_ number: Int) -> String {
    lines.indices.contains(number - 1) ? String(decoding: bytes[lines[number - 1]], as: UTF8.self) : ""
  }

  /// Returns the place of a byte.
  package func mark(ofByte offset: Int) -> YAMLMark {
    let line = max(0, (lines.firstIndex { $0.lowerBound > offset } ?? lines.count) - 1)
    let start = lines[line].lowerBound
    let before = bytes[start..<min(max(offset, start), bytes.count)]
    return YAMLMark(line: line + 1, column: String(decoding: before, as: UTF8.self).unicodeScalars.count + 1)
  }

  /// Returns the nearest place within the text: libyaml reports the end of the last line as a place on the line after
  /// it.
  package func clamped(_ mark: YAMLMark) -> YAMLMark {
    let end = bytes.lastIndex { $0 != 0x0A && $0 != 0x0D }.map { self.mark(ofByte: $0 + 1) } ?? .start
    return mark.line > end.line ? end : mark
  }

  /// Returns the Unicode scalar at a place; nil at the end of a line.
  package func scalar(at mark: YAMLMark) -> Unicode.Scalar? {
    line(mark.line).unicodeScalars.dropFirst(mark.column - 1).first
  }

  /// Returns the end of the line that starts at a byte, and the start of the next one; nil for the last line.
  ///
  /// The line ends are libyaml's, so that line numbers agree: LF, CR, CR LF, U+0085, U+2028 and U+2029.
  private static func endOfLine(of bytes: [UInt8], from start: Int) -> (end: Int, next: Int)? {
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case 0x0A: return (index, index + 1)
      case 0x0D: return (index, bytes[index...].starts(with: [0x0D, 0x0A]) ? index + 2 : index + 1)
      case 0xC2 where bytes[index...].starts(with: [0xC2, 0x85]): return (index, index + 2)
      case 0xE2
      where bytes[index...].starts(with: [0xE2, 0x80, 0xA8]) || bytes[index...].starts(with: [0xE2, 0x80, 0xA9]):
        return (index, index + 3)
      default: index += 1
      }
    }
    return nil
  }
}

extension YAMLSource: Equatable {
  package static func == (left: YAMLSource, right: YAMLSource) -> Bool {
    left === right || left.file == right.file && left.directory == right.directory && left.bytes == right.bytes
  }
}

/// A place in a YAML file.
package struct YAMLMark: Hashable, Sendable {
  /// The line, counted from 1.
  package let line: Int

  /// The column in Unicode scalars, counted from 1; ``YAMLSource`` turns it into characters.
  package let column: Int

  /// Creates a place.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The first character of a file.
  package static let start = YAMLMark(line: 1, column: 1)
}
