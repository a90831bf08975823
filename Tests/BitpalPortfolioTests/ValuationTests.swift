import BitpalModel
import BitpalPortfolio
import Foundation
import Testing

@Suite struct `Value of holdings` {
  private func ledger() throws -> PortfolioLedger {
    try PortfolioLedger([
      try Make.transaction(1, .buy, "2", "100", fee: "1"), try Make.transaction(2, .sell, "1", "150", fee: "2"),
      try Make.transaction(3, .buy, "10", "5", coin: "ethereum"),
      try Make.transaction(4, .buy, "3", "1", coin: "pepe"), try Make.transaction(5, .sell, "3", "2", coin: "pepe"),
    ])
  }

  @Test func `Values, gains, shares and sums follow from prices`() throws {
    let portfolio = try Portfolio(
      ledger(),
      quotes: [
        "bitcoin": try Make.quote("bitcoin", "120", change: "20"),
        "ethereum": try Make.quote("ethereum", "48", change: "-4"),
      ])
    #expect(portfolio.holdings.map(\.id) == ["ethereum", "bitcoin"])
    let bitcoin = portfolio.holdings[1]
    #expect(bitcoin.totalAmount == 1 && bitcoin.totalCost == 100 && bitcoin.currentValue == 120)
    #expect(bitcoin.profitLoss == 20 && bitcoin.profitLossPercentage == 20 && bitcoin.share == 20)
    let summary = portfolio.summary
    #expect(summary.totalValue == 600 && summary.totalOpenCost == 150 && summary.totalClosedCost == 103)
    #expect(summary.unrealizedPnL == 450 && summary.realizedPnL == 53 && summary.totalPnL == 503)
    #expect(summary.totalPnLPercentage?.plainText == "198.814229249011857708")
    #expect(summary.fees == 3 && summary.isComplete && summary.isChangeComplete && !summary.isStale)
    // 100 and 500 yesterday.
    #expect(summary.change24h == 0 && summary.change24hPercentage == 0)
    #expect(portfolio.closed.map(\.coinId) == ["pepe"])
  }

  @Test func `The change of a day is that of what is held, from what was paid for what came within it`() throws {
    func change(_ rows: [Transaction], _ quotes: [String: (String, String?)], moved: Int) throws -> PortfolioSummary {
      try Portfolio(
        PortfolioLedger(rows),
        quotes: Dictionary(
          uniqueKeysWithValues: quotes.map { ($0, try Make.quote($0, $1.0, change: $1.1)) }),
        moved: Array(rows.suffix(moved))
      ).summary
    }
    let old = try Make.transaction(1, .buy, "2", "50")
    let prices: [String: (String, String?)] = ["bitcoin": ("110", "10"), "ethereum": ("20", "-20"), "ada": ("1", nil)]
    let all = try change(
      [old] + [
        Make.transaction(2, .sell, "2", "105", date: Make.day(9), label: .swap, group: "a"),
        Make.transaction(3, .buy, "10", "21", coin: "ethereum", date: Make.day(9), label: .swap, group: "a"),
      ], prices, moved: 2)
    #expect(all.change24h == -10)
    let part = try change(
      [old] + [
        Make.transaction(2, .sell, "1", "105", date: Make.day(9), label: .swap, group: "a"),
        Make.transaction(3, .buy, "105", "1", coin: "ada", date: Make.day(9), label: .swap, group: "a"),
      ], prices, moved: 2)
    #expect(part.change24h == 10 && part.change24hPercentage == 10 && !part.isChangeComplete)
    // A split doubles what was held and what was bought before it; what is sold is what was held longest.
    let split = try change(
      [old] + [
        Make.transaction(2, .buy, "2", "200", date: Make.day(9)),
        Make.transaction(3, .send, "4", nil, date: Make.day(10), label: .split, group: "b"),
        Make.transaction(4, .receive, "8", "0", date: Make.day(10), label: .split, group: "b"),
        Make.transaction(5, .sell, "5", "100", date: Make.day(11)),
      ], prices, moved: 4)
    #expect(split.change24h == 30)
    // A sale by its day alone may be booked after a purchase of that day, and be of before the last 24 hours by its midnight.
    let rows = [
      try Make.transaction(1, .buy, "1", "50"), try Make.transaction(2, .buy, "9", "100", date: Make.day(9)),
      try Make.transaction(3, .sell, "9.5", "106", date: Make.day(10)),
    ]
    let rest = try Portfolio(
      PortfolioLedger(rows), quotes: ["bitcoin": try Make.quote("bitcoin", "110", change: "10")], moved: [rows[1]])
    #expect(rest.summary.change24h == 5 && rest.summary.change24hPercentage == 10)
  }

  @Test func `A coin without a price is shown as such and makes the totals incomplete`() throws {
    let portfolio = try Portfolio(ledger(), quotes: ["bitcoin": try Make.quote("bitcoin", "120")])
    #expect(portfolio.holdings.map(\.id) == ["bitcoin", "ethereum"])
    let ethereum = portfolio.holdings[1]
    #expect(ethereum.coin == nil && ethereum.currentValue == nil && ethereum.profitLoss == nil && ethereum.share == nil)
    #expect(ethereum.totalCost == 50)
    let summary = portfolio.summary
    #expect(!summary.isComplete && summary.totalValue == 120 && summary.unrealizedPnL == 20 && summary.totalPnL == 73)
    #expect(summary.totalOpenCost == 150 && summary.unpricedCost == 50)
    #expect(summary.change24h == nil && !summary.isChangeComplete)
  }

  @Test func `Without any price the total is missing, and without holdings it is zero`() throws {
    let none = try Portfolio(ledger(), quotes: [:]).summary
    #expect(none.totalValue == nil && none.unrealizedPnL == nil && none.totalPnL == nil && none.realizedPnL == 53)
    let empty = try Portfolio(PortfolioLedger([]), quotes: [:]).summary
    #expect(empty.totalValue == 0 && empty.totalPnL == 0 && empty.totalPnLPercentage == nil && empty.isComplete)
  }

  @Test func `One stale price marks the totals stale`() throws {
    let portfolio = try Portfolio(
      ledger(),
      quotes: [
        "bitcoin": try Make.quote("bitcoin", "120", staleFor: .seconds(90)),
        "ethereum": try Make.quote("ethereum", "48"),
      ])
    #expect(portfolio.summary.isStale)
    #expect(portfolio.holdings.map(\.isStale) == [false, true])
  }

  @Test(arguments: ["-100", "-250"])
  func `A change from or to a missing price is not a change`(change: String) throws {
    let summary = try Portfolio(
      PortfolioLedger([try Make.transaction(1, .buy, "1", "1")]),
      quotes: ["bitcoin": try Make.quote("bitcoin", "1", change: change)]
    ).summary
    #expect(summary.change24h == nil && !summary.isChangeComplete)
  }
}
