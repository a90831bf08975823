import BitpalModel
import BitpalPortfolio
import Foundation
import Testing

@Suite struct `The ledger agrees with what others found` {
  @Test func `There are vectors`() {
    #expect(Vectors.facts.count == 12)
    #expect(Vectors.randoms.count == 60)
  }

  @Test(arguments: Vectors.facts)
  func `Every published outcome comes out`(fact: Vectors.Fact) throws {
    let transactions = try Vectors.transactions(fact.ops)
    if fact.error != nil || fact.name == "ghostfolio msft thirds" {
      // Upstream closes a position that is oversold by 10^-16; here the sale is refused with what is held.
      #expect(throws: PortfolioError.self) { _ = try PortfolioLedger(transactions) }
      return
    }
    let bookings = try PortfolioLedger.bookings(transactions)
    for (booking, after) in zip(bookings, fact.after ?? []) {
      #expect(booking.quantity.plainText == after[0])
      #expect(booking.cost.plainText == after[1])
      #expect(booking.realized?.plainText == after[2])
    }
    let portfolio = try Portfolio(
      PortfolioLedger(transactions), quotes: try fact.market.map { ["bitcoin": try Make.quote("bitcoin", $0)] } ?? [:])
    let holding = portfolio.holdings.first
    if let quantity = fact.quantity { #expect(holding?.totalAmount ?? 0 == (try Make.number(quantity))) }
    if let investment = fact.investment { #expect(holding?.totalCost ?? 0 == (try Make.number(investment))) }
    if let average = fact.average { #expect(holding?.avgCost == (try Make.number(average))) }
    if let fees = fact.fees { #expect(portfolio.summary.fees == (try Make.number(fees))) }
    guard fact.market != nil || fact.quantity == "0" else { return }
    if let gross = fact.gross { #expect(portfolio.summary.totalPnL == (try Make.number(gross))) }
    if let net = fact.net, let total = portfolio.summary.totalPnL {
      #expect(total - portfolio.summary.fees == (try Make.number(net)))
    }
  }

  @Test func `A refusal names the held amount`() throws {
    let fact = try #require(Vectors.facts.first { $0.name == "ghostfolio msft thirds" })
    #expect {
      _ = try PortfolioLedger(Vectors.transactions(fact.ops))
    } throws: { error in
      "\(error)" == "cannot sell or send 1 bitcoin on 2025-01-01 00:00:00Z: only 0.9999999999999999 is held then; "
        + "\"all\" in place of the number takes what is held"
    }
  }

  @Test(arguments: Vectors.randoms.indices)
  func `Every random sequence comes out to the last digit`(index: Int) throws {
    let random = Vectors.randoms[index]
    let portfolio = try Portfolio(PortfolioLedger(Vectors.transactions(random.ops)), quotes: [:])
    #expect(portfolio.holdings.first?.totalAmount ?? 0 == (try Make.number(random.quantity)))
    #expect(portfolio.summary.totalOpenCost == (try Make.number(random.cost)))
    #expect(portfolio.summary.realizedPnL == (try Make.number(random.realized_gross)))
    #expect(portfolio.summary.fees == (try Make.number(random.fees)))
  }
}
