import BitpalModel
import BitpalPortfolio
import FoundationEssentials

/// The tables of a portfolio in the terminal.
struct PortfolioTables {
  /// The currency code in capitals.
  let currency: String

  /// The colours and number formats of the cells.
  let style: Style

  /// The method by which the portfolio's gains are calculated.
  let method: GainMethod

  /// Returns the totals, one per line; totals that do not apply are left out.
  func summary(_ portfolio: Portfolio) -> String {
    let summary = portfolio.summary
    var table = TextTable([.init(""), .init("", .right), .init("", .right), .init("", wraps: true)])
    func add(_ title: String, _ amount: TextTable.Cell, _ percent: TextTable.Cell = "", _ note: String = "") {
      table.add([.init(title), amount, percent, .init(note, .warning)])
    }
    let incomplete = "incomplete: \(portfolio.holdings.filter { $0.coin == nil }.count) without a price"
    let marks = [summary.isComplete ? nil : incomplete, summary.isStale ? "stale prices" : nil].compactMap(\.self)
    add(
      "Value \(currency)",
      summary.totalValue.map { .init(NumberFormat.amount($0), .heading) } ?? .init("no price", .warning),
      "", marks.joined(separator: ", "))
    if let change = summary.change24h {
      add(
        "24h", .gain(change), .change(summary.change24hPercentage),
        summary.isChangeComplete ? "" : "of the coins whose change is known")
    }
    add(
      "Unrealized", .gain(summary.unrealizedPnL, beside: summary.totalValue), .change(summary.unrealizedPnLPercentage))
    if summary.totalClosedCost != 0 || summary.realizedPnL != 0 {
      add(
        method.averageGainTitle, .gain(summary.realizedPnL),
        .change(summary.realizedPnLPercentage))
      add("Total", .gain(summary.totalPnL), .change(summary.totalPnLPercentage))
    }
    add("Cost", .init(NumberFormat.amount(summary.totalOpenCost)))
    if summary.unpricedCost != 0 {
      add("  without a price", .init(NumberFormat.amount(summary.unpricedCost), .warning))
    }
    if summary.fees != 0 { add("Fees", .init(NumberFormat.amount(summary.fees)), "", "not taken off the gains above") }
    return table.text(style: style)
  }

  /// Returns the holdings with value, gain and share, in 80 columns.
  func overview(_ holdings: [Holding]) -> TextTable {
    let hasStale = holdings.contains(where: \.isStale)
    var columns: [TextTable.Column] = [
      .init("COIN", widest: 24, narrowest: 8), .init("QUANTITY", .right, drops: 3), .init("VALUE \(currency)", .point),
      .init("GAIN", .point), .init("GAIN %", .right, drops: 4), .init("SHARE", .right, drops: 1),
      .init("24H", .right, drops: 2),
    ]
    if hasStale { columns.append(.init("STATE")) }
    var table = TextTable(columns)
    for holding in holdings {
      var row: [TextTable.Cell] = [
        .init(holding.coin?.name ?? holding.id), .init(NumberFormat.quantity(holding.totalAmount)),
      ]
      row += worth(holding)
      if hasStale { row.append(.init(holding.isStale ? "stale" : "", .warning)) }
      table.add(row)
    }
    return table
  }

  /// Returns the holdings with their cost and price as well.
  func holdings(_ holdings: [Holding]) -> TextTable {
    let hasStale = holdings.contains(where: \.isStale)
    var columns: [TextTable.Column] = [
      .init("COIN", widest: 24, narrowest: 8), .init("QUANTITY", .right, drops: 7),
      .init("AVG COST", .point, drops: 4), .init("COST", .point, drops: 1), .init("PRICE", .point, drops: 5),
      .init("VALUE \(currency)", .point), .init("GAIN", .point), .init("GAIN %", .right, drops: 6),
      .init("SHARE", .right, drops: 2), .init("24H", .right, drops: 3),
    ]
    if hasStale { columns.append(.init("STATE")) }
    var table = TextTable(columns)
    let costs = style.prices(holdings.map(\.avgCost))
    let prices = style.prices(holdings.map { $0.coin?.currentPrice })
    for (index, holding) in holdings.enumerated() {
      var row: [TextTable.Cell] = [
        .init(holding.coin?.name ?? holding.id), .init(NumberFormat.quantity(holding.totalAmount)),
        costs[index], .init(NumberFormat.amount(holding.totalCost)), prices[index],
      ]
      row += worth(holding)
      if hasStale { row.append(.init(holding.isStale ? "stale" : "", .warning)) }
      table.add(row)
    }
    return table
  }

  /// Returns the cells for value, gain, share and change of a holding; without a price, a cell that says so.
  private func worth(_ holding: Holding) -> [TextTable.Cell] {
    guard let coin = holding.coin, let value = holding.currentValue else {
      return [.init("no price", .warning), "-", "-", "-", "-"]
    }
    return [
      .init(NumberFormat.amount(value)), .gain(holding.profitLoss, beside: value),
      .change(holding.profitLossPercentage),
      .init(holding.share.map { String(NumberFormat.percent($0).drop { $0 == "+" }) } ?? "-"),
      .change(coin.priceChangePercentage24h),
    ]
  }

  /// Returns the positions that were sold completely.
  ///
  /// - Parameter coins: The names of their coins, as far as they are known, by id.
  func closed(_ closed: [ClosedPosition], _ coins: [String: CoinListItem]) -> TextTable {
    var table = TextTable([
      .init("COIN", widest: 24, narrowest: 8), .init("QUANTITY", .right, drops: 4),
      .init("AVG COST", .point, drops: 2), .init("AVG SALE", .point, drops: 3),
      .init("GAIN \(currency)", .point), .init("GAIN %", .right, drops: 5), .init("OPENED", drops: 1), .init("CLOSED"),
    ])
    let costs = style.prices(closed.map(\.avgCostPrice))
    let sales = style.prices(closed.map(\.avgSellPrice))
    for (index, position) in closed.enumerated() {
      table.add([
        .init(coins[position.coinId]?.name ?? position.coinId),
        .init(NumberFormat.quantity(position.totalQuantity)), costs[index], sales[index],
        .gain(position.realizedPnL), .change(position.realizedPnLPercentage),
        .init(style.bookedDay(position.openedDate)), .init(style.bookedDay(position.closedDate)),
      ])
    }
    return table
  }
}
