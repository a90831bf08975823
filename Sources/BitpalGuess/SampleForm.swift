import BitpalJSON
import BitpalModel
import FoundationEssentials

/// The form of a sample that is not JSON, with the JSON in which its rows are searched.
struct SampleForm: Sendable {
  /// The value of `body:` in the provider file.
  let body: DeclaredBody

  /// The sample as JSON.
  let json: [UInt8]

  /// The delimiters that are tried; the one with the most columns wins, the first of equal ones.
  private static let delimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

  /// Recognizes the form of a sample; nil for JSON, and for anything but CSV and XML.
  init?(_ sample: [UInt8]) {
    let start = sample.prefix(4096).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }.first ?? 0
    switch start {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return nil
    case UInt8(ascii: "<"):
      guard let json = try? XMLReader().json(sample) else { return nil }
      body = .xml
      self.json = json
    default:
      let readings = Self.delimiters.compactMap { Self.reading(of: sample, delimiter: $0) }
      guard let best = readings.max(by: { $0.columns < $1.columns }), best.columns > 1 else { return nil }
      body = .csv(best.layout)
      json = best.json
    }
  }

  /// The lines of an operation that declare the form.
  var lines: [String] {
    guard case .csv(let layout) = body else { return ["  body: \(body.name)"] }
    var lines = ["  body: csv"]
    if layout.delimiter != UInt8(ascii: ",") {
      let isTab = layout.delimiter == UInt8(ascii: "\t")
      lines.append("  delimiter: \(isTab ? "tab" : "\"\(Character(Unicode.Scalar(layout.delimiter)))\"")")
    }
    if layout.header == .none { lines.append("  header: false") }
    return lines
  }

  private static func reading(
    of sample: [UInt8], delimiter: UInt8
  ) -> (layout: CSVLayout, json: [UInt8], columns: Int)? {
    var layout = CSVLayout(delimiter: delimiter, header: .none)
    guard let plain = try? CSVReader(layout).rows(sample), let columns = try? firstRow(of: plain.json) else {
      return nil
    }
    // A first line with a number in it does not name the columns.
    if !columns.contains(where: { (try? Decimal(strict: $0)) != nil }) {
      layout.header = .first
      guard let named = try? CSVReader(layout).rows(sample), named.json.count > 2 else { return nil }
      return (layout, named.json, columns.count)
    }
    return (layout, plain.json, columns.count)
  }

  private static func firstRow(of json: [UInt8]) throws -> [String] {
    var cells: [String] = []
    try JSONRows().forEach("SELECT value AS cell FROM json_each(?1, '$[0]')", in: json) { row in
      cells.append(row.text("cell") ?? "")
    }
    return cells
  }

  // MARK: The beginning of a sample

  /// Returns the sample with its first rows only.
  ///
  /// - Parameter path: The path of the XML elements that are rows, from the root.
  func beginning(of sample: [UInt8], rows: Int, at path: [String]) -> [UInt8] {
    switch body {
    case .json: sample
    case .csv(let layout): Self.lines(of: sample, layout.header == .first ? rows + 1 : rows)
    case .xml: elements(of: sample, rows, at: path)
    }
  }

  /// Returns the first lines; a line end within quotes does not count.
  private static func lines(of sample: [UInt8], _ count: Int) -> [UInt8] {
    var lines = 0
    var isQuoted = false
    for (index, byte) in sample.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard byte == UInt8(ascii: "\n"), !isQuoted else { continue }
      lines += 1
      if lines == count { return Array(sample[...index]) }
    }
    return sample
  }

  /// Returns XML without the rows after the first `count`; the whole document when the result is not well-formed.
  private func elements(of sample: [UInt8], _ count: Int, at path: [String]) -> [UInt8] {
    guard let ends = try? XMLReader(list: path).ends(in: sample), ends.count > count, let last = ends.last else {
      return sample
    }
    let cut = Array(sample[..<ends[count - 1]] + sample[last...])
    return (try? XMLReader().json(cut)) == nil ? sample : cut
  }
}
