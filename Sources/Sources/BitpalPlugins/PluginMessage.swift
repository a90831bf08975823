import BitpalJSON
import BitpalModel

/// A line that a plugin wrote, which holds one JSON object.
struct PluginMessage: Sendable {
  let bytes: [UInt8]

  /// The names of the object's members.
  let keys: Set<String>

  private static let sandboxes = SandboxPool()

  /// Reads a message.
  ///
  /// - Parameter question: The name of the question that it answers, for failures.
  /// - Throws: ``PluginFault/broken(_:)`` for a line that is not a JSON object.
  init(_ line: [UInt8], answering question: String) throws(PluginFault) {
    bytes = line
    let sql = "SELECT json_type(:body) UNION ALL SELECT key FROM json_each(:body)"
    let found: [String]
    do {
      found = try Self.rows(sql, in: line) { $0.text(0) ?? "" }
    } catch Sandbox.Failure.notJSON {
      found = []
    } catch {
      throw Self.tooMuch(line)
    }
    guard found.first == "object" else {
      let start = String(decoding: line.prefix(80), as: UTF8.self).printable(limit: 60)
      throw .broken(
        "answered \(question) with a line that is not a JSON object: \(start.isEmpty ? "an empty line" : start)")
    }
    keys = Set(found.dropFirst())
  }

  /// Returns the text or number at a path as text; nil when there is none.
  ///
  /// - Throws: ``PluginFault/broken(_:)`` when the line takes too much to read.
  func text(_ path: String) throws(PluginFault) -> String? {
    try rows("SELECT :body ->> '\(path)'") { $0.text(0) }.first.flatMap(\.self)
  }

  /// Returns the content of the object's members by name.
  ///
  /// An array gives its elements, an object its members with their names, any other value itself. Nulls are left out.
  ///
  /// - Throws: ``PluginFault/broken(_:)`` when the line takes too much to read.
  func members() throws(PluginFault) -> [String: [(name: String, text: String)]] {
    let rows = try rows(
      """
      SELECT member.key, part.key, part.value
      FROM json_each(:body) AS member,
        json_each(iif(member.type IN ('array', 'object'), member.value, json_array(member.value))) AS part
      WHERE part.value IS NOT NULL
      """
    ) { row in (0..<3).map { row.text($0) ?? "" } }
    return Dictionary(grouping: rows) { $0[0] }.mapValues { $0.map { ($0[1], $0[2]) } }
  }

  /// Returns the JSON at a path; nil when there is none.
  ///
  /// - Throws: ``PluginFault/broken(_:)`` when the line takes too much to read.
  func json(_ path: String) throws(PluginFault) -> [UInt8]? {
    try rows("SELECT :body -> '\(path)'") { $0.text(0).map { Array($0.utf8) } }.first.flatMap(\.self)
  }

  /// Returns a value of each row of a SELECT over `:body`.
  ///
  /// - Parameters:
  ///   - sql: One of few constant texts, because compiled statements are kept.
  ///   - value: Makes the value of a row.
  /// - Throws: ``PluginFault/broken(_:)`` when the line takes too much to read, because a part that has not been read
  ///   must not count as checked.
  func rows<Value>(_ sql: String, _ value: (SandboxRow) -> Value) throws(PluginFault) -> [Value] {
    do {
      return try Self.rows(sql, in: bytes, value)
    } catch {
      throw Self.tooMuch(bytes)
    }
  }

  private static func tooMuch(_ line: [UInt8]) -> PluginFault {
    .broken("wrote a line of \(line.count) bytes that takes too much to read")
  }

  private static func rows<Value>(
    _ sql: String, in bytes: [UInt8], _ value: (SandboxRow) -> Value
  ) throws -> [Value] {
    var values: [Value] = []
    try sandboxes.forEach(sql, in: bytes, values: [:]) { values.append(value($0)) }
    return values
  }
}
