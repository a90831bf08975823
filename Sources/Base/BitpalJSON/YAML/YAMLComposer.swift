package import BitpalModel

/// A builder of nodes from events, which checks the limits as the events arrive.
package struct YAMLComposer {
  /// The issues that do not stop reading.
  package let issues = IssueList()

  private let source: YAMLSource
  private let reader: YAMLReader

  /// Creates a builder for a source.
  package init(_ source: YAMLSource) {
    self.source = source
    reader = YAMLReader(source)
  }

  /// Returns the value of the only document.
  ///
  /// - Throws: The issue at which reading stopped.
  package mutating func document() throws(ConfigurationIssue) -> YAMLNode {
    let empty = YAMLNode(content: .mapping([]), mark: .start, source: source)
    var event = try reader.next()
    if case .streamStart = event.kind { event = try reader.next() }
    guard case .documentStart = event.kind else { return empty }
    let root = try node(from: try reader.next(), depth: 0)
    _ = try reader.next()
    let end = try reader.next()
    guard case .streamEnd = end.kind else {
      throw source.issue("a second document starts here; only one is read per file", at: end.mark)
    }
    guard let root else { return empty }
    return root.isEmpty ? empty : root
  }

  /// Returns the node that starts with an event; nil for an alias, which is reported.
  private func node(from event: YAMLEvent, depth: Int) throws(ConfigurationIssue) -> YAMLNode? {
    if event.hasAnchor {
      issues.add(source.issue("anchors (&name) are not supported; write the value out", at: event.mark))
    }
    if event.hasTag {
      issues.add(source.issue("tags (!name) are not supported; the key decides the type", at: event.mark))
    }
    switch event.kind {
    case .scalar(let text, let isPlain):
      if text.utf8.contains(0) {
        issues.add(source.issue("a text cannot contain a NUL character", at: event.mark))
      }
      return YAMLNode(content: .scalar(text, isPlain: isPlain), mark: event.mark, source: source)
    case .sequenceStart:
      let items = try items(depth: try deeper(depth, at: event.mark))
      return YAMLNode(content: .sequence(items), mark: event.mark, source: source)
    case .mappingStart:
      let entries = try entries(depth: try deeper(depth, at: event.mark))
      return YAMLNode(content: .mapping(entries), mark: event.mark, source: source)
    case .alias:
      issues.add(source.issue("aliases (*name) are not supported; write the value out", at: event.mark))
      return nil
    case .streamStart, .streamEnd, .documentStart, .documentEnd, .sequenceEnd, .mappingEnd:
      throw source.issue("a value is expected here", at: event.mark)
    }
  }

  private func deeper(_ depth: Int, at mark: YAMLMark) throws(ConfigurationIssue) -> Int {
    guard depth < YAMLDocument.depthLimit else {
      throw source.issue("lists and mappings are nested more than \(YAMLDocument.depthLimit) deep", at: mark)
    }
    return depth + 1
  }

  private func items(depth: Int) throws(ConfigurationIssue) -> [YAMLNode] {
    var items: [YAMLNode] = []
    while true {
      let event = try reader.next()
      if case .sequenceEnd = event.kind { return items }
      if let item = try node(from: event, depth: depth) { items.append(item) }
    }
  }

  private func entries(depth: Int) throws(ConfigurationIssue) -> [YAMLNode.Entry] {
    var entries: [YAMLNode.Entry] = []
    var seen: [String: YAMLMark] = [:]
    while true {
      let event = try reader.next()
      if case .mappingEnd = event.kind { return entries }
      let key = try node(from: event, depth: depth)
      if let key, key.content == .scalar("<<", isPlain: true) {
        issues.add(key.issue("merge keys (<<) are not supported; write the keys out"))
        // The value of a merge key is usually an alias, for which a second issue is not needed.
        let count = issues.count
        _ = try node(from: try reader.next(), depth: depth)
        issues.keep(first: count)
        continue
      }
      let value = try node(from: try reader.next(), depth: depth)
      guard let key else { continue }
      guard case .scalar(let name, _) = key.content else {
        issues.add(key.issue("a key must be text, not a list or a mapping"))
        continue
      }
      if let first = seen[name] {
        issues.add(
          key.issue(
            "duplicate key \"\(name.printable(limit: 60))\" (first at line \(first.line), column \(first.column))"))
        continue
      }
      seen[name] = key.mark
      if let value { entries.append(YAMLNode.Entry(key: name, keyMark: key.mark, value: value)) }
    }
  }
}
