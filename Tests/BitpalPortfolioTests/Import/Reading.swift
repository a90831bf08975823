import BitpalModel
import BitpalPortfolio
import Foundation

/// Reads rows by an import of a test's own.
enum Reading {
  static let now = Date(utcText: "2025-06-01") ?? .distantPast

  /// A transaction in either form, as a SELECT with every column.
  static let legs = """
    SELECT line, "Date" AS date, number("Out") AS sent, "Out coin" AS sent_coin, number("In") AS received,
      "In coin" AS received_coin, number("Fee") AS fee, "Fee coin" AS fee_coin, number("Worth") AS value,
      "Money" AS currency, "Label" AS label, "Note" AS notes, "Group" AS "group" FROM rows ORDER BY line
    """
  static let header = "Date,Out,Out coin,In,In coin,Fee,Fee coin,Worth,Money,Label,Note,Group"

  static func specification(
    _ select: String = legs, header: String = header, dates: ImportDates = .numbers(nil), decimal: DecimalMark? = nil
  ) -> ImportSpecification {
    var specification = ImportSpecification(id: "test", name: "Test", select: DeclaredText(select, file: "test.yaml"))
    specification.headers = [header.split(separator: ",").map(String.init)]
    specification.dates = dates
    specification.decimal = decimal
    return specification
  }

  static func options(
    _ currency: String? = "usd", dates: DateOrder? = nil, decimal: DecimalMark? = nil, value: MissingValuePolicy? = nil,
    coins: Set<String> = []
  ) -> ImportOptions {
    var options = ImportOptions(
      currency: currency, now: now, dates: dates, decimal: decimal, value: value, coins: coins)
    // The prices of most tests are round numbers.
    options.acceptsPrices = true
    return options
  }

  static func sheet(
    _ bytes: [UInt8], by specification: ImportSpecification, _ options: ImportOptions
  ) throws -> ImportedSheet {
    guard
      case .known(_, let file) = try ImportRecognition(bytes, name: "t.csv", among: [specification], isOwnKnown: false)
    else { throw BitpalError.usage("it is one of ours") }
    return try ImportReader(specification).read(file, name: "t.csv", options: options)
  }

  /// What comes of rows below the header, every coin being called as the file calls it, in small letters.
  static func transactions(
    _ rows: String..., by specification: ImportSpecification = specification(), options: ImportOptions = options(),
    close: (String, Date) -> Decimal? = { _, _ in nil }
  ) throws -> [ImportedTransaction] {
    let header = specification.headers[0].joined(separator: ",")
    let bytes = Array(([header] + rows).joined(separator: "\n").utf8)
    let sheet = try sheet(bytes, by: specification, options)
    return try sheet.transactions(
      ids: Dictionary(uniqueKeysWithValues: sheet.coins.map { ($0, $0.lowercased()) }), close: close)
  }

  /// Each as `buy 0.5 eth @2000 fee 1 reward`.
  static func words(_ transactions: [ImportedTransaction]) -> [String] {
    transactions.map(\.transaction).map { row in
      var words = "\(row.type.rawValue) \(row.amount.plainText) \(row.coinId)"
      if let price = row.pricePerCoin { words += " @\(price.plainText)" }
      if row.fee != 0 { words += " fee \(row.fee.plainText)" }
      if let label = row.label { words += " \(label.rawValue)" }
      return words
    }
  }

  /// What is told of rows, a line each with its place; `accepted` for rows that nothing is wrong with.
  static func faults(
    _ rows: String..., by specification: ImportSpecification = specification(), options: ImportOptions = options()
  ) throws -> [String] {
    let header = specification.headers[0].joined(separator: ",")
    return try faults(in: ([header] + rows).joined(separator: "\n"), by: specification, options: options)
  }

  static func faults(
    in text: String, by specification: ImportSpecification = specification(), options: ImportOptions = options()
  ) throws -> [String] {
    do {
      let sheet = try sheet(Array(text.utf8), by: specification, options)
      _ = try sheet.transactions(ids: Dictionary(uniqueKeysWithValues: sheet.coins.map { ($0, $0.lowercased()) }))
      return ["accepted"]
    } catch let error as CSVFaults {
      return error.issues.map { "\($0.line ?? 0):\($0.column ?? 0): \($0.message)" }
    }
  }
}
