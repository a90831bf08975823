import BitpalModel

/// What everything is called that a fleet keeps: `bitpal:1:answer:…`.
///
/// The number is the version of what is written, so that another version's is never read.
struct FleetKeys: Hashable, Sendable {
  /// What all names begin with.
  let prefix: String

  init(_ settings: FleetSettings) {
    prefix = settings.prefix + ":"
  }

  /// A budget.
  func budget(_ key: String) -> String { name(["budget", key]) }

  /// The beginning of the names of a budget's lists of tokens.
  func tokens(_ key: String) -> String { name(["tokens", key]) + ":" }

  /// A key for trying commands.
  var probe: String { name(["probe"]) }

  /// The last part of a name, as it was before it was escaped.
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

  /// An answer.
  func answer(_ key: AnswerKey) -> String { name(["answer"] + Self.parts(of: key)) }

  /// The right to ask for an answer.
  func flight(_ key: AnswerKey) -> String { name(["flight"] + Self.parts(of: key)) }

  /// A pattern of `SCAN` for the names of a kind.
  func all(_ kind: String) -> String { Self.pattern(name([kind])) + ":*" }

  private static func parts(of key: AnswerKey) -> [String] {
    [key.kind.rawValue, key.provider, key.coin, key.currency, key.range]
  }

  private func name(_ parts: [String]) -> String { prefix + (["1"] + parts.map(Self.escaped)).joined(separator: ":") }

  /// A part without what stands between parts, and without what a terminal would not show.
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
