import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

/// An answer as JSON, with the paths of its first row.
struct SampleAnswer: Sendable {
  struct Leaf: Sendable {
    /// The steps from the root: `.data`, `[0]`.
    let steps: [String]
    let text: String

    /// The notation of its numbers; nil for that of JSON.
    var marks: NumberMarks?

    var number: Decimal? {
      guard let marks else { return try? Decimal(strict: text) }
      return marks.plain(text).flatMap { try? Decimal(strict: $0) }
    }

    /// Whether it is a number with a decimal comma beyond doubt: `12,5` and not `12,500`.
    fileprivate var hasDecimalComma: Bool {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      return parts.count == 2 && parts[1].count != 3
        && Leaf(steps: [], text: text, marks: DecimalMark.comma.marks).number != nil
    }

    /// Whether its points may be those of groups of a thousand: `1.100`.
    fileprivate var hasGroups: Bool {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      return parts[0].count <= 3 && !text.hasPrefix("0") && parts.dropFirst().allSatisfy { $0.count == 3 }
    }

    /// The notation of the value as a time; nil for another value.
    var format: DeclaredOperation.TimeFormat? { DeclaredOperation.TimeFormat(of: text) }

    /// Whether it is a number above zero that is not a time.
    var isPrice: Bool { number.map { $0 > 0 } ?? false && format == nil }
  }

  private(set) var leaves: [Leaf] = []

  /// Whether an array has a second row.
  private(set) var hasSeveralRows = false

  /// Whether the point of its numbers may be that of groups of a thousand.
  private(set) var isUncertain = false

  /// The names of the texts that are not the same in all rows.
  private(set) var varying: [String] = []

  /// The answer as it was sent, with one kind of line ends.
  let text: String

  /// The lines of an operation that declare its form; empty for JSON.
  private(set) var form: [String]
  var isSheet: Bool { form.first == "  body: csv" }

  init(_ body: [UInt8]) throws(BitpalError) {
    let encoding = BodyText.apparent(body)
    let bytes = (try? BodyText.utf8(body, assumed: encoding)) ?? body
    text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    let start = text.first { !$0.isWhitespace }
    var json = bytes
    var form: [String] = []
    if start == "<", let xml = try? XMLReader().json(bytes) {
      (form, json) = (["  body: xml"], xml)
    } else if start != "{", start != "[", let sheet = Self.sheet(bytes) {
      (form, json) = sheet
    }
    if let encoding { form.append("  encoding: \(encoding)") }
    self.form = form
    do {
      try read(json)
    } catch {
      throw .usage(
        "the answer is neither JSON nor CSV nor XML; it starts with \(text.filter { !$0.isNewline }.printable(limit: 40))",
        hint: "save one answer of the source as it comes, and name it with --from-file")
    }
    let numbers = isSheet ? cells(json) : []
    // In a sheet with semicolons 1.100 is as likely a thousand as one.
    isUncertain =
      form.contains("  delimiter: \";\"")
      && !numbers.contains { $0.hasDecimalComma || $0.number != nil && !$0.hasGroups }
    if numbers.contains(where: \.hasDecimalComma) {
      for place in leaves.indices { leaves[place].marks = DecimalMark.comma.marks }
      self.form.append("  number: \"\(DecimalMark.comma.marks.example)\"")
    }
    guard leaves.contains(where: \.isPrice) else {
      throw .usage(
        "the answer has no number above zero: \(text.filter { !$0.isNewline }.printable(limit: 200))",
        hint: "it may be a refusal")
    }
  }

  /// Returns the form and the JSON of CSV below a few lines, by the delimiter that makes the most columns; nil for anything else.
  private static func sheet(_ bytes: [UInt8]) -> (form: [String], json: [UInt8])? {
    (0...4).lazy.compactMap { sheet(bytes, below: $0) }.first
  }

  private static func sheet(_ bytes: [UInt8], below lines: Int) -> (form: [String], json: [UInt8])? {
    [",", ";", "\t", "|"].compactMap { mark -> (form: [String], rows: CSVReader.Rows)? in
      var layout = CSVLayout(delimiter: Array(mark.utf8)[0], header: .first, skip: lines)
      guard var rows = try? CSVReader(layout).rows(bytes), rows.columns.count > 1 else { return nil }
      var form = ["  body: csv"] + (mark == "," ? [] : ["  delimiter: \(mark == "\t" ? "tab" : "\"\(mark)\"")"])
      if lines > 0 { form.append("  skip: \(lines)") }
      // A first line with a number in it does not name the columns.
      layout.header = .none
      if rows.columns.contains(where: { (try? Decimal(strict: $0)) != nil }),
        let all = try? CSVReader(layout).rows(bytes)
      {
        (rows, form) = (all, form + ["  header: false"])
      }
      return (form, rows)
    }.max { $0.rows.columns.count < $1.rows.columns.count }.map { ($0.form, $0.rows.json) }
  }

  /// The most paths that are read.
  private static let most = 10_000
  var isCut: Bool { leaves.count == Self.most }

  private mutating func read(_ json: [UInt8]) throws {
    // A number keeps the digits that the source sent; `path` is that of the array or object around a value.
    let sql = """
      SELECT fullkey, CASE type WHEN 'text' THEN atom ELSE ?1 -> fullkey END FROM json_tree(?1)
      WHERE type IN ('integer', 'real', 'text', 'true', 'false') AND path NOT GLOB '*[[][1-9]*' LIMIT \(Self.most)
      """
    let reader = JSONRows()
    try reader.forEach(sql, in: json) { row in
      guard let path = row.text(0), JSONPathText.isPath(path) else { return }
      let steps = JSONPathText.segments(of: path).dropFirst().map { step in
        let key = step.dropFirst(2).dropLast()
        let isPlain = step.hasPrefix(".\"") && key.utf8.allSatisfy { $0.isASCIILetterOrDigit || "_-".utf8.contains($0) }
        return isPlain ? "." + key : step
      }
      leaves.append(Leaf(steps: steps, text: row.text(1) ?? ""))
    }
    try reader.forEach("SELECT 1 FROM json_tree(?1) WHERE path GLOB '*[[]1]*' LIMIT 1", in: json) { _ in
      hasSeveralRows = true
    }
    let differing =
      "SELECT key FROM json_tree(?1) WHERE type = 'text' AND path GLOB '*]' GROUP BY key HAVING min(upper(atom)) <> max(upper(atom))"
    try reader.forEach(differing, in: json) { row in varying += row.text(0).map { [$0] } ?? [] }
  }

  /// The numbers with a point or a comma in all rows of a sheet.
  private func cells(_ json: [UInt8]) -> [Leaf] {
    var cells: [Leaf] = []
    try? JSONRows().forEach(
      "SELECT DISTINCT atom FROM json_tree(?1) WHERE type = 'text' AND atom GLOB '*[0-9][.,][0-9]*' LIMIT \(Self.most)",
      in: json
    ) { row in cells.append(Leaf(steps: [], text: row.text(0) ?? "")) }
    return cells
  }

  /// The paths of arrays of rows.
  var arrays: [[String]] {
    leaves.compactMap { leaf in leaf.steps.dropLast().firstIndex(of: "[0]").map { Array(leaf.steps[..<$0]) } }
      .distinct
  }

  /// The paths with their values, as comments.
  var comments: [String] {
    let most = 80
    return ["# Its paths, with their values\(hasSeveralRows ? " in the first of several rows" : ""):"]
      + Outline.samples(leaves.prefix(most).map { ("$" + $0.steps.joined(), [$0.text]) })
      + (leaves.count > most ? ["#   … and more"] : [])
  }
}
