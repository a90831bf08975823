import BitpalModel

/// A value of a YAML file and where it stands; what a scalar means is for the reader of the key to decide.
struct YAMLNode: Equatable, Sendable {
  /// The kinds of nodes.
  enum Content: Equatable, Sendable {
    /// Text; `isPlain` when it stood there without quotes.
    case scalar(String, isPlain: Bool)

    /// A list.
    case sequence([YAMLNode])

    /// Keys and values, in the order of the file; no key occurs twice.
    case mapping([Entry])
  }

  /// A key and its value.
  struct Entry: Equatable, Sendable {
    let key: String
    let keyMark: YAMLMark
    let value: YAMLNode

    /// The file the key stands in.
    var source: YAMLSource { value.source }

    /// An issue that points at the key.
    func issue(_ message: String) -> ConfigurationIssue {
      source.issue(message, at: keyMark)
    }
  }

  let content: Content
  let mark: YAMLMark
  let source: YAMLSource

  /// The entries of a mapping; nil for other nodes.
  var entries: [Entry]? {
    if case .mapping(let entries) = content { entries } else { nil }
  }

  /// Whether nothing stands after the key's colon.
  var isEmpty: Bool { content == .scalar("", isPlain: true) }

  /// The value of a key of a mapping.
  subscript(key: String) -> YAMLNode? { entry(key)?.value }

  /// The entry of a key of a mapping.
  func entry(_ key: String) -> Entry? {
    entries?.first { $0.key == key }
  }

  /// An issue that points at the node.
  func issue(_ message: String) -> ConfigurationIssue {
    source.issue(message, at: mark)
  }

  /// This mapping with another laid over it: where both have mappings they are merged, else the other's value wins.
  ///
  /// Every value keeps its own place, so that an error in it points into the file it came from.
  func merged(with other: YAMLNode) -> YAMLNode {
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

  /// The mapping without a key; any other node as it is.
  func removing(_ name: String) -> YAMLNode {
    guard let entries else { return self }
    return YAMLNode(content: .mapping(entries.filter { $0.key != name }), mark: mark, source: source)
  }

  /// The node on one line, in YAML's flow form.
  var flowText: String {
    switch content {
    case .scalar(let text, _): text.printable(limit: 200)
    case .sequence(let items): "[" + items.map(\.flowText).joined(separator: ", ") + "]"
    // A placeholder without quotes, which YAML takes for this.
    case .mapping(let entries) where entries.count == 1 && entries.allSatisfy(\.value.isEmpty):
      "{\(entries.map { $0.key.printable(limit: 200) }.joined())}"
    case .mapping(let entries):
      "{ " + entries.map { "\($0.key.printable(limit: 200)): \($0.value.flowText)" }.joined(separator: ", ") + " }"
    }
  }
}
