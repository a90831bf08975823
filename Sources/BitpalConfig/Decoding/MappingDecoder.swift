import BitpalModel

/// Reads a mapping whose keys are known; unknown ones are reported with what was probably meant.
struct MappingDecoder {
  /// The entries with a known key, in the order of the file.
  let entries: [YAMLNode.Entry]

  /// The dotted name of the mapping; empty for the file itself.
  let name: String

  private let issues: IssueList

  /// Starts reading a node.
  ///
  /// - Parameters:
  ///   - node: A mapping, or nothing (a key whose lines are all commented out); anything else is an issue.
  ///   - name: The dotted name of the mapping; empty for the file itself.
  ///   - keys: The keys it may have; any when nil.
  init(_ node: YAMLNode, name: String, keys: [String]?, issues: IssueList) {
    self.name = name
    self.issues = issues
    guard let all = node.entries else {
      if !node.isEmpty {
        let subject = name.isEmpty ? "the file" : name
        issues.add(node.issue("\(subject) must hold keys and values (key: value), not \(node.kindText)"))
      }
      entries = []
      return
    }
    entries = keys.map { keys in all.filter { keys.contains($0.key) } } ?? all
    guard let keys, entries.count < all.count else { return }
    for entry in all where !keys.contains(entry.key) {
      issues.add(entry.issue(Self.unknownKey(entry.key, keys: keys)))
    }
  }

  /// The value of a key; nil when the file does not have the key.
  subscript(key: String) -> DeclaredValue? {
    entry(key).map { DeclaredValue($0, in: name, issues: issues) }
  }

  /// The values in the order of the file.
  var values: [DeclaredValue] {
    entries.map { DeclaredValue($0, in: name, issues: issues) }
  }

  /// The entry of a key.
  func entry(_ key: String) -> YAMLNode.Entry? {
    entries.first { $0.key == key }
  }

  private static func unknownKey(_ key: String, keys: [String]) -> String {
    let advice =
      NearestName.match(key, among: keys).map { "did you mean \"\($0)\"?" }
      ?? "valid here: \(keys.joined(separator: ", "))"
    return "unknown key \"\(key.printable(limit: 60))\" (\(advice))"
  }
}
