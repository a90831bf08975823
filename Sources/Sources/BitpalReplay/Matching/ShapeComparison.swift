import BitpalJSON
package import BitpalModel
import BitpalNetwork
import FoundationEssentials

/// A comparison of the shape of a source's answers with the recorded ones: by fields, not values.
package struct ShapeComparison: Hashable, Sendable {
  /// One change.
  package struct Change: Hashable, Sendable {
    /// The kind of a change.
    package enum Kind: String, Hashable, Sendable {
      /// The field is missing now.
      case gone

      /// The field has another type, or the answer another HTTP status.
      case retyped

      /// The field is new.
      case added
    }

    /// The entry of the recording, counted from 1.
    package let entry: Int

    /// The field, such as `$[].current_price`; `status` for the HTTP status.
    package let field: String

    /// The kind of the change.
    package let kind: Kind

    /// The type or status before; nil for a new field.
    package let before: String?

    /// The type or status now; nil for a field that is gone.
    package let after: String?
  }

  /// All changes, in the order of the recording.
  package let changes: [Change]

  /// The number of recorded exchanges that were compared.
  package let compared: Int

  /// The recorded entries whose questions were not asked again.
  package let unasked: [Int]

  /// Whether no field that a reader relies on has changed.
  package var isCompatible: Bool { changes.allSatisfy { $0.kind == .added } }

  /// Compares a recording with the present answers to the same questions.
  ///
  /// - Throws: `BitpalError.recordingDamaged` for a body that cannot be read.
  package init(_ recording: Recording, with exchanges: [CapturedExchange]) throws(BitpalError) {
    var changes: [Change] = []
    var unasked: [Int] = []
    var rest = exchanges
    for exchange in recording.exchanges {
      guard let index = rest.firstIndex(where: { Self.isSame(exchange, $0) }) else {
        unasked.append(exchange.number)
        continue
      }
      let now = rest.remove(at: index).response
      let then = try recording.response(of: exchange)
      changes += Self.changes(entry: exchange.number, from: then, to: now)
    }
    self.changes = changes
    self.unasked = unasked
    compared = recording.exchanges.count - unasked.count
  }

  /// Returns whether two exchanges have the same question; windows count by their length, requests without a question
  /// by their URL.
  private static func isSame(_ recorded: RecordedExchange, _ now: CapturedExchange) -> Bool {
    guard let then = recorded.query, let query = now.query else {
      return RequestShape(now.request).differences(from: recorded.request).isEmpty
    }
    guard recorded.page == now.request.page else { return false }
    switch (then, query) {
    case (.line(_, _, let window), .line(_, _, let other)),
      (.candles(_, _, let window, _), .candles(_, _, let other, _)):
      return then.coins == query.coins && then.currency == query.currency && window.length == other.length
    default:
      return then == query
    }
  }

  private static func changes(entry: Int, from then: HTTPResponse, to now: HTTPResponse) -> [Change] {
    if then.status != now.status {
      return [
        Change(entry: entry, field: "status", kind: .retyped, before: "\(then.status)", after: "\(now.status)")
      ]
    }
    let before = fields(of: then.body)
    let after = fields(of: now.body)
    var changes: [Change] = []
    for field in before.keys.sorted() {
      let old = before[field] ?? []
      guard let new = after[field] else {
        // When a field is gone together with its children, only the field is listed.
        let parent = Self.parent(of: field)
        if parent.map({ after[$0] != nil }) ?? true {
          changes.append(Change(entry: entry, field: field, kind: .gone, before: description(old), after: nil))
        }
        continue
      }
      // A value that is sometimes null does not have another type.
      let unexpected = new.subtracting(old).subtracting(["null"])
      if !unexpected.isEmpty, !old.subtracting(["null"]).isEmpty {
        changes.append(
          Change(entry: entry, field: field, kind: .retyped, before: description(old), after: description(new)))
      }
    }
    for field in after.keys.sorted() where before[field] == nil {
      if let parent = parent(of: field), before[parent] == nil { continue }
      changes.append(
        Change(entry: entry, field: field, kind: .added, before: nil, after: description(after[field] ?? [])))
    }
    return changes
  }

  private static func description(_ types: Set<String>) -> String {
    types.sorted().joined(separator: " or ")
  }

  /// Returns the field that contains this one; nil for the root.
  private static func parent(of field: String) -> String? {
    if field.hasSuffix("[]") { return String(field.dropLast(2)) }
    if field.hasSuffix("\"") { return field.dropLast().lastIndex(of: "\"").map { String(field[..<$0].dropLast()) } }
    return field.lastIndex(of: ".").map { String(field[..<$0]) }
  }

  /// Returns the types of every field, with all elements of an array merged; a body that is not JSON has only that
  /// type.
  private static func fields(of body: [UInt8]) -> [String: Set<String>] {
    var fields: [String: Set<String>] = [:]
    do {
      try JSONRows().forEach(sql, in: body) { row in
        fields[withoutIndexes(row.text("field") ?? "$"), default: []].insert(row.text("type") ?? "null")
      }
      return fields
    } catch {
      return ["$": ["no JSON"]]
    }
  }

  private static let sql = """
    SELECT DISTINCT fullkey AS field, CASE type WHEN 'integer' THEN 'number' WHEN 'real' THEN 'number' WHEN 'true' THEN 'boolean'
      WHEN 'false' THEN 'boolean' WHEN 'text' THEN 'string' ELSE type END AS type
    FROM json_tree(?1)
    """

  /// Returns a path without indexes, `$[12]."price_usd"` → `$[].price_usd`; names with other characters keep their
  /// quotes.
  private static func withoutIndexes(_ path: String) -> String {
    var result = ""
    var rest = path[...]
    while let character = rest.popFirst() {
      result.append(character)
      if character == "[" {
        rest = rest.drop { $0.isASCII && $0.isNumber }
      } else if character == "\"" {
        let name = rest.prefix { $0 != "\"" }
        rest = rest[name.endIndex...].dropFirst()
        if name.allSatisfy({ $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }) {
          result.removeLast()
          result += name
        } else {
          result += name + "\""
        }
      }
    }
    return result
  }
}
