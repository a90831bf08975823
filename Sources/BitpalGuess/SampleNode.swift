import BitpalJSON
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// A sample as a tree; of long lists only the beginning.
indirect enum SampleNode: Sendable {
  case object([Member])
  case array([SampleNode])
  case string(String)
  /// A number's own text.
  case number(String)
  case other

  /// A key and what stands there.
  struct Member: Sendable {
    let key: String
    let value: SampleNode
  }

  /// So many elements of a list tell what the others are like.
  static let breadth = 60

  /// So many values of a sample are looked at, so that even the oddest takes no time that anybody would notice.
  static let most = 5000

  private static let depth = 8

  /// Reads a body; `isCut` is set when it has more values than are looked at.
  init(_ body: [UInt8], isCut: inout Bool) throws {
    self = try Self.read(body, JSONRows(), depth: 0, most: Self.most, &isCut)
  }

  private static func read(
    _ text: [UInt8], _ reader: JSONRows, depth: Int, most: Int, _ isCut: inout Bool
  ) throws -> SampleNode {
    let isObject = text.first { $0 > 0x20 } == UInt8(ascii: "{")
    var found: [(key: String, type: String, text: String)] = []
    let sql = """
      SELECT e.key AS key, e.type AS type,
        CASE WHEN e.type IN ('integer', 'real') THEN ?1 -> e.fullkey ELSE e.value END AS text
      FROM json_each(?1) AS e LIMIT \(breadth)
      """
    try reader.forEach(sql, in: text) { row in
      found.append((row.text("key") ?? "", row.text("type") ?? "", row.text("text") ?? ""))
    }
    if found.count > most {
      isCut = true
      found = Array(found.prefix(most))
    }
    // Each list or object below has the same share of what is left, so that no one takes it from those that follow.
    let lists = found.filter { ["object", "array"].contains($0.type) }.count
    let share = lists == 0 ? 0 : (most - found.count) / lists
    let nodes = try found.map { item -> SampleNode in
      switch item.type {
      case "text": .string(item.text)
      case "integer", "real": .number(item.text)
      case "object" where item.text == "{}": .object([])
      case "array" where item.text == "[]": .array([])
      case "object", "array":
        depth < Self.depth ? try read(Array(item.text.utf8), reader, depth: depth + 1, most: share, &isCut) : .other
      default: .other
      }
    }
    guard isObject else { return .array(nodes) }
    return .object(zip(found, nodes).map { Member(key: $0.0.key, value: $0.1) })
  }

  /// The number here, or in the text here.
  var decimal: Decimal? {
    switch self {
    case .number(let text), .string(let text): try? Decimal(strict: text)
    case .object, .array, .other: nil
    }
  }

  /// The text here, if it is no number.
  var word: String? {
    if case .string(let text) = self, decimal == nil { text } else { nil }
  }

  /// The instant here and how it is written; nil for what is none.
  var instant: (date: Date, format: DeclaredOperation.TimeFormat)? {
    switch self {
    case .number(let text): Self.instant(text)
    case .string(let text): Self.instant(text)
    case .object, .array, .other: nil
    }
  }

  /// Numbers are told apart by their size: from 2001 to 2100.
  static func instant(_ text: String) -> (date: Date, format: DeclaredOperation.TimeFormat)? {
    if let number = try? Decimal(strict: text) {
      let seconds = Decimal(1_000_000_000)...Decimal(4_102_444_800)
      func date(_ milliseconds: Decimal) -> Date? {
        Int64(milliseconds.rounded(scale: 0).plainText).map { Date(milliseconds: $0) }
      }
      if seconds.contains(number) { return date(number * 1000).map { ($0, .seconds) } }
      let milliseconds = Decimal(1_000_000_000_000)...Decimal(4_102_444_800_000)
      if milliseconds.contains(number) { return date(number).map { ($0, .milliseconds) } }
      return nil
    }
    guard text.utf8.count >= 10, text.contains("-"), let date = Date(utcText: text) else { return nil }
    return (date, .iso8601)
  }

  /// Whether this is a list or an object.
  var isContainer: Bool {
    switch self {
    case .object, .array: true
    case .string, .number, .other: false
    }
  }

  /// What stands below, with the step that leads there.
  var children: [(step: SamplePath.Step, node: SampleNode)] {
    switch self {
    case .object(let members): members.map { (.key($0.key), $0.value) }
    case .array(let items): items.enumerated().map { (.index($0.offset), $0.element) }
    case .string, .number, .other: []
    }
  }

  /// What stands at a path.
  func node(at path: SamplePath) -> SampleNode? {
    path.steps.reduce(self as SampleNode?) { node, step in node?.children.first { $0.step == step }?.node }
  }

  /// Every text, number and null below, with its path.
  func leaves(below path: SamplePath = SamplePath()) -> [(path: SamplePath, node: SampleNode)] {
    isContainer ? children.flatMap { $0.node.leaves(below: path + $0.step) } : [(path, self)]
  }
}

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
