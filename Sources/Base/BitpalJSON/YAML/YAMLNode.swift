package import BitpalModel

/// A value of a YAML file and its place; the decoder of the key decides on the meaning of a scalar.
package struct YAMLNode: Equatable, Sendable {
  /// The kinds of nodes.
  package enum Content: Equatable, Sendable {
    /// A text; `isPlain` if it is written without quotes.
    case scalar(String, isPlain: Bool)

    /// A list of values.
    case sequence([YAMLNode])

    /// A mapping of keys to values, in the order of the file; no key occurs twice.
    case mapping([Entry])
  }

  /// A key and its value.
  package struct Entry: Equatable, Sendable {
    /// The key.
    package let key: String

    /// The place of the key.
    package let keyMark: YAMLMark

    /// The value.
    package let value: YAMLNode

    /// Creates an entry.
    package init(key: String, keyMark: YAMLMark, value: YAMLNode) {
      self.key = key
      self.keyMark = keyMark
      self.value = value
    }

    /// The file that contains the key.
    package var source: YAMLSource { value.source }

    /// Returns an issue at the place of the key.
    package func issue(_ message: String) -> ConfigurationIssue {
      source.issue(message, at: keyMark)
    }
  }

  /// The content.
  package let content: Content

  /// The place of its first character.
  package let mark: YAMLMark

  /// The file that contains it.
  package let source: YAMLSource

  /// Creates a node.
  package init(content: Content, mark: YAMLMark, source: YAMLSource) {
    self.content = content
    self.mark = mark
    self.source = source
  }

  /// The entries of a mapping; nil for other nodes.
  package var entries: [Entry]? {
    if case .mapping(let entries) = content { entries } else { nil }
  }

  /// Whether the value is empty: nothing follows the colon of its key, or one of YAML's words for nothing (YAML 1.2,
  /// section 10.3.2).
  package var isEmpty: Bool {
    if case .scalar(let text, isPlain: true) = content {
      ["", "~", "null", "Null", "NULL"].contains(text)
    } else {
      false
    }
  }

  /// Returns the value of a key in a mapping; nil without it.
  package subscript(key: String) -> YAMLNode? { entry(key)?.value }

  /// Returns the entry of a key in a mapping; nil without it.
  package func entry(_ key: String) -> Entry? {
    entries?.first { $0.key == key }
  }

  /// Returns an issue at the place of the node.
  package func issue(_ message: String) -> ConfigurationIssue {
    source.issue(message, at: mark)
  }

  /// Returns this mapping merged with another: mappings under the same key are merged, otherwise the other's value
  /// takes precedence.
  ///
  /// Each value keeps its place, so that an issue refers to the file that contains it.
  package func merged(with other: YAMLNode) -> YAMLNode {
    guard var merged = entries, let others = other.entries else { return other.isEmpty ? self : other }
    for entry in others {
      if let index = merged.firstIndex(where: { $0.key == entry.key }) {
        let value = merged[index].value.merged(with: entry.value)
        merged[index] = Entry(key: entry.key, keyMark: entry.keyMark, value: value)
      } else {
        merged.append(entry)
      }
    }
    return YAMLNode(content: .mapping(merged), mark: mark, source: source)
  }

  /// Returns the mapping `other` with the keys of this one that it lacks.
  ///
  /// Mappings under the same key are extended likewise, and a key without a value takes the inherited one away.
  ///
  /// - Parameter keys: The keys of this mapping that are not inherited.
  package func extended(by other: YAMLNode, exceptFor keys: [String] = []) -> YAMLNode {
    guard let inherited = entries, let own = other.entries else { return other }
    let others = own.compactMap { entry -> Entry? in
      guard let base = inherited.first(where: { $0.key == entry.key }), !keys.contains(entry.key) else { return entry }
      guard !entry.value.isEmpty else { return nil }
      return Entry(key: entry.key, keyMark: entry.keyMark, value: base.value.extended(by: entry.value))
    }
    let rest = inherited.filter { entry in !keys.contains(entry.key) && !own.contains { $0.key == entry.key } }
    return YAMLNode(content: .mapping(others + rest), mark: other.mark, source: other.source)
  }

  /// The node on one line, in YAML's flow style.
  package var flowText: String {
    switch content {
    case .scalar(let text, _): text.printable(limit: 200)
    case .sequence(let items): "[" + items.map(\.flowText).joined(separator: ", ") + "]"
    // YAML reads a placeholder without quotes as a mapping.
    case .mapping(let entries) where entries.count == 1 && entries.allSatisfy(\.value.isEmpty):
      "{\(entries.map { $0.key.printable(limit: 200) }.joined())}"
    case .mapping(let entries):
      "{ " + entries.map { "\($0.key.printable(limit: 200)): \($0.value.flowText)" }.joined(separator: ", ") + " }"
    }
  }
}
