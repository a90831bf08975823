import BitpalModel

/// A reply of Redis, in the second version of its protocol (RESP2).
enum RESPValue: Hashable, Sendable {
  /// `+OK`.
  case status(String)

  /// `-ERR unknown command`.
  case error(RESPFault)

  /// `:42`.
  case integer(Int64)

  /// `$5 hello`; nil for what is not there.
  case bulk([UInt8]?)

  /// `*2 …`; nil for what is not there.
  case array([RESPValue]?)

  /// A text; nil for anything else, for what is not there, and for what is no UTF-8.
  var text: String? {
    switch self {
    case .bulk(let bytes): bytes.flatMap { String(validating: $0, as: UTF8.self) }
    case .status(let text): text
    case .error, .integer, .array: nil
    }
  }

  /// A number; nil for anything else.
  var integer: Int64? {
    if case .integer(let number) = self { return number }
    return text.flatMap { Int64($0) }
  }

  /// What `INFO` says under a name; nil where it does not.
  func fact(_ name: String) -> String? {
    text?.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name + ":") }
      .map { String($0.dropFirst(name.count + 1)).printable(limit: 64) }
  }

  /// What an array holds; nil for anything else.
  var elements: [RESPValue]? {
    if case .array(let elements) = self { return elements }
    return nil
  }
}

/// What Redis says when it does not do what was asked: a word in capitals, and what follows it.
package struct RESPFault: Error, Hashable, Sendable {
  /// The word: `NOAUTH`, `READONLY`, `OOM`, `LOADING`.
  package let code: String

  /// The whole line.
  package let message: String

  init(_ line: String) {
    code = String(line.prefix { $0 != " " })
    message = line
  }
}

/// Writes what is asked of Redis.
enum RESPWriter {
  /// A command as an array of texts, which is how every command is sent.
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
