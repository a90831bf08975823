import BitpalJSON
import BitpalModel

/// An outline of a body, for the message about a path that matches nothing in it.
struct BodyOutline {
  private let body: [UInt8]
  private let values: [String: String]

  /// The most keys that a description names.
  private static let most = 12

  /// Creates a body outline.
  ///
  /// - Parameters:
  ///   - body: The body, in JSON.
  ///   - values: The values of the parameters in paths.
  init(_ body: [UInt8], values: [String: String]) {
    self.body = body
    self.values = values
  }

  /// Returns whether one of the rows in a table of the short form is a text.
  func hasTexts(in from: String) -> Bool {
    text("SELECT 1 FROM \(from) WHERE row.type = 'text' LIMIT 1") != nil
  }

  /// Returns whether the path leads to `[]` or `{}`.
  func isEmptyContainer(at path: String) -> Bool {
    let sql = JSONPathText(path).sql
    return text("SELECT json_extract(:body, \(sql))").map { $0 == "[]" || $0 == "{}" } ?? false
  }

  /// Returns whether the object above the path says that there is nothing at it: an element of XML without another one in it, or
  /// a count of zero.
  func saysNothing(at path: String) -> Bool {
    let parent = JSONPathText.segments(of: path).dropLast().joined()
    guard type(at: path) == nil, type(at: parent.isEmpty ? "$" : parent) == "object" else { return false }
    let sql = JSONPathText(parent.isEmpty ? "$" : parent).sql
    return text(
      """
      SELECT 1 FROM (SELECT count(*) AS members, sum(key GLOB '@*') AS attributes,
        sum(lower(key) GLOB '*count*' AND value = 0) AS zeros FROM json_each(:body, \(sql)))
      WHERE members > 0 AND members = attributes OR zeros > 0
      """) != nil
  }

  /// Returns whether the path leads to null.
  func isNull(at path: String) -> Bool { type(at: path) == "null" }

  /// Returns whether a part of the path leads to `[]` or `{}`.
  func hasEmptyContainer(on path: String) -> Bool {
    let segments = JSONPathText.segments(of: path)
    return segments.indices.contains { isEmptyContainer(at: segments[...$0].joined()) }
  }

  /// Returns whether the body has a value at the path without its last step.
  func hasParent(of path: String) -> Bool {
    type(at: JSONPathText.segments(of: path).dropLast().joined()) != nil
  }

  /// Returns a description of the value at the longest prefix of the path that exists.
  func nearest(to path: String, whole: String = "the body") -> String {
    var found = "$"
    var prefix = ""
    for segment in JSONPathText.segments(of: path) {
      prefix += segment
      guard type(at: prefix) != nil else { break }
      found = prefix
    }
    let subject = found == "$" ? whole : found
    let sql = JSONPathText(found).sql
    switch type(at: found) {
    case "object":
      let keys = text(
        """
        SELECT group_concat(key, ', ') FROM (SELECT key FROM json_each(:body, \(sql)) LIMIT \(Self.most))
        """)
      let count = text("SELECT count(*) FROM json_each(:body, \(sql))").flatMap { Int($0) } ?? 0
      guard let keys, count > 0 else { return "\(subject) is an empty object" }
      return "\(subject) has \(keys)" + (count > Self.most ? " and \(count - Self.most) more" : "")
    case "array":
      let count = text("SELECT json_array_length(:body, \(sql))") ?? "0"
      return "\(subject) is an array of \(count)"
    case let type?:
      return "\(subject) is \(type == "null" ? "null" : "a \(type)")"
    case nil:
      return "\(subject) is not JSON"
    }
  }

  /// Returns the first row in a table of the short form, as JSON; nil when there is none.
  static func firstRow(of body: [UInt8], from: String, values: [String: String]) -> [UInt8]? {
    BodyOutline(body, values: values).text("SELECT row.value FROM \(from) LIMIT 1").map { Array($0.utf8) }
  }

  private func type(at path: String) -> String? {
    text("SELECT json_type(:body, \(JSONPathText(path).sql))")
  }

  /// Returns the first column of the first row that has a text there; nil when there is none.
  private func text(_ sql: String) -> String? {
    var result: String?
    // The outline only helps the user, so an error message without it is better than another error.
    try? Sandbox().prepare(sql).forEach(in: body, values: values) { result = result ?? $0.text(0) }
    return result
  }
}
