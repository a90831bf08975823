import BitpalFiles
import BitpalJSON
package import BitpalModel
import Glibc

/// The file `preferences.yaml` beside the settings file, which commands write and which is layered over the settings.
///
/// It is sorted and replaced whole; the user's own file is never edited.
package struct PreferencesFile: Sendable {
  /// The result of a change.
  package struct Change: Hashable, Sendable {
    /// The value before the change; nil when there was none.
    package let previous: String?

    /// The bytes of the file before and after the change; nil for no file.
    package let before, after: [UInt8]?
  }

  /// The name of the file in its folder.
  static let fileName = "preferences.yaml"

  /// The comment with which the file begins.
  private static let comment = "# Written by bitpal, and read after the settings beside it.\n"

  /// The settings that a command may change, one by one; each is a text.
  package static let keys: Set<String> = [
    "provider", "currency", "convert", "timezone", "refresh", "cache.path", "cache.memory", "cache.disk",
    "cache.max_stale", "cache.while_renewing", "cache.ttl.quotes", "cache.ttl.detail", "cache.ttl.coin_list",
    "chart.default_type", "chart.default_range", "chart.last_type",
  ]

  /// The settings of them that are lists of providers.
  package static let lists: Set<String> = ["provider", "convert"]

  private let file: SettingsFile

  /// Creates a description of a file, which need not exist.
  package init(_ file: SettingsFile) {
    self.file = file
  }

  /// Sets the text at a path of keys, or removes it, and replaces the file if that changes it.
  ///
  /// - Parameters:
  ///   - path: The keys from the outermost to the innermost, at least one.
  ///   - text: The new text; nil to remove the innermost key, with every mapping that has become empty. Commas separate the
  ///     items of a list of providers.
  ///   - check: Refuses the new content by an error, before it is written.
  /// - Throws: The error of `check`; ``/BitpalModel/BitpalError/configuration(_:)`` when the file cannot be parsed or is
  ///   another program's, ``/BitpalModel/BitpalError/usage(_:hint:)`` for a text that the file cannot hold,
  ///   ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when it cannot be read or replaced.
  package func set(
    _ path: [String], to text: String?, check: ([UInt8]) throws(BitpalError) -> Void = { (_) throws(BitpalError) in }
  ) throws(BitpalError) -> Change {
    if text != nil {
      do throws(FileFault) { try PrivateFolder.make(above: file.path) } catch { throw error.error(of: file.name) }
    }
    // The folder is locked, because the file itself is replaced.
    let folder = open(PathText.directory(of: PathText.real(file.path) ?? file.path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if folder >= 0 { close(folder) } }
    do throws(FileFault) {
      if folder >= 0 { try FileLock.take(folder, within: .seconds(10)) }
    } catch {
      guard error != .refused(code: EWOULDBLOCK) else {
        throw .dataFile(path: file.name, reason: "another bitpal has been changing it for ten seconds; is one stopped?")
      }
      // On a file system without locks nothing excludes other writers.
    }
    let before = try bytes()
    let root = try Self.root(of: before ?? [], named: file.name)
    let previous = root.scalarText(at: path)
    if previous == text { return Change(previous: text, before: before, after: before) }
    let changed = root.setting(text, at: path[...]).setting("\(SettingsDecoder.version)", at: ["bitpal"])
    let after = Array((Self.comment + changed.blockLines.map { $0 + "\n" }.joined()).utf8)
    guard let read = try? Self.root(of: after, named: file.name), read.scalarText(at: path) == text else {
      let name = path.joined(separator: ".").printable(limit: 80)
      throw .usage("\(file.name) cannot hold \(name): \((text ?? "").printable(limit: 80))")
    }
    try check(after)
    try FileReplacement.replace(file.path, with: after, access: .shared)
    return Change(previous: previous, before: before, after: after)
  }

  /// Returns the content of the file; nil when it is missing.
  private func bytes() throws(BitpalError) -> [UInt8]? {
    do throws(FileFault) {
      return try BoundedFile(file.path, limit: YAMLDocument.sizeLimit).bytes
    } catch {
      if error == .missing { return nil }
      throw error.error(of: file.name)
    }
  }

  private static func root(of bytes: [UInt8], named name: String) throws(BitpalError) -> YAMLNode {
    let source = YAMLSource(file: name, directory: "/", bytes: bytes)
    let document = YAMLDocument(source)
    guard document.issues.isEmpty, let root = document.root else { throw .configuration(document.issues) }
    guard let entries = root.entries, entries.isEmpty || root.entry("bitpal") != nil else {
      throw .configuration([source.issue("it has no line \"bitpal: 1\", so it is another program's, and is kept")])
    }
    return root
  }
}

extension YAMLNode {
  /// Returns the text at a path of keys, whatever their case; nil where there is none.
  fileprivate func scalarText(at path: [String]) -> String? {
    let node = path.reduce(YAMLNode?.some(self)) { node, key in
      node?.entries?.first { $0.key.lowercased() == key.lowercased() }?.value
    }
    switch node?.content {
    case .scalar(let text, _)?: return text
    case .sequence(let items)?:
      let texts = items.compactMap { if case .scalar(let text, _) = $0.content { text } else { nil } }
      return texts.count == items.count ? texts.joined(separator: ",") : nil
    case .mapping?, nil: return nil
    }
  }

  /// Returns the mapping with a text at a path of keys, or without that path.
  fileprivate func setting(_ text: String?, at path: ArraySlice<String>) -> YAMLNode {
    guard let key = path.first else { return self }
    let old = entries?.first { $0.key.lowercased() == key.lowercased() }?.value
    var entries = (entries ?? []).filter { $0.key.lowercased() != key.lowercased() }
    let new: YAMLNode?
    if path.count == 1 {
      new = text.map { text in
        let items = PreferencesFile.lists.contains(key) ? text.split(separator: ",").map(String.init) : [text]
        let nodes = items.map { YAMLNode(content: .scalar($0, isPlain: false), mark: mark, source: source) }
        return nodes.count == 1 ? nodes[0] : YAMLNode(content: .sequence(nodes), mark: mark, source: source)
      }
    } else {
      let inner = old ?? YAMLNode(content: .mapping([]), mark: mark, source: source)
      new = inner.setting(text, at: path.dropFirst())
    }
    if let new, new.entries?.isEmpty != true { entries.append(Entry(key: key, keyMark: mark, value: new)) }
    return YAMLNode(content: .mapping(entries), mark: mark, source: source)
  }

  /// The lines of a mapping in YAML's block style, sorted by key; the version of the format goes first.
  fileprivate var blockLines: [String] {
    let sorted = (entries ?? []).sorted { ($0.key == "bitpal" ? "" : $0.key) < ($1.key == "bitpal" ? "" : $1.key) }
    return sorted.flatMap { entry in
      let key = Self.scalar(entry.key) + ":"
      guard entry.value.entries?.isEmpty == false else { return ["\(key) \(entry.value.inlineText)"] }
      return [key] + entry.value.blockLines.map { "  " + $0 }
    }
  }

  private var inlineText: String {
    switch content {
    case .scalar(let text, let isPlain): isPlain && isEmpty ? text : Self.scalar(text)
    case .sequence(let items): "[" + items.map(\.inlineText).joined(separator: ", ") + "]"
    case .mapping(let entries):
      "{" + entries.map { "\(Self.scalar($0.key)): \($0.value.inlineText)" }.joined(separator: ", ") + "}"
    }
  }

  /// Returns a text as a YAML scalar: plain if it is unambiguous, otherwise in double quotes.
  private static func scalar(_ text: String) -> String {
    let isSimple =
      text.first.map { $0.isASCII && ($0.isLetter || $0.isNumber) } ?? false
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    if isSimple, text.lowercased() != "null" { return text }
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\", "\"": "\\" + String(scalar)
      case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}":
        "\\u" + String(String(scalar.value + 0x10000, radix: 16).dropFirst())
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}
