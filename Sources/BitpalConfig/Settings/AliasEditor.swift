import BitpalFiles
import BitpalJSON
package import BitpalModel
import Glibc

/// An editor that adds or removes an alias in the text of a settings file, and keeps everything else, including
/// comments and layout.
///
/// The new text is parsed before it is returned: an edit that would change anything but the one alias is refused.
package struct AliasEditor: Sendable {
  /// The result of a change.
  package struct Edit: Hashable, Sendable {
    /// The whole new text.
    package let text: String

    /// The coin of the alias before the change; nil when there was none.
    package let previous: String?

    /// The previous bytes of the file; empty for a text that was not read from a file.
    package internal(set) var original: [UInt8] = []
  }

  private let file: String

  /// Creates an editor.
  ///
  /// - Parameter file: The name of the file in messages.
  package init(file: String) {
    self.file = file
  }

  /// Adds the alias `name` for the coin `coin` to the file at `path`, which is replaced only if it changes.
  ///
  /// - Throws: As ``adding(_:for:to:)``; ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the file cannot be
  ///   read or replaced.
  package func add(_ name: String, for coin: String, in path: String) throws(BitpalError) -> Edit {
    try change(path) { text throws(BitpalError) in try adding(name, for: coin, to: text) }
  }

  /// Removes the alias `name` from the file at `path`, which is replaced only if it has the alias.
  ///
  /// - Throws: As ``removing(_:from:)``; ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the file cannot be
  ///   read or replaced.
  package func remove(_ name: String, in path: String) throws(BitpalError) -> Edit {
    try change(path) { text throws(BitpalError) in try removing(name, from: text) }
  }

  private func change(
    _ path: String, _ edit: (String) throws(BitpalError) -> Edit
  ) throws(BitpalError) -> Edit {
    // The folder is locked, because the file itself is replaced.
    let folder = open(PathText.directory(of: PathText.real(path) ?? path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if folder >= 0 { close(folder) } }
    do throws(FileFault) {
      if folder >= 0 { try FileLock.take(folder, within: .seconds(10)) }
    } catch {
      guard error != .refused(code: EWOULDBLOCK) else {
        throw .dataFile(path: file, reason: "another bitpal has been changing it for ten seconds; is one stopped?")
      }
      // On a file system without locks nothing excludes other writers.
    }
    let bytes: [UInt8]
    do throws(FileFault) {
      bytes = try BoundedFile(path, limit: YAMLDocument.sizeLimit).bytes
    } catch {
      throw error.error(of: file)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .dataFile(path: file, reason: "it is not UTF-8 text")
    }
    var edit = try edit(text)
    edit.original = bytes
    if edit.text != text { try FileReplacement.replace(path, with: Array(edit.text.utf8), access: .shared) }
    return edit
  }

  /// Returns the text without the alias `name`; ``Edit/previous`` is its coin, nil when there was none.
  ///
  /// - Throws: As ``adding(_:for:to:)``.
  package func removing(_ name: String, from text: String) throws(BitpalError) -> Edit {
    let name = name.lowercased()
    let root = try Self.root(of: text, file: file)
    var aliases = Self.aliases(root)
    guard let previous = aliases.removeValue(forKey: name), let mapping = root.entry("aliases")?.value,
      let entries = mapping.entries, let index = entries.firstIndex(where: { $0.key.lowercased() == name })
    else { return Edit(text: text, previous: nil) }
    let lines = SettingsText(text)
    let edited: String
    if lines.scalar(at: mapping.mark) == "{" {
      edited = lines.removingPair(at: entries[index].keyMark, value: entries[index].value.mark)
    } else {
      edited = lines.removingLine(entries[index].keyMark.line)
    }
    return try checked(edited, aliases: aliases, against: root, previous: previous)
  }

  /// Returns the text with the alias `name` for the coin `coin`.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` when the text cannot be parsed, or has a form that this
  ///   editor cannot change.
  package func adding(_ name: String, for coin: String, to text: String) throws(BitpalError) -> Edit {
    let name = name.lowercased()
    let root = try Self.root(of: text, file: file)
    let lines = SettingsText(text)
    let entry = root.entry("aliases")
    var aliases = Self.aliases(root)
    let previous = aliases[name]
    let line = "\(Self.scalar(name)): \(Self.scalar(coin))"
    let edited: String
    switch entry?.value.content {
    case .mapping(let entries)?:
      edited = try changed(lines, entry?.value, entries, name: name, coin: coin, line: line)
    case nil:
      edited = lines.appending("aliases:", "  " + line)
    default:
      // The key `aliases` has an empty value.
      guard let entry, entry.value.isEmpty else { throw refusal(root, "aliases: holds no names and coins") }
      edited = lines.inserting("  " + line, afterLine: entry.keyMark.line)
    }
    aliases[name] = coin
    return try checked(edited, aliases: aliases, against: root, previous: previous)
  }

  /// Returns the edit after checking that it changes only the one alias.
  private func checked(
    _ edited: String, aliases: [String: String], against root: YAMLNode, previous: String?
  ) throws(BitpalError) -> Edit {
    guard let result = try? Self.root(of: edited, file: file), Self.aliases(result) == aliases,
      Self.isSame(result.removing("aliases"), root.removing("aliases"))
    else { throw refusal(root, "aliases: is written in a way that this command does not dare to change") }
    return Edit(text: edited, previous: previous)
  }

  private func changed(
    _ lines: SettingsText, _ mapping: YAMLNode?, _ entries: [YAMLNode.Entry], name: String, coin: String, line: String
  ) throws(BitpalError) -> String {
    if let old = entries.first(where: { $0.key.lowercased() == name }) {
      return lines.replacingScalar(at: old.value.mark, with: Self.scalar(coin))
    }
    let isFlow = mapping.map { lines.scalar(at: $0.mark) == "{" } ?? false
    guard let first = entries.first, let last = entries.last else {
      return mapping.map { lines.inserting(" \(line) ", afterCharacterAt: $0.mark) } ?? lines.text
    }
    if isFlow { return lines.inserting(", " + line, afterScalarAt: last.value.mark) }
    let indent = String(repeating: " ", count: first.keyMark.column - 1)
    return lines.inserting(indent + line, afterLine: last.value.mark.line)
  }

  private func refusal(_ root: YAMLNode, _ reason: String) -> BitpalError {
    let issue = root.entry("aliases")?.issue(reason) ?? root.source.issue(reason)
    return .configuration([issue])
  }

  private static func root(of text: String, file: String) throws(BitpalError) -> YAMLNode {
    let document = YAMLDocument(YAMLSource(file: file, directory: "/", bytes: Array(text.utf8)))
    guard document.issues.isEmpty, let root = document.root else { throw .configuration(document.issues) }
    return root
  }

  private static func aliases(_ root: YAMLNode) -> [String: String] {
    var aliases: [String: String] = [:]
    for entry in root["aliases"]?.entries ?? [] {
      if case .scalar(let coin, _) = entry.value.content { aliases[entry.key.lowercased()] = coin }
    }
    return aliases
  }

  /// Returns whether two nodes have the same content, whatever their places.
  private static func isSame(_ left: YAMLNode, _ right: YAMLNode) -> Bool {
    switch (left.content, right.content) {
    case (.scalar(let left, let leftIsPlain), .scalar(let right, let rightIsPlain)):
      left == right && leftIsPlain == rightIsPlain
    case (.sequence(let left), .sequence(let right)):
      left.count == right.count && zip(left, right).allSatisfy(isSame)
    case (.mapping(let left), .mapping(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.key == $1.key && isSame($0.value, $1.value) }
    default: false
    }
  }

  /// Returns a text as a YAML scalar: plain if it is unambiguous, otherwise in double quotes.
  private static func scalar(_ text: String) -> String {
    let isPlain =
      text.first.map { $0.isASCII && ($0.isLetter || $0.isNumber) } ?? false
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    if isPlain { return text }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
