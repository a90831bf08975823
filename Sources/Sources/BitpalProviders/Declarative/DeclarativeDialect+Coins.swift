import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

extension DeclarativeDialect {
  /// Returns the quotes in the rows of the SELECT.
  ///
  /// A row needs no coin if only one was requested. In a batch it needs one, and rows of other coins are ignored. If
  /// one coin was requested and another is in the answer, that is an error: an id in the file is wrong, and a price
  /// under the wrong name is worse than none.
  ///
  /// - Throws: The source's own error, `.noPrice` for an empty answer, `.unreadable` when no row can be used.
  func quotes(
    _ coins: [String], _ query: ProviderQuery, _ operation: CompiledOperation, from response: HTTPResponse
  ) throws -> ProviderAnswer {
    let reader = QuoteReader(operation: operation, dialect: self)
    let asked = AskedCoins(coins, names, operation)
    var rows = QuoteRows(provider: descriptor.id)
    var count = 0
    var missing = 0
    var isRounded = false
    var another: String?
    var companions = QuoteRows(provider: descriptor.id)
    try forEachRow(of: operation, answering: query, in: response) { row in
      count += 1
      guard let identity = try rows.identity({ try asked.identity(of: row) }) else { return }
      guard let coin = asked.coin(identity) else {
        if operation.declared.batch == nil { another = identity.text }
        guard operation.declared.hasAllCoins, companions.count < Self.mostCompanions,
          let coin = asked.companion(identity, names)
        else { return }
        return try companions.add(coin, unreadable: { unreadable($0, operation) }) {
          try reader.coin(row, as: coin, &$0)
        }
      }
      if reader.isPriceMissing(row) { missing += 1 }
      try rows.add(coin, isNamed: identity.isNamed, unreadable: { unreadable($0, operation) }) {
        try reader.coin(row, as: coin, &$0)
      }
      isRounded = row.hasRounded
    }
    if count == 0 { throw nothing(operation, query, response) }
    if missing == count { throw self.missing("price", operation, query, response) }
    if rows.lackIdentities {
      throw rows.problem.map { unreadable($0.description, operation, query, response) }
        ?? self.missing(operation.column("id") == nil ? "symbol" : "id", operation, query, response)
    }
    // Where an answer has pages, the coin may be on another one.
    if operation.declared.next == nil, !operation.declared.isCounted, let another, let coin = coins.first,
      !rows.knows(coin)
    {
      throw unreadable(JSONReading.anotherCoin(another, asked: coin), operation, query, response)
    }
    var answer = rows.answer(coins, isRounded: isRounded)
    answer.extras = companions.answer([], isRounded: false).answers.mapValues { [$0] }
    return answer
  }

  /// The most quotes of other coins that are kept of an answer with all coins (250), as many as of a page of the largest.
  private static let mostCompanions = 250

  /// Returns the figures of a coin in the only row of the SELECT.
  ///
  /// - Throws: The source's own error, `.noData` or `.noPrice`, `.unreadable` for two rows or a row of another coin.
  func detail(
    _ coin: String, _ query: ProviderQuery, _ operation: CompiledOperation, from response: HTTPResponse
  ) throws -> ProviderAnswer {
    let reader = QuoteReader(operation: operation, dialect: self)
    let asked = AskedCoins([coin], names, operation)
    var answer: ProviderAnswer?
    try forEachRow(of: operation, answering: query, in: response) { row in
      let identity = try asked.identity(of: row)
      guard answer == nil else {
        let isNamed = identity?.isNamed ?? false
        throw unreadable(
          isNamed ? "two rows are of \(coin.printable(limit: 80))" : QuoteRows.unnamed, operation)
      }
      if let identity, asked.coin(identity) == nil {
        throw unreadable(JSONReading.anotherCoin(identity.text, asked: coin), operation, query, response)
      }
      var figures = Figures(coin: coin)
      do {
        guard let quote = try reader.coin(row, as: coin, &figures) else {
          throw reader.isPriceMissing(row)
            ? missing("price", operation, query, response) : .noPrice(coin: coin, provider: descriptor.id)
        }
        let detail = try self.detail(quote, in: row, operation, &figures)
        answer = ProviderAnswer(
          .detail(detail), about: coin, warnings: figures.warnings + (row.hasRounded ? [.roundedNumbers] : []))
      } catch let error as ValidationError {
        throw BitpalError.noPrice(coin: coin, provider: descriptor.id, reason: error.description)
      }
    }
    guard let answer else { throw nothing(operation, query, response) }
    return answer
  }

