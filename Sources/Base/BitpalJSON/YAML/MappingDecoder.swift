package import BitpalModel

/// A decoder of a mapping with known keys, which reports unknown ones with the nearest valid key.
package struct MappingDecoder {
  /// The entries with a known key, in the order of the file.
  package let entries: [YAMLNode.Entry]

  /// The dotted name of the mapping; empty for the file itself.
  package let name: String

  private let issues: IssueList

  /// Creates a decoder for a node.
  ///
  /// - Parameters:
  ///   - node: A mapping, or an empty value (a key whose lines are all comments); anything else is an issue.
  ///   - name: The dotted name of the mapping; empty for the file itself.
  ///   - keys: The valid keys; nil for any.
  ///   - issues: The list to which its issues, and those of its values, are added.
  package init(_ node: YAMLNode, name: String, keys: [String]?, issues: IssueList) {
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

  /// Returns the value of a key; nil when the key is missing.
  package subscript(key: String) -> DeclaredValue? {
    entry(key).map { DeclaredValue($0, in: name, issues: issues) }
  }

  /// The values, in the order of the file.
  package var values: [DeclaredValue] {
    entries.map { DeclaredValue($0, in: name, issues: issues) }
  }

  /// Returns the entry of a key; nil when the key is missing.
  package func entry(_ key: String) -> YAMLNode.Entry? {
    entries.first { $0.key == key }
  }

  private static func unknownKey(_ key: String, keys: [String]) -> String {
    let secrets: Set<String> = ["key", "api_key", "apikey", "token", "secret", "password"]
    let advice =
      secrets.contains(key.lowercased())
      ? "keys are read from variables, which \"bitpal providers show NAME\" names"
      : NearestName.match(key, among: keys).map { "did you mean \"\($0)\"?" }
        ?? "valid here: \(keys.joined(separator: ", "))"
    return "unknown key \"\(key.printable(limit: 60))\" (\(advice))"
  }
}

/// A list of the issues of a file, so that one run reports all of them.
package final class IssueList {
  /// Creates an empty list.
  package init() {}

  /// The largest number of issues that are kept; a file with more is probably not meant for this program.
  package static let limit = 50

  private var issues: [ConfigurationIssue] = []

  /// The number of issues.
  package var count: Int { issues.count }

  /// Whether the list of issues is empty.
  package var isEmpty: Bool { issues.isEmpty }

  /// Adds an issue unless there are already ``limit``; otherwise it is not even created, because its place takes time
  /// to find.
  package func add(_ issue: @autoclosure () -> ConfigurationIssue) {
    if issues.count < Self.limit { issues.append(issue()) }
  }

  /// Adds issues, up to ``limit``.
  package func add(_ issues: [ConfigurationIssue]) {
    for issue in issues { add(issue) }
  }

  /// Removes all issues except the first `count`.
  package func keep(first count: Int) {
    issues.removeLast(max(0, issues.count - count))
  }

  /// The issues grouped by file, in the order of each file's first issue, and by place within a file.
  package var sorted: [ConfigurationIssue] {
    var files: [String: Int] = [:]
    for issue in issues where files[issue.file] == nil { files[issue.file] = files.count }
    func place(_ issue: ConfigurationIssue) -> (Int, Int, Int) {
      (files[issue.file] ?? 0, issue.line ?? 0, issue.column ?? 0)
    }
    return issues.sorted { place($0) < place($1) }
  }

  /// Checks that the list of issues is empty.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` with all issues, if there are any.
  package func check() throws(BitpalError) {
    guard isEmpty else { throw .configuration(sorted) }
  }
}
