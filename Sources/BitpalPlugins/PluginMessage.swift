import BitpalJSON
import BitpalModel

/// A line that a plugin wrote: one JSON object.
struct PluginMessage: Sendable {
  let bytes: [UInt8]

  /// - Parameter question: What it answers, for words about a failure.
  /// - Throws: ``PluginFault/broken(_:)`` for a line that is no JSON object.
  init(_ line: [UInt8], answering question: String) throws(PluginFault) {
    bytes = line
    guard (try? rows("SELECT 1 WHERE json_type(:body) = 'object'") { _ in true })?.count == 1 else {
      let start = String(decoding: line.prefix(80), as: UTF8.self).printable(limit: 60)
      throw .broken("answered \(question) with what is no JSON object: \(start.isEmpty ? "an empty line" : start)")
    }
  }

  /// What a text or a number at a path says; nil when there is nothing.
  func text(_ path: String) -> String? {
    rowsOrNone("SELECT :body ->> '\(path)'") { $0.text(0) }.first.flatMap(\.self)
  }

  /// What the members of the object say: of an array each element, of an object each member with its name, of anything
  /// else itself.
  func members() -> [String: [(name: String, text: String)]] {
    let rows = rowsOrNone(
      """
      SELECT member.key, part.key, part.value
      FROM json_each(:body) AS member,
        json_each(iif(member.type IN ('array', 'object'), member.value, json_array(member.value))) AS part
      WHERE part.value IS NOT NULL
      """
    ) { row in (0..<3).map { row.text($0) ?? "" } }
    return Dictionary(grouping: rows) { $0[0] }.mapValues { $0.map { ($0[1], $0[2]) } }
  }

  /// Whether something stands at a path.
  func has(_ path: String) -> Bool {
    !rowsOrNone("SELECT 1 WHERE json_type(:body, '\(path)') IS NOT NULL") { _ in true }.isEmpty
  }

  /// The JSON at a path; nil when there is nothing.
  func json(_ path: String) -> [UInt8]? {
    rowsOrNone("SELECT :body -> '\(path)'") { $0.text(0).map { Array($0.utf8) } }.first.flatMap(\.self)
  }

  /// Something of each row of a SELECT over `:body`.
  ///
  /// - Parameter sql: One of few texts: what is compiled is kept.
  func rows<Value>(_ sql: String, _ value: (SandboxRow) -> Value) throws -> [Value] {
    var values: [Value] = []
    try Self.sandboxes.forEach(sql, in: bytes, values: [:]) { values.append(value($0)) }
    return values
  }

  private static let sandboxes = SandboxPool()

  /// The same of a message that has been read, in which nothing can fail but the memory.
  func rowsOrNone<Value>(_ sql: String, _ value: (SandboxRow) -> Value) -> [Value] {
    (try? rows(sql, value)) ?? []
  }
}