  /// Returns the figures of a row beside its quote; what cannot be read is left out with a warning.
  private func detail(
    _ quote: Coin, in row: SandboxRow, _ operation: CompiledOperation, _ figures: inout Figures
  ) throws -> CoinDetail {
    func number(_ column: String) throws -> Decimal? { try operation.column(column).flatMap { try row.decimal($0) } }
    func amount(_ name: String, _ column: String) throws -> Decimal? {
      try figures.amount(name) { try number(column) }
    }
    func change(_ name: String, _ column: String) throws -> Decimal? {
      try figures.value(name) { try number(column) }
    }
    func extreme(_ name: String, _ column: String, _ inverse: String) throws -> PriceExtreme? {
      let column = operation.declared.numbers.isInverted ? inverse : column
      return try figures.extreme(
        name, price: { try operation.column(column).flatMap { try operation.price(row, $0) } },
        date: { try operation.column(column + "_date").flatMap { try instant(row, $0, operation) } })
    }
    return try CoinDetail(
      validating: quote, marketCap: amount("market cap", "market_cap"),
      totalVolume: amount("total volume", "total_volume"),
      circulatingSupply: amount("circulating supply", "circulating_supply"),
      totalSupply: amount("total supply", "total_supply"), maximumSupply: amount("maximum supply", "max_supply"),
      rank: figures.rank { try number("rank") },
      changes: PeriodChanges(
        week: change("7 d change", "change_7d"), month: change("30 d change", "change_30d"),
        year: change("1 y change", "change_1y")),
      allTimeHigh: extreme("all-time high", "ath", "atl"),
      allTimeLow: extreme("all-time low", "atl", "ath"),
      image: figures.value("image") { try operation.column("image").flatMap { try row.name(in: $0) } })
  }
}

extension DeclarativeDialect {
  /// Returns the coin list in the rows of the SELECT, with bitpal's ids where the file has some.
  ///
  /// Some sources list a coin once for each market; its first row counts.
  ///
  /// - Throws: The source's own error, `.noData` for an empty list, `.unreadable` when no row is complete.
  func coinList(
    _ operation: CompiledOperation, from response: HTTPResponse
  ) throws -> ProviderAnswer {
    let columns = ["id", "symbol", "name"].compactMap { operation.column($0) }
    guard columns.count == 3 else { throw missing("id", operation, .coinList, response) }
    var items: [CoinListItem] = []
    var seen: Set<String> = []
    var incomplete = 0
    var repeated = 0
    var problem: ColumnProblem?
    try forEachRow(of: operation, answering: .coinList, in: response) { row in
      do {
        let symbol = try row.name(in: columns[1]) ?? ""
        let id = try row.name(in: columns[0]).map { names.coin(id: $0, symbol: symbol) } ?? ""
        let item = try CoinListItem(
          validating: id, symbol: symbol.lowercased(), name: try row.name(in: columns[2]) ?? "")
        guard names.scope.has(id) else { return }
        if seen.insert(id).inserted { items.append(item) } else { repeated += 1 }
      } catch let odd as ColumnProblem {
        incomplete += 1
        problem = problem ?? odd
      } catch is ValidationError {
        incomplete += 1
      }
    }
    guard !items.isEmpty else {
      if let problem { throw unreadable(problem.description, operation, .coinList, response) }
      throw incomplete > 0
        ? unreadable("no row has an id, a symbol and a name", operation) : nothing(operation, .coinList, response)
    }
    var warnings: [AnswerWarning] = []
    if incomplete > 0 {
      warnings.append(.droppedRows(count: incomplete, reason: "they lack an id, a symbol or a name"))
    }
    if repeated > 0 { warnings.append(.droppedRows(count: repeated, reason: "their ids are there twice")) }
    return ProviderAnswer(.coinList(items), warnings: warnings)
  }
}
