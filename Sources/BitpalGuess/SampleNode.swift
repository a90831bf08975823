import BitpalJSON
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// A sample as a tree, with only the beginning of long lists.
indirect enum SampleNode: Sendable {
  case object([Member])
  case array([SampleNode])
  case string(String)
  /// A number's own text.
  case number(String)
  case other

  /// A key and its value.
  struct Member: Sendable {
    let key: String
    let value: SampleNode
  }

  /// The number of elements that are read of a list; the others are assumed to be alike.
  static let breadth = 60

  /// The number of values that are read of a sample, so that any sample is read in a moment.
  static let most = 5000

  private static let depth = 8

  /// Reads a body; `isCut` is set when it has more values than are read.
  ///
  /// - Throws: ``/BitpalJSON/JSONRows/Failure`` for a body that is not JSON.
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
    // Each list or object below has the same share of the remaining values, so that none uses the share of a later one.
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

  /// The number of this node, or in its text; nil for any other node.
  var decimal: Decimal? {
    switch self {
    case .number(let text), .string(let text): try? Decimal(strict: text)
    case .object, .array, .other: nil
    }
  }

  /// The text of this node, if it is not a number.
  var word: String? {
    if case .string(let text) = self, decimal == nil { text } else { nil }
  }

  /// The instant of this node and its format; nil for any other node.
  var instant: (date: Date, format: DeclaredOperation.TimeFormat)? {
    switch self {
    case .number(let text): Self.instant(text)
    case .string(let text): Self.instant(text)
    case .object, .array, .other: nil
    }
  }

  /// Returns the instant of a text and its format; a number counts by its size, from September 2001 to the start of
  /// 2100.
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

  /// The children, each with the step that leads to it.
  var children: [(step: SamplePath.Step, node: SampleNode)] {
    switch self {
    case .object(let members): members.map { (.key($0.key), $0.value) }
    case .array(let items): items.enumerated().map { (.index($0.offset), $0.element) }
    case .string, .number, .other: []
    }
  }

  /// Returns the node at a path; nil when there is none.
  func node(at path: SamplePath) -> SampleNode? {
    path.steps.reduce(self as SampleNode?) { node, step in node?.children.first { $0.step == step }?.node }
  }

  /// Returns every text, number and null below, with its path.
  func leaves(below path: SamplePath = SamplePath()) -> [(path: SamplePath, node: SampleNode)] {
    isContainer ? children.flatMap { $0.node.leaves(below: path + $0.step) } : [(path, self)]
  }
}

/// A path from one node of a sample to another.
struct SamplePath: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  var steps: [Step] = []

  static func + (path: SamplePath, step: Step) -> SamplePath {
    SamplePath(steps: path.steps + [step])
  }

  /// The last key of the path; nil without a key.
  var name: String? {
    steps.reversed().lazy.compactMap { if case .key(let key) = $0 { key } else { nil } }.first
  }

  /// The path without its last step.
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

  /// Returns the path in the notation of provider files, with placeholders for coin and currency.
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
