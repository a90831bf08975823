import BitpalModel
import Testing

@Suite struct `The well-known coins` {
  @Test func `are two hundred, each with a ticker and an id of its own, the best known first`() {
    #expect(WellKnownCoins.all.count == 200)
    #expect(Set(WellKnownCoins.all.map(\.symbol)).count == 200 && Set(WellKnownCoins.all.map(\.id)).count == 200)
    #expect(WellKnownCoins.all.prefix(2).map(\.id) == ["bitcoin", "ethereum"])
    #expect(WellKnownCoins.all.allSatisfy { $0.symbol == $0.symbol.lowercased() && !$0.name.isEmpty })
  }

  @Test func `are found by ticker in whatever case, and have a place`() {
    #expect(WellKnownCoins.coin(ticker: "USDT")?.id == "tether")
    for name in ["tether", "", " ", "usdt tether", "usd", "usdt\n"] {
      #expect(WellKnownCoins.coin(ticker: name) == nil)
    }
    for coin in WellKnownCoins.all { #expect(WellKnownCoins.coin(ticker: coin.symbol) == coin) }
    #expect(WellKnownCoins.isStable("tether") && !WellKnownCoins.isStable("bitcoin"))
    #expect(
      CurrencyCoin.coinsOfCodes.keys.allSatisfy {
        CurrencyCoin.isCurrency($0) && WellKnownCoins.coin(ticker: $0) == nil
      })
    #expect(WellKnownCoins.place(of: "bitcoin") == 0 && WellKnownCoins.place(of: "batcat") == nil)
  }
}
