package import BitpalFiles
package import BitpalModel

/// A value of a file, read as the type that its key declares; a value that does not fit is reported and read as nil.
package struct DeclaredValue {
  /// The key, the value and their places.
  package let entry: YAMLNode.Entry

  private let parent: String
  private let issues: IssueList

  /// Creates the value of an entry of the mapping with the dotted name `parent`.
  package init(_ entry: YAMLNode.Entry, in parent: String, issues: IssueList) {
    self.entry = entry
    self.parent = parent
    self.issues = issues
  }

  /// The dotted name of the value.
  package var name: String {
    let key = entry.key.printable(limit: 60)
    return parent.isEmpty ? key : parent + "." + key
  }

  /// Reports an issue at the value.
  package func report(_ message: @autoclosure () -> String) {
    issues.add(entry.value.issue(message()))
  }

  /// Reports an issue at the key.
  package func reportKey(_ message: @autoclosure () -> String) {
    issues.add(entry.issue(message()))
  }

  /// Reports an issue at the value, and returns nil for use as a result.
  package func reject<Value>(_ message: @autoclosure () -> String) -> Value? {
    report(message())
    return nil
  }

  /// Reports an issue at a place of its own, and returns nil for use as a result.
  package func fail<Value>(_ issue: @autoclosure () -> ConfigurationIssue) -> Value? {
    issues.add(issue())
    return nil
  }

  /// Returns the text of a scalar; nil when it is empty or not a scalar.
  ///
  /// - Parameter expected: A description of valid values, for the message.
  package func text(_ expected: String = "text") -> String? {
    guard case .scalar(let text, _) = entry.value.content else {
      return reject("\(name) must be \(expected), not \(entry.value.kindText)")
    }
    guard !text.isEmpty, !entry.value.isEmpty else { return reject("\(name) has no value") }
    return text
  }

  /// Reads a time zone by its name; an unknown one is reported with the nearest.
  ///
  /// - Parameters:
  ///   - expected: A description of valid values, for the message.
  ///   - zones: The database with its file.
  package func zone(_ expected: String, of zones: ZoneFiles) -> ClockZone? {
    guard let name = text(expected) else { return nil }
    do throws(ZoneFiles.Problem) {
      return try zones.zone(name)
    } catch {
      return reject(error.description)
    }
  }

  /// Reads `true` or `false`; other spellings are reported.
  package func bool() -> Bool? {
    guard let text = text("true or false") else { return nil }
    switch text {
    case "true": return true
    case "false": return false
    default: return reject("\(name) must be true or false, not \(quoted(text))")
    }
  }

  /// Reads a whole number within a range.
  package func integer(in range: ClosedRange<Int>) -> Int? {
    guard let text = text("a whole number") else { return nil }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return reject("\(name) must be a whole number, not \(quoted(text))")
    }
    guard let value = Int(text), range.contains(value) else {
      return reject(
        "\(name) must be between \(range.lowerBound) and \(range.upperBound), not \(text.printable(limit: 60))")
    }
    return value
  }

  /// Reads a duration of at least `minimum`.
  package func duration(atLeast minimum: Duration = .milliseconds(1)) -> Duration? {
    guard let text = text("a duration like 30s or 5m") else { return nil }
    if text.hasPrefix("-"), Duration(unitText: text.dropFirst()) != nil {
      return reject("\(name) cannot be negative, but is \(text.printable(limit: 60))")
    }
    guard let value = Duration(unitText: text) else {
      return reject(
        "\(name) must be a duration like 30s or 5m (units: ms s m h d w), not \(quoted(text))")
    }
    guard value >= minimum else {
      let bound = minimum > .milliseconds(1) ? "at least \(minimum.unitText)" : "more than 0"
      return reject("\(name) must be \(bound), not \(text.printable(limit: 60))")
    }
    return value
  }

  /// Reads a number of bytes above zero, such as `16MiB`.
  package func bytes() -> Int? {
    guard let text = text("a size like 16MiB") else { return nil }
    guard let value = ByteSize(text)?.bytes else {
      return reject(
        "\(name) must be a size like 16MiB or 512KiB (units: KiB MiB GiB, none for bytes), not \(quoted(text))")
    }
    return value > 0 ? value : reject("\(name) must be more than 0")
  }

  /// Reads the raw value of a case of an enumeration.
  package func choice<Choice: CaseIterable & RawRepresentable<String>>(of type: Choice.Type) -> Choice? {
    choice(among: Choice.allCases.map(\.rawValue)).flatMap { Choice(rawValue: $0) }
  }

  /// Reads one of some texts.
  package func choice(among texts: [String]) -> String? {
    let valid = texts.joined(separator: ", ")
    guard let text = text("one of \(valid)") else { return nil }
    return texts.contains(text) ? text : reject("\(name) must be one of \(valid), not \(quoted(text))")
  }

  /// Returns the items of a list; a single value counts as a list of one, and an empty value as an empty list.
  package func items() -> [DeclaredValue] {
    guard case .sequence(let items) = entry.value.content else { return entry.value.isEmpty ? [] : [self] }
    return items.map { item in
      DeclaredValue(
        YAMLNode.Entry(key: entry.key, keyMark: entry.keyMark, value: item), in: parent, issues: issues)
    }
  }

  /// Returns the texts of a list; a single text counts as a list of one.
  package func texts() -> [String] {
    items().compactMap { $0.text() }
  }

  /// Returns a decoder for the keys and values of a mapping.
  ///
  /// - Parameter keys: The valid keys; nil for any.
  package func mapping(keys: [String]?) -> MappingDecoder {
    MappingDecoder(entry.value, name: name, keys: keys, issues: issues)
  }

  private func quoted(_ text: String) -> String {
    "\"\(text.printable(limit: 60))\""
  }
}

extension YAMLNode {
  /// The description of the node for messages like "must be …, not …".
  package var kindText: String {
    switch content {
    case .scalar(let text, _): text.isEmpty ? "nothing" : "\"\(text.printable(limit: 60))\""
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}

/// A number of bytes in the notation of settings: `512`, `512KiB`, `16MiB`, `1GiB`.
package struct ByteSize: Hashable, Sendable {
  package let bytes: Int

  /// Creates a size.
  package init(bytes: Int) {
    self.bytes = bytes
  }

  /// Reads a text; nil when it is not a size, or exceeds `Int`.
  package init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int(digits), let size = Self.units.first(where: { $0.name == text.dropFirst(digits.count) })
    else { return nil }
    let (bytes, overflow) = count.multipliedReportingOverflow(by: size.bytes)
    guard !overflow else { return nil }
    self.bytes = bytes
  }

  /// The text, in the largest unit that gives a whole number.
  package var text: String {
    let unit = Self.units.first { bytes != 0 && bytes % $0.bytes == 0 }
    return unit.map { "\(bytes / $0.bytes)\($0.name)" } ?? "\(bytes)"
  }

  private static let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("", 1)]
    .map { (name: $0.0, bytes: $0.1) }
}
