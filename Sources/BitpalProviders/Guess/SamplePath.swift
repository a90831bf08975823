import BitpalModel

/// The way from one place of a sample to another.
struct SamplePath: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  var steps: [Step] = []

  static func + (path: SamplePath, step: Step) -> SamplePath {
    SamplePath(steps: path.steps + [step])
  }

  /// The last key on the way.
  var name: String? {
    steps.reversed().lazy.compactMap { if case .key(let key) = $0 { key } else { nil } }.first
  }

  /// The way as far as the last step.
  var parent: SamplePath { SamplePath(steps: Array(steps.dropLast())) }

  /// The last key without case and punctuation: `last_price` and `lastPrice` are `lastprice`.
  var plainName: String { Self.plain(name ?? "") }

  static func plain(_ name: String) -> String {
    String(
      decoding: name.lowercased().utf8.filter {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
      }, as: UTF8.self)
  }

  /// The path as a provider file writes it, with what names coin and currency as placeholders.
  func text(_ names: inout SampleNames) -> String {
    var text = "$"
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key):
        let template = names.template(ofKey: key) ?? key
        let isPlain = template.utf8.allSatisfy { byte in
          byte == UInt8(ascii: "_") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
            || byte == UInt8(ascii: "-") || (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
            || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
        }
        text += isPlain ? ".\(template)" : ".\"\(template)\""
      }
    }
    return text
  }
}
