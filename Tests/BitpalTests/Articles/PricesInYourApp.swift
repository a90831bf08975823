// What the article "Prices in your app" shows.

import Bitpal

/// One line a coin: its price, or why it has none.
func priceLines(_ coins: [String], from service: PriceService) async throws -> [String] {
  let answer = try await service.quotes(coins, currency: "usd")
  let prices = answer.quotes.map { quote in
    let line = "\(quote.value.name) \(NumberFormat.price(quote.value.currentPrice))"
    guard case .stale(let age, let cause) = quote.freshness else { return line }
    return "\(line), \(age.shortText) old: \(cause.message)"
  }
  return prices + answer.failures.map { "\($0.coin): \($0.error.message)" }
}

/// Between which prices a coin moved in a week, and how far it came.
func week(of coin: String, from service: PriceService) async throws -> String? {
  guard let range = ChartTimeRange.standard.named("1W") else { return nil }
  let line = try await service.line(coin, range: range, currency: "usd")
  guard let week = ChartStatistics(line: line.value.points), let change = week.percentageChange else { return nil }
  let (low, high) = (NumberFormat.price(week.periodLow), NumberFormat.price(week.periodHigh))
  return "\(low) to \(high), \(NumberFormat.percent(change))"
}

/// Prints prices as they change, until its task is cancelled.
func follow(_ coins: [String], with service: PriceService) async {
  for await answer in service.updates(of: coins, every: .seconds(30)) {
    for quote in answer.quotes { print(quote.name, NumberFormat.price(quote.price), quote.freshness) }
  }
}

/// The text of a screen without an answer.
func advice(on error: BitpalError) -> String {
  switch error.code {
  case .rateLimited, .network, .timedOut, .refused: "Prices are not to be had now. Try again in a minute."
  case .notFound, .ambiguous: error.description
  default: "Something is wrong with the set-up: \(error.message)"
  }
}

/// Services that read none of the user's files: of CoinGecko, of a shipped source, and of a file in the app.
func ownServices(in folder: String) throws -> [PriceService] {
  let coins = Bitpal.coinGecko(key: nil)
  let exchange = try Bitpal(provider: .shipped("kraken"))
  let own = try Bitpal(provider: .file(folder + "/moonbase.yaml"))
  return [coins, exchange, own]
}
