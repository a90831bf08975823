import BitpalJSON
import BitpalModel

/// A decoder of the response format of an operation in a file of `kind: http`.
struct BodyDecoder {
  /// The keys of an operation that this decoder reads.
  static let keys = ["body", "encoding", "delimiter", "header", "skip"]

  private enum Form: String, CaseIterable {
    case json, csv, xml
  }

  /// Returns the format; JSON by default.
  func decode(_ decoder: MappingDecoder) -> DeclaredBody {
    let form = decoder["body"]?.choice(of: Form.self)
    guard form == .csv else {
      if form != nil || decoder["body"] == nil {
        for key in ["delimiter", "header", "skip"] { decoder[key]?.reportKey("\(key) is only for body: csv") }
      }
      return form == .xml ? .xml : .json
    }
    var layout = CSVLayout()
    if let delimiter = decoder["delimiter"]?.delimiter() { layout.delimiter = delimiter }
    if let header = decoder["header"].flatMap({ self.header($0) }) { layout.header = header }
    if let skip = decoder["skip"]?.integer(in: 1...1000) { layout.skip = skip }
    return .csv(layout)
  }

  private func header(_ value: DeclaredValue) -> CSVLayout.Header? {
    guard case .sequence = value.entry.value.content else {
      if value.entry.value.entries != nil {
        return value.reject("\(value.name) must be true, false or a list of names, not a mapping")
      }
      return value.bool().map { $0 ? .first : .none }
    }
    var names: [String] = []
    for item in value.items() {
      guard let name = item.text("a column's name") else { return nil }
      guard !names.contains(name) else {
        return item.reject("two columns are called \"\(name.printable(limit: 60))\"")
      }
      names.append(name)
    }
    return names.isEmpty ? value.reject("\(value.name) lists no names") : .names(names)
  }
}

extension DeclaredValue {
  /// Reads the name of a character set.
  func encoding() -> String? {
    guard let label = text("a character set like windows-1252")?.lowercased() else { return nil }
    return BodyText.canRead(label)
      ? label : reject("\(name) is \(label.printable(limit: 60)), a character set that is not read")
  }

  /// Reads the delimiter of CSV: one character, or `tab`.
  package func delimiter() -> UInt8? {
    guard let text = text("one character, like \";\"") else { return nil }
    if text == "tab" { return UInt8(ascii: "\t") }
    guard text.utf8.count == 1, let byte = text.utf8.first, byte == 0x09 || (0x20...0x7E).contains(byte),
      !byte.isASCIILetterOrDigit, byte != UInt8(ascii: "\"")
    else {
      return reject(
        "\(name) must be one ASCII character other than a letter, digit or quote, or tab, not "
          + "\"\(text.printable(limit: 60))\"")
    }
    return byte
  }
}
