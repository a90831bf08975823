import BitpalJSON
import BitpalModel

/// Says what a body has, where something was looked for and not found.
struct BodyOutline {
  private let body: [UInt8]
  private let values: [String: String]

  /// The number of keys that are named.
  private static let most = 12

  /// - Parameter values: The values of the parameters in paths.
  init(_ body: [UInt8], values: [String: String]) {
    self.body = body
    self.values = values
  }

  /// Whether one of the rows of a short form is a text.
  func hasTexts(in from: String) -> Bool {
    text("SELECT 1 FROM \(from) WHERE row.type = 'text' LIMIT 1") != nil
  }

  /// Whether the path leads to `[]` or `{}`.
  func isEmptyContainer(at path: String) -> Bool {
    let sql = JSONPathText(path).sql
    return text("SELECT json_extract(:body, \(sql))").map { $0 == "[]" || $0 == "{}" } ?? false
  }

  /// Whether there is what would hold the last step of the path.
  func hasParent(of path: String) -> Bool {
    type(at: JSONPathText.segments(of: path).dropLast().joined()) != nil
  }

  /// Returns a description of the value at the longest beginning of the path that exists.
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

  /// The first row of the short form, as JSON.
  static func firstRow(of body: [UInt8], from: String, values: [String: String]) -> [UInt8]? {
    BodyOutline(body, values: values).text("SELECT row.value FROM \(from) LIMIT 1").map { Array($0.utf8) }
  }

  private func type(at path: String) -> String? {
    text("SELECT json_type(:body, \(JSONPathText(path).sql))")
  }

  /// The first column of the first row; nil when there is none.
  private func text(_ sql: String) -> String? {
    var result: String?
    // The words of an outline are a courtesy; when it cannot be made the error stands without.
    try? Sandbox().prepare(sql).forEach(in: body, values: values) { result = result ?? $0.text(0) }
    return result
  }
}
