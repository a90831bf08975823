import BitpalModel
import BitpalPortfolio
import Foundation

/// Transactions to holdings, closed positions and a summary.
struct Portfolios {
  func table() async throws -> Table {
    var rows = [
      try await row("500 transactions", 500, .milliseconds(1)),
      try await row("100,000 transactions", 100_000, .milliseconds(60)),
    ]
    for method in GainMethod.allCases { rows.append(try await gains(method, 100_000, .milliseconds(200))) }
    return Table("Portfolio of 50 coins, in process", rows)
  }

  private func row(_ what: String, _ count: Int, _ most: Duration) async throws -> Row {
    let transactions = try Self.transactions(count)
    let times = try await Measurement.inTurns(
      try Self.valuing(transactions), repeated { Self.multiply(transactions) })
    return .limit(what, times[0], most, "multiplying and adding as many Decimals", times[1])
  }

  /// Gains of every disposal, lot by lot.
  private func gains(_ method: GainMethod, _ count: Int, _ most: Duration) async throws -> Row {
    let transactions = try Self.transactions(count)
    let times = try await Measurement.inTurns(
      repeated { _ = try Gains(transactions, by: method) },
      repeated { Self.multiply(transactions) })
    return .limit(
      "gains by \(method.rawValue), 100,000 transactions", times[0], most, "multiplying and adding as many Decimals",
      times[1])
  }

  /// Values a portfolio of that many transactions.
  static func valuing(_ transactions: [Transaction]) throws -> Measurement.Work {
    let now = Date(milliseconds: 1_736_937_000_000)
    let quotes = try (0..<50).map { index in
      let coin = try Coin(
        validating: "coin-\(index)", symbol: "c\(index)", name: "Coin \(index)",
        currentPrice: Decimal(strict: "\(100 + index).5"), priceChangePercentage24h: nil, lastUpdated: now)
      let key = AnswerKey(provider: "p", kind: .quote, coin: coin.id, currency: "usd")
      return (coin.id, Sourced(coin, about: key, source: "p", fetchedAt: now))
    }
    let prices = Dictionary(quotes) { first, _ in first }
    return repeated { _ = try Portfolio(try PortfolioLedger(transactions), quotes: prices) }
  }

  static func transactions(_ count: Int) throws -> [Transaction] {
    try (0..<count).map { index in
      let round = index / 50
      return try Transaction(
        validating: UUID(), coinId: "coin-\(index % 50)", type: round % 3 == 2 ? .sell : .buy,
        amount: Decimal(strict: round % 3 == 2 ? "0.5" : "1.\(1 + index % 89)"),
        pricePerCoin: Decimal(strict: "\(100 + index % 977).69702678"),
        date: Date(milliseconds: 1_600_000_000_000 + Int64(round) * 60_000))
    }
  }

  private static func multiply(_ transactions: [Transaction]) {
    var sum: Decimal = 0
    for transaction in transactions { sum += transaction.amount * (transaction.pricePerCoin ?? 0) }
  }
}
