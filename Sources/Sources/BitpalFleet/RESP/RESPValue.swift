import BitpalModel

/// A reply of Redis, in the second version of its protocol (RESP2).
enum RESPValue: Hashable, Sendable {
  /// `+OK`.
  case status(String)

  /// `-ERR unknown command`.
  case error(RESPFault)

  /// `:42`.
  case integer(Int64)

  /// `$5 hello`; nil for a missing value.
  case bulk([UInt8]?)

  /// `*2 …`; nil for a missing value.
  case array([RESPValue]?)

  /// The text of the value; nil for a number, an error or an array, for a missing value, and for invalid UTF-8.
  var text: String? {
    switch self {
    case .bulk(let bytes): bytes.flatMap { String(validating: $0, as: UTF8.self) }
    case .status(let text): text
    case .error, .integer, .array: nil
    }
  }

  /// The integer of the value, also of a text; nil for anything else.
  var integer: Int64? {
    if case .integer(let number) = self { return number }
    return text.flatMap { Int64($0) }
  }

  /// Returns the value of a field of `INFO`, at most 64 printable characters; nil where it is missing.
  func fact(_ name: String) -> String? {
    text?.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name + ":") }
      .map { String($0.dropFirst(name.count + 1)).printable(limit: 64) }
  }

  /// The elements of an array; nil for anything else.
  var elements: [RESPValue]? {
    if case .array(let elements) = self { return elements }
    return nil
  }
}

/// An error reply of Redis: a code in capitals, and its message.
package struct RESPFault: Error, Hashable, Sendable {
  /// The code: `NOAUTH`, `READONLY`, `OOM`, `LOADING`.
  package let code: String

  /// The whole line.
  package let message: String

  init(_ line: String) {
    code = String(line.prefix { $0 != " " })
    message = line
  }
}

/// A writer of commands for Redis.
enum RESPWriter {
  /// Returns a command as an array of texts, which is the form of every command.
  static func command(_ words: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(words.reduce(16) { $0 + $1.utf8.count + 16 })
    bytes += "*\(words.count)\r\n".utf8
    for word in words {
      bytes += "$\(word.utf8.count)\r\n".utf8
      bytes += word.utf8
      bytes += [0x0D, 0x0A]
    }
    return bytes
  }
}
