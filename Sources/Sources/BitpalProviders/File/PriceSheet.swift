import BitpalJSON
import BitpalModel
import FoundationEssentials

/// A reader of prices in CSV, which finds the columns by their names.
struct PriceSheet {
  let defaults: PriceFile.Defaults

  /// The columns, each with its accepted names, the preferred one first.
  private enum Column: CaseIterable {
    case date
    case commodity
    case price
    case currency

    var names: [String] {
      switch self {
      case .date: ["date", "time", "last_updated"]
      case .commodity: ["commodity", "coin", "id", "symbol"]
      case .price: ["price", "close"]
      case .currency: ["currency"]
      }
    }
  }

  func read(_ text: String, into content: inout PriceFileContent) {
    let records: [[CSVRecords.Field]]
    do throws(BodyFault) {
      records = try CSVRecords.read(text)
    } catch {
      return content.refuse(error.message, line: error.line, column: error.column)
    }
    guard let header = records.first, let columns = columns(of: header, &content) else { return }
    for record in records.dropFirst() {
      guard record.count == header.count else {
        let fields = record.count == 1 ? "1 field" : "\(record.count) fields"
        report("\(fields) where the header has \(header.count)", at: record[0], &content)
        continue
      }
      read(record, columns, &content)
    }
  }

  private func columns(of header: [CSVRecords.Field], _ content: inout PriceFileContent) -> [Column: Int]? {
    let names = header.map { $0.text.lowercased() }
    var columns: [Column: Int] = [:]
    for column in Column.allCases {
      columns[column] = column.names.lazy.compactMap { names.firstIndex(of: $0) }.first
    }
    var missing: [String] = []
    if columns[.date] == nil { missing.append("date") }
    if columns[.price] == nil { missing.append("price") }
    if columns[.commodity] == nil, defaults.commodity == nil {
      missing.append("commodity (or \"commodity:\" in the provider file)")
    }
    if columns[.currency] == nil, defaults.currency == nil {
      missing.append("currency (or \"currency:\" in the provider file)")
    }
    guard !missing.isEmpty else { return columns }
    content.refuse(
      "the header lacks \(missing.joined(separator: ", "))", line: header[0].line, column: header[0].column)
    return nil
  }

  private func read(_ record: [CSVRecords.Field], _ columns: [Column: Int], _ content: inout PriceFileContent) {
    func field(_ column: Column) -> CSVRecords.Field? { columns[column].map { record[$0] } }
    guard let date = field(.date), let price = field(.price) else { return }
    guard let instant = Date(utcText: date.text) else {
      return report(
        "\"\(date.text.printable(limit: 40))\" is not a date; write it like 2025-01-15 or 2025-01-15T10:30:00Z",
        at: date, &content)
    }
    let value: Decimal
    do throws(DecimalError) {
      value = try Decimal(strict: price.text)
    } catch {
      return report("\(error)", at: price, &content)
    }
    guard value > 0 else { return report("a price must be above zero", at: price, &content) }
    // An apostrophe protects a name that a spreadsheet would run as a formula.
    let commodity = field(.commodity).map { CSVField.unguarded($0.text) } ?? defaults.commodity ?? ""
    let currency = field(.currency)?.text ?? defaults.currency ?? ""
    guard !commodity.isEmpty else { return report("the commodity is missing", at: date, &content) }
    guard !currency.isEmpty else { return report("the price has no currency", at: price, &content) }
    content.add(
      value, of: PriceFileContent.commodity(commodity), in: currency, at: instant, line: date.line)
  }

  private func report(_ message: String, at field: CSVRecords.Field, _ content: inout PriceFileContent) {
    content.report(message, line: field.line, column: field.column, excerpt: nil)
  }
}
