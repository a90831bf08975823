import BitpalModel

/// A provider file that gets one operation more.
///
/// It is changed line by line, so that comments, order and layout of whoever has worked on it stay.
public struct ExistingFile: Sendable {
  /// The file as it is.
  public let text: String

  /// Where its requests go.
  public let base: String

  /// Creates a file to add to.
  public init(text: String, base: String) {
    self.text = text
    self.base = base
  }

  /// The file with the operation and its example.
  ///
  /// What the operation needs of the head (`symbols`, `headers`, …) is added where the file has nothing of that name.
  ///
  /// - Throws: `BitpalError.usage` when the operation is there already, or the examples stand on one line.
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
    // A comment above the examples is about them.
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

  /// What one operation may need besides those that are there.
  private static let addable: Set<String> = ["headers", "key_env", "key_hosts", "currencies", "symbols", "ids"]

  /// The key that begins a line of the top level.
  private static func key(of line: String) -> String? {
    guard let first = line.first, first.isLetter else { return nil }
    return line.firstIndex(of: ":").map { String(line[..<$0]) }
  }
}
