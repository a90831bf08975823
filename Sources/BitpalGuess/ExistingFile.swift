import BitpalModel

/// A provider file to which one operation is added.
///
/// It is changed line by line, so that its comments, order and layout remain.
public struct ExistingFile: Sendable {
  /// The text of the file.
  public let text: String

  /// The base URL of its requests.
  public let base: String

  /// Creates a file to add to.
  public init(text: String, base: String) {
    self.text = text
    self.base = base
  }

  /// Returns the file with the operation and its example.
  ///
  /// Keys of the head that the operation needs (`symbols`, `headers`, …) are added where the file does not have them.
  ///
  /// - Throws: `BitpalError.usage` when the file has the operation already, or its examples are on one line.
  func adding(_ parts: GuessedFile.Parts, of capability: Capability) throws(BitpalError) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    let keys = lines.map(Self.key)
    if keys.contains(capability.rawValue) {
      throw .usage(
        "the file has \(capability.rawValue) already",
        hint: "change them there, or say with --ask what the sample is for")
    }
    var added = parts.head.filter { line in
      Self.key(of: line).map { Self.addable.contains($0) && !keys.contains($0) } ?? false
    }
    added += parts.operation
    guard let examples = keys.firstIndex(of: "examples") else {
      return (lines + [""] + added + ["", "examples:"] + parts.example).joined(separator: "\n") + "\n"
    }
    guard lines[examples].drop(while: { $0 != ":" }).dropFirst().prefix(while: { $0 != "#" }).allSatisfy(\.isWhitespace)
    else {
      throw .usage("the examples of the file stand on one line", hint: "give each a line of its own that begins with -")
    }
    let end = keys[(examples + 1)...].firstIndex { $0 != nil } ?? lines.count
    let indent = lines[(examples + 1)..<end].first { $0.drop { $0 == " " }.hasPrefix("- ") }?.prefix { $0 == " " }
    let example = parts.example.map { "\(indent ?? "  ")\($0.dropFirst(2))" }
    // A comment above the examples describes them.
    let start = lines[..<examples].lastIndex { !$0.hasPrefix("#") }.map { $0 + 1 } ?? examples
    var gap = lines[(examples + 1)..<end].endIndex
    while gap > examples + 1, lines[gap - 1].isEmpty || lines[gap - 1].hasPrefix("#") { gap -= 1 }
    var result = Array(lines[..<start])
    result += added + [""]
    result += lines[start..<gap]
    result += example
    result += lines[gap...]
    return result.joined(separator: "\n") + "\n"
  }

  /// The keys of the head that an operation may add.
  private static let addable: Set<String> = ["headers", "key_env", "key_hosts", "currencies", "symbols", "ids"]

  /// Returns the key at the beginning of a line of the top level; nil for any other line.
  private static func key(of line: String) -> String? {
    guard let first = line.first, first.isLetter else { return nil }
    return line.firstIndex(of: ":").map { String(line[..<$0]) }
  }
}
