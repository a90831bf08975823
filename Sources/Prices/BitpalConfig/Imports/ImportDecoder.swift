import BitpalFiles
import BitpalJSON
import BitpalModel
import BitpalProviders

/// A decoder of import files into an ``/BitpalModel/ImportSpecification``, which reports issues with their places.
struct ImportDecoder {
  private static let keys = [
    "id", "name", "website", "header", "optional", "delimiter", "skip", "select", "movements", "dates", "zone",
    "decimal", "translated", "english", "unique", "money",
    "examples",
  ]

  let issues: IssueList

  /// Returns the import in the file `id.yaml`; nil when its `select` or all keys are missing.
  func decode(_ root: YAMLNode, id: String) -> ImportSpecification? {
    let decoder = MappingDecoder(root, name: "", keys: Self.keys, issues: issues)
    guard root.entries != nil else { return nil }
    if let value = decoder["id"], let own = value.text(), own != id {
      value.report("the id must be the file's name without .yaml, which is \"\(id)\"")
    }
    for key in ["id", "name", "header", "select", "movements"] where decoder[key] == nil {
      issues.add(root.source.issue("the key \"\(key)\" is missing"))
    }
    guard let select = decoder["select"]?.declaredText("a SELECT") else { return nil }
    var specification = ImportSpecification(id: id, name: decoder["name"]?.text() ?? id, select: select)
    specification.movements = decoder["movements"]?.declaredText("a SELECT")
    specification.website = decoder["website"]?.text()
    if let header = decoder["header"] { specification.headers = headers(header) }
    if let translated = decoder["translated"] { specification.translations = headers(translated) }
    specification.english = decoder["english"]?.text()
    specification.optional = decoder["optional"]?.texts() ?? []
    specification.unique = decoder["unique"]?.text()
    specification.money = Set(decoder["money"]?.texts().map { $0.uppercased() } ?? [])
    if let delimiter = decoder["delimiter"] { specification.delimiter = delimiter.delimiter() }
    if let skip = decoder["skip"]?.integer(in: 0...1000) { specification.skip = skip }
    if let dates = decoder["dates"].flatMap(dates) { specification.dates = dates }
    specification.zone = decoder["zone"]?.zone("a time zone like UTC or Europe/Berlin", of: .system)
    specification.decimal = decoder["decimal"]?.choice(of: DecimalMark.self)
    specification.examples = decoder["examples"]?.items().compactMap(example) ?? []
    let columns = specification.columns.count
    if columns > Self.mostColumns {
      decoder["header"]?.report("an import can have at most \(Self.mostColumns) columns, not \(columns)")
    }
    return specification
  }

  /// The largest number of columns in the table of a sandbox.
  private static let mostColumns = 90

  /// Reads a list of column names, or a list of such lists.
  private func headers(_ value: DeclaredValue) -> [[String]] {
    guard case .sequence(let items) = value.entry.value.content, !items.isEmpty else {
      value.report("header must be a list of the columns that such a file has, like [Date, Type, Amount]")
      return []
    }
    let isListOfLists = items.contains { if case .sequence = $0.content { true } else { false } }
    guard isListOfLists else { return [value.texts()] }
    return value.items().map { $0.texts() }
  }

  private func dates(_ value: DeclaredValue) -> ImportDates? {
    let texts = value.texts()
    if texts.count == 1, let order = DateOrder(rawValue: texts[0]) { return .numbers(order) }
    let patterns = texts.compactMap { text -> TimePattern? in
      do throws(TimePattern.Fault) {
        return try TimePattern(text)
      } catch {
        return value.reject(
          "dates must be dmy, mdy, ymd or patterns like dd.MM.yyyy HH:mm; of \"\(text.printable(limit: 60))\": "
            + error.message)
      }
    }
    return patterns.isEmpty ? nil : .patterns(patterns)
  }

  private func example(_ value: DeclaredValue) -> ImportExample? {
    guard value.entry.value.entries != nil else {
      return value.reject("an example must hold csv and rows (or faults)")
    }
    let decoder = value.mapping(keys: ["csv", "currency", "dates", "decimal", "value", "rows", "faults"])
    guard let csv = decoder["csv"]?.text("rows of such a file, with their header") else {
      return decoder["csv"] == nil ? value.reject("this example lacks csv") : nil
    }
    let expectation: ImportExample.Expectation
    if let faults = decoder["faults"] {
      expectation = .faults(faults.texts())
    } else if let rows = decoder["rows"] {
      expectation = .rows(
        rows.items().map { row in
          var cells: [String: String] = [:]
          for cell in row.mapping(keys: ImportExample.columns).values { cells[cell.entry.key] = cell.text() }
          return cells
        })
    } else {
      return value.reject("this example lacks rows (or faults)")
    }
    return ImportExample(
      csv: csv, currency: decoder["currency"]?.currency() ?? "usd",
      dates: decoder["dates"]?.choice(of: DateOrder.self), decimal: decoder["decimal"]?.choice(of: DecimalMark.self),
      value: decoder["value"]?.choice(of: MissingValuePolicy.self), expectation: expectation,
      place: value.entry.value.declared("example"))
  }
}
