public import BitpalModel
public import BitpalNetwork
import BitpalSQLite
import FoundationEssentials

extension DeclarativeDialect {
  /// Reads quotes.
  public func quotes(
    _ coins: [String], currency: String, from response: HTTPResponse
  ) throws -> ProviderAnswer<QuoteBatch> {
    let query = ProviderQuery.quotes(coins: coins, currency: currency)
    let operation = try operation(.quotes)
    let reader = QuoteReader(operation: operation, dialect: self)
    let isBatch = operation.declared.batch != nil
    let asked = Asked(coins, names)
    var found: [String: Coin] = [:]
    var failures: [String: BitpalError] = [:]
    var rows = 0
    var missing = 0
    try forEachRow(of: operation, answering: query, in: response) { row in
      rows += 1
      guard let coin = try isBatch ? asked.coin(of: row, operation) : coins.first else { return }
      guard found[coin] == nil, failures[coin] == nil else {
        throw unreadable("two rows are of \(coin.printable(limit: 80))", operation)
      }
      if reader.isPriceMissing(row) { missing += 1 }
      do {
        if let quote = try reader.coin(row, as: coin) {
          found[coin] = quote
        } else {
          failures[coin] = .noPrice(coin: coin, provider: descriptor.id)
        }
      } catch let error as ValidationError {
        failures[coin] = .noPrice(coin: coin, provider: descriptor.id, reason: error.description)
      }
    }
    if rows == 0 { throw nothing(operation, query, response) }
    if missing == rows { throw self.missing("price", operation, query, response) }
    for coin in coins where found[coin] == nil && failures[coin] == nil {
      failures[coin] = .notFound(coin: coin, provider: descriptor.id)
    }
    return ProviderAnswer(QuoteBatch(coins: found, failures: failures))
  }

  /// Reads a coin's detail.
  public func detail(
    _ coin: String, currency: String, from response: HTTPResponse
  ) throws -> ProviderAnswer<CoinDetail> {
    let query = ProviderQuery.detail(coin: coin, currency: currency)
    let operation = try operation(.detail)
    let reader = QuoteReader(operation: operation, dialect: self)
    var detail: CoinDetail?
    var rows = 0
    try forEachRow(of: operation, answering: query, in: response) { row in
      rows += 1
      guard rows == 1 else { throw unreadable("two rows are of \(coin.printable(limit: 80))", operation) }
      do {
        guard let quote = try reader.coin(row, as: coin) else {
          throw reader.isPriceMissing(row)
            ? missing("price", operation, query, response) : .noPrice(coin: coin, provider: descriptor.id)
        }
        func figure(_ name: String) throws -> Decimal? { try operation.column(name).flatMap { try row.decimal($0) } }
        detail = try CoinDetail(
          validating: quote, marketCap: figure("market_cap"), totalVolume: figure("total_volume"),
          circulatingSupply: figure("circulating_supply"),
          image: operation.column("image").flatMap { try row.name(in: $0) })
      } catch let error as ValidationError {
        throw BitpalError.noPrice(coin: coin, provider: descriptor.id, reason: error.description)
      }
    }
    guard let detail else { throw nothing(operation, query, response) }
    return ProviderAnswer(detail)
  }

  /// Finds out which of the coins asked for a row is of.
  private struct Asked {
    private var byID: [String: String] = [:]
    private var bySymbol: [String: String] = [:]

    init(_ coins: [String], _ names: CoinNames) {
      for coin in coins {
        byID[names.id(of: coin)] = coin
        if let symbol = names.symbol(of: coin) { bySymbol[symbol] = bySymbol[symbol] ?? coin }
      }
    }

    /// Nil for a row of a coin that was not asked for.
    func coin(of row: SandboxRow, _ operation: CompiledOperation) throws -> String? {
      if let column = operation.column("id"), let id = try row.name(in: column) { return byID[id] }
      if let column = operation.column("symbol"), let symbol = try row.name(in: column) {
        return bySymbol[symbol.uppercased()]
      }
      return nil
    }
  }
}
