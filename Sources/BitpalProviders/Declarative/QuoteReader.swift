import BitpalJSON
import BitpalModel
import FoundationEssentials

/// Reads the quote out of a row; where its columns are is found once for all rows.
struct QuoteReader {
  private let operation: CompiledOperation
  private let dialect: DeclarativeDialect
  private let price: Int
  private let change: Int?
  private let opening: Int?
  private let symbol: Int?
  private let name: Int?
  private let time: Int?

  init(operation: CompiledOperation, dialect: DeclarativeDialect) {
    self.operation = operation
    self.dialect = dialect
    price = operation.column("price") ?? 0
    change = operation.column("change_24h")
    opening = operation.column("open_24h")
    symbol = operation.column("symbol")
    name = operation.column("name")
    time = operation.column("time")
  }

  /// Whether nothing is where the price should be, not even null.
  func isPriceMissing(_ row: SandboxRow) -> Bool { row.isMissing(price) }

  /// The quote; nil when the price is null.
  ///
  /// - Throws: `ValidationError`, or what is wrong with a column.
  func coin(_ row: SandboxRow, as id: String, _ figures: inout Figures) throws -> Coin? {
    guard let price = try row.decimal(price) else { return nil }
    let change = try figures.value("24 h change") { () throws -> Decimal? in
      if let column = self.change, let percent = try row.decimal(column) { return percent }
      guard let opening, let open = try row.decimal(opening) else { return nil }
      return price.percentChange(since: open)
    }
    return try Coin(
      validating: id,
      symbol: try symbol.flatMap { try row.name(in: $0) }?.lowercased() ?? dialect.names.shownSymbol(of: id),
      name: try name.flatMap { try row.name(in: $0) } ?? dialect.names.shownName(of: id), currentPrice: price,
      priceChange24h: change, lastUpdated: try time.flatMap { try dialect.instant(row, $0, operation) })
  }
}
