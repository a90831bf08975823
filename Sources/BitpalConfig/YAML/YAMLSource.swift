import BitpalModel

/// The file a node was read from: its name, its folder and its bytes, for error messages and relative paths.
final class YAMLSource: Sendable {
  /// The file as the user wrote it or found it.
  let file: String

  /// The absolute folder of the file, to which paths in it are relative.
  let directory: String

  /// The content, without a byte order mark.
  let bytes: [UInt8]

  /// Creates a source; a UTF-8 byte order mark is dropped.
  init(file: String, directory: String, bytes: [UInt8]) {
    self.file = file
    self.directory = directory
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// An issue with the place, the text of its line, and its column in characters.
  func issue(_ message: String, at mark: YAMLMark? = nil) -> ConfigurationIssue {
    guard let mark else { return ConfigurationIssue(file: file, message: message) }
    let text = line(mark.line)
    let before = String(text.unicodeScalars.prefix(mark.column - 1))
    // A combining character at the mark belongs to the character before it, so the count can be one short.
    let missing = mark.column - 1 - before.unicodeScalars.count
    return ConfigurationIssue(
      file: file, line: mark.line, column: before.count + missing + 1, message: message, excerpt: text)
  }

  /// The text of a line, without its end; empty when there is no such line.
  func line(_ number: Int) -> String {
    var current = 1
    var start = 0
    while current < number, let end = endOfLine(from: start) {
      start = end.next
      current += 1
    }
    guard current == number else { return "" }
    return String(decoding: bytes[start..<(endOfLine(from: start)?.end ?? bytes.count)], as: UTF8.self)
  }

  /// The place of a byte.
  func mark(ofByte offset: Int) -> YAMLMark {
    var line = 1
    var start = 0
    while let end = endOfLine(from: start), end.next <= offset {
      start = end.next
      line += 1
    }
    let before = bytes[start..<min(max(offset, start), bytes.count)]
    return YAMLMark(line: line, column: String(decoding: before, as: UTF8.self).unicodeScalars.count + 1)
  }

  /// A place within the text: what libyaml puts on a line after the last one is meant for the end of the last one.
  func clamped(_ mark: YAMLMark) -> YAMLMark {
    let end = bytes.lastIndex { $0 != 0x0A && $0 != 0x0D }.map { self.mark(ofByte: $0 + 1) } ?? .start
    return mark.line > end.line ? end : mark
  }

  /// The scalar value at a place; nil at the end of a line.
  func scalar(at mark: YAMLMark) -> Unicode.Scalar? {
    line(mark.line).unicodeScalars.dropFirst(mark.column - 1).first
  }

  /// Where the line that starts at a byte ends, and where the next one starts; nil for the last line.
  ///
  /// The line ends are libyaml's, so that line numbers agree: LF, CR, CR LF, U+0085, U+2028 and U+2029.
  private func endOfLine(from start: Int) -> (end: Int, next: Int)? {
    var index = start
    while index < bytes.count {
      let rest = bytes[index...]
      switch bytes[index] {
      case 0x0A: return (index, index + 1)
      case 0x0D: return (index, rest.starts(with: [0x0D, 0x0A]) ? index + 2 : index + 1)
      case 0xC2 where rest.starts(with: [0xC2, 0x85]): return (index, index + 2)
      case 0xE2 where rest.starts(with: [0xE2, 0x80, 0xA8]) || rest.starts(with: [0xE2, 0x80, 0xA9]):
        return (index, index + 3)
      default: index += 1
      }
    }
    return nil
  }
}

extension YAMLSource: Equatable {
  static func == (left: YAMLSource, right: YAMLSource) -> Bool {
    left === right || left.file == right.file && left.directory == right.directory && left.bytes == right.bytes
  }
}

/// A place in a YAML file.
struct YAMLMark: Hashable, Sendable {
  /// The line, counted from 1.
  let line: Int

  /// The column in Unicode scalars, counted from 1; ``YAMLSource`` turns it into characters.
  let column: Int

  /// The first character of a file.
  static let start = YAMLMark(line: 1, column: 1)
}
