import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

extension DeclarativeDialect {
  func quotes(
    _ coins: [String], _ query: ProviderQuery, _ operation: CompiledOperation, from response: HTTPResponse
  ) throws -> ProviderAnswer<QuoteBatch> {
    let reader = QuoteReader(operation: operation, dialect: self)
    let asked = AskedCoins(coins, names, operation)
    var rows = QuoteRows(provider: descriptor.id)
    var count = 0
    var missing = 0
    var isRounded = false
    var another: String?
    try forEachRow(of: operation, answering: query, in: response) { row in
      count += 1
      guard let identity = try rows.identity({ try asked.identity(of: row) }) else { return }
      guard let coin = asked.coin(identity) else {
        if operation.declared.batch == nil { another = identity.text }
        return
      }
      if reader.isPriceMissing(row) { missing += 1 }
      try rows.add(coin, unreadable: { unreadable($0, operation) }) { try reader.coin(row, as: coin, &$0) }
      isRounded = row.hasRounded
    }
    if count == 0 { throw nothing(operation, query, response) }
    if missing == count { throw self.missing("price", operation, query, response) }
    if let reason = rows.reasonForNobody { throw unreadable(reason, operation, query, response) }
    if let another, let coin = coins.first, !rows.knows(coin) {
      throw unreadable(JSONReading.anotherCoin(another, asked: coin), operation, query, response)
    }
    return rows.answer(coins, isRounded: isRounded)
  }

  func detail(
    _ coin: String, _ query: ProviderQuery, _ operation: CompiledOperation, from response: HTTPResponse
  ) throws -> ProviderAnswer<CoinDetail> {
    let reader = QuoteReader(operation: operation, dialect: self)
    let asked = AskedCoins([coin], names, operation)
    var answer: ProviderAnswer<CoinDetail>?
    try forEachRow(of: operation, answering: query, in: response) { row in
      guard answer == nil else { throw unreadable("two rows are of \(coin.printable(limit: 80))", operation) }
      if let identity = try asked.identity(of: row), asked.coin(identity) == nil {
        throw unreadable(JSONReading.anotherCoin(identity.text, asked: coin), operation, query, response)
      }
      var figures = Figures(coin: coin)
      func amount(_ name: String, _ column: String) throws -> Decimal? {
        try figures.amount(name) { try operation.column(column).flatMap { try row.decimal($0) } }
      }
      do {
        guard let quote = try reader.coin(row, as: coin, &figures) else {
          throw reader.isPriceMissing(row)
            ? missing("price", operation, query, response) : .noPrice(coin: coin, provider: descriptor.id)
        }
        let detail = try CoinDetail(
          validating: quote, marketCap: amount("market cap", "market_cap"),
          totalVolume: amount("total volume", "total_volume"),
          circulatingSupply: amount("circulating supply", "circulating_supply"),
          image: figures.value("image") { try operation.column("image").flatMap { try row.name(in: $0) } })
        answer = ProviderAnswer(detail, warnings: figures.warnings + (row.hasRounded ? [.roundedNumbers] : []))
      } catch let error as ValidationError {
        throw BitpalError.noPrice(coin: coin, provider: descriptor.id, reason: error.description)
      }
    }
    guard let answer else { throw nothing(operation, query, response) }
    return answer
  }
}
