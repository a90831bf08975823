import BitpalModel

/// The names of all keys of a fleet, such as `bitpal:1:answer:…`.
///
/// The number is the version of the stored format, so that a value of another version is never read.
struct FleetKeys: Hashable, Sendable {
  /// The beginning of all names: the prefix of the settings and a colon.
  let prefix: String

  init(_ settings: FleetSettings) {
    prefix = settings.prefix + ":"
  }

  /// Returns the name of a budget.
  func budget(_ key: String) -> String { name(["budget", key]) }

  /// Returns the beginning of the names of a budget's lists of tokens.
  func tokens(_ key: String) -> String { name(["tokens", key]) + ":" }

  /// The name of a key on which commands are tried.
  var probe: String { name(["probe"]) }

  /// Returns the last part of a name, without its escapes.
  static func lastPart(of name: String) -> String {
    let part = name.split(separator: ":").last ?? ""
    var bytes: [UInt8] = []
    var rest = part.utf8[...]
    while let byte = rest.popFirst() {
      if byte == 0x25, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the name of an answer.
  func answer(_ key: AnswerKey) -> String { name(["answer"] + Self.parts(of: key)) }

  /// Returns the name of the lock on an answer.
  func flight(_ key: AnswerKey) -> String { name(["flight"] + Self.parts(of: key)) }

  /// Returns a pattern of `SCAN` for the names of a kind.
  func all(_ kind: String) -> String { Self.pattern(name([kind])) + ":*" }

  private static func parts(of key: AnswerKey) -> [String] {
    [key.kind.rawValue, key.provider, key.coin, key.currency, key.range]
  }

  private func name(_ parts: [String]) -> String { prefix + (["1"] + parts.map(Self.escaped)).joined(separator: ":") }

  /// Returns a part in which spaces, control characters, `%`, `:` and bytes from 0x7F on are percent-encoded.
  private static func escaped(_ part: String) -> String {
    guard part.utf8.contains(where: { $0 <= 0x20 || $0 == 0x25 || $0 == 0x3A || $0 >= 0x7F }) else { return part }
    var bytes: [UInt8] = []
    for byte in part.utf8 {
      if byte <= 0x20 || byte == 0x25 || byte == 0x3A || byte >= 0x7F {
        bytes += "%\(String(byte >> 4, radix: 16))\(String(byte & 15, radix: 16))".utf8
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func pattern(_ text: String) -> String {
    String(text.flatMap { "*?[]\\^-".contains($0) ? ["\\", $0] : [$0] })
  }
}
