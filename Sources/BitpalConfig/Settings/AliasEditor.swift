import BitpalFiles
public import BitpalModel

/// Adds an alias to the text of a settings file, or takes one out; everything else in it, comments and layout too, stays as it is.
///
/// The new text is read again before it is handed out: an edit that would change anything but the one alias is refused.
public struct AliasEditor: Sendable {
  /// The result of a change.
  public struct Edit: Hashable, Sendable {
    /// The whole new text.
    public let text: String

    /// The coin that the alias meant before; nil when it is new.
    public let previous: String?

    /// The bytes of the file before; empty for a text that was not read from a file.
    package internal(set) var original: [UInt8] = []
  }

  private let file: String

  /// - Parameter file: The file's name, for messages.
  public init(file: String) {
    self.file = file
  }

  /// Adds the alias `name` for the coin `coin` to the file at `path`, which is replaced only when it changes.
  ///
  /// - Throws: As ``adding(_:for:to:)``, and ``/BitpalModel/BitpalError/dataFile(path:reason:)``.
  public func add(_ name: String, for coin: String, in path: String) throws(BitpalError) -> Edit {
    try change(path) { text throws(BitpalError) in try adding(name, for: coin, to: text) }
  }

  /// Takes the alias `name` out of the file at `path`, which is replaced only when it has it.
  ///
  /// - Throws: As ``removing(_:from:)``, and ``/BitpalModel/BitpalError/dataFile(path:reason:)``.
  public func remove(_ name: String, in path: String) throws(BitpalError) -> Edit {
    try change(path) { text throws(BitpalError) in try removing(name, from: text) }
  }

  private func change(
    _ path: String, _ edit: (String) throws(BitpalError) -> Edit
  ) throws(BitpalError) -> Edit {
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

  /// The text without the alias `name`; ``Edit/previous`` is what it meant, nil when there was none.
  ///
  /// - Throws: As ``adding(_:for:to:)``.
  public func removing(_ name: String, from text: String) throws(BitpalError) -> Edit {
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

  /// The text with the alias `name` for the coin `coin`.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` when the text cannot be read, or this editor does not
  ///   know how to change it.
  public func adding(_ name: String, for coin: String, to text: String) throws(BitpalError) -> Edit {
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
      // Nothing stands after the colon.
      guard let entry, entry.value.isEmpty else { throw refusal(root, "aliases: holds no names and coins") }
      edited = lines.inserting("  " + line, afterLine: entry.keyMark.line)
    }
    aliases[name] = coin
    return try checked(edited, aliases: aliases, against: root, previous: previous)
  }

  /// The edit, unless it would change anything but the one alias.
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

  /// Whether two nodes say the same, wherever they stand.
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

  /// A text as a YAML scalar: plain where it cannot be anything else, else in double quotes.
  private static func scalar(_ text: String) -> String {
    let isPlain =
      text.first.map { $0.isASCII && ($0.isLetter || $0.isNumber) } ?? false
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    if isPlain { return text }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
