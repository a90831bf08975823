import Bitpal

let answer = try await Bitpal.configured().quotes(["bitcoin", "ethereum"], currency: "usd")
for quote in answer.quotes {
  print(quote.name, quote.price, quote.source, quote.freshness)
}
