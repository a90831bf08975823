import BitpalJSON
import BitpalModel
import FoundationEssentials

/// A reader of the quotes in rows, which finds the columns once for all rows.
struct QuoteReader {
  private let operation: CompiledOperation
  private let dialect: DeclarativeDialect
  private let price: Int
  private let change: Int?
  private let opening: Int?
  private let symbol: Int?
  private let name: Int?
  private let time: Int?
  private let volume: Int?

  init(operation: CompiledOperation, dialect: DeclarativeDialect) {
    self.operation = operation
    self.dialect = dialect
    price = operation.column("price") ?? 0
    change = operation.column("change_24h")
    opening = operation.column("open_24h")
    symbol = operation.column("symbol")
    name = operation.column("name")
    time = operation.column("time")
    // The volume of an inverted pair counts the other coin.
    volume = operation.declared.numbers.isInverted ? nil : operation.column("volume")
  }

  /// Returns whether the row has no value at the place of the price, not even null.
  func isPriceMissing(_ row: SandboxRow) -> Bool { row.isMissing(price) }

  /// Returns the quote of a row; nil when the price is null.
  ///
  /// - Throws: `ValidationError` for a quote that breaks a rule, `ColumnProblem` for an unreadable column.
  func coin(_ row: SandboxRow, as id: String, _ figures: inout Figures) throws -> Coin? {
    guard let price = try operation.price(row, price) else { return nil }
    let change = try figures.change { () throws -> Decimal? in
      if let column = self.change, let percent = try row.decimal(column) { return percent }
      guard let opening, let open = try operation.price(row, opening) else { return nil }
      return price.percentChange(since: open)
    }
    // The source's own name for a coin that others call otherwise (XBT) stays between it and the file.
    let sent = try symbol.flatMap { try row.name(in: $0) }?.lowercased()
    let isOwnName = sent == nil || sent == dialect.names.symbol(of: id)?.lowercased()
    let coin = try Coin(
      validating: id, symbol: isOwnName ? dialect.names.shownSymbol(of: id) : sent ?? id,
      name: try name.flatMap { try row.name(in: $0) } ?? dialect.names.shownName(of: id), currentPrice: price,
      priceChangePercentage24h: change, lastUpdated: try time.flatMap { try dialect.instant(row, $0, operation) })
    return try coin.with(volume: figures.amount("volume") { try volume.flatMap { try row.decimal($0) } })
  }
}

/// The coins of a query, by the source's names for them.
struct AskedCoins {
  /// The identity of a row's coin.
  enum Identity {
    case id(String)
    case symbol(String)

    /// No identity, where only one coin was requested and the row must be about it.
    case theOne

    /// Whether the row says whose it is.
    var isNamed: Bool { if case .theOne = self { false } else { true } }

    /// The id or ticker for messages; empty without either.
    var text: String {
      switch self {
      case .id(let text), .symbol(let text): text
      case .theOne: ""
      }
    }
  }

  private let only: String?
  private let idColumn: Int?
  private let symbolColumn: Int?
  private var byID: [String: String] = [:]
  private var bySymbol: [String: String] = [:]

  init(_ coins: [String], _ names: SourceNames, _ operation: CompiledOperation) {
    let isBatch = operation.declared.batch != nil
    only = isBatch ? nil : coins.first
    idColumn = operation.column("id")
    // A coin requested by id may have any ticker at the source.
    symbolColumn = isBatch || operation.needsSymbol ? operation.column("symbol") : nil
    for coin in coins {
      byID[names.id(of: coin)] = coin
      if let symbol = names.symbol(of: coin) { bySymbol[symbol] = bySymbol[symbol] ?? coin }
    }
  }

  /// Returns the identity of a row's coin; nil when it is required and missing.
  func identity(of row: SandboxRow) throws(ColumnProblem) -> Identity? {
    if let idColumn, let id = try row.name(in: idColumn) { return .id(id) }
    if let symbolColumn, let symbol = try row.name(in: symbolColumn) { return .symbol(symbol) }
    return only == nil ? nil : .theOne
  }

  /// Returns the coin that was not requested, under the name by which it would be; nil where that is unknown, as for a
  /// ticker that the file does not have.
  func companion(_ identity: Identity, _ names: SourceNames) -> String? {
    let coin: String? =
      switch identity {
      case .id(let id): names.coin(id: id)
      case .symbol(let symbol): names.coin(symbol: symbol)
      case .theOne: nil
      }
    return coin.flatMap { names.scope.has($0) ? $0 : nil }
  }

  /// Returns the requested coin with an identity; nil for a coin that was not requested.
  func coin(_ identity: Identity) -> String? {
    switch identity {
    case .id(let id): byID[id]
    case .symbol(let symbol): bySymbol[symbol.uppercased()]
    case .theOne: only
    }
  }
}
