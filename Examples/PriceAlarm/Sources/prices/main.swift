import BitpalConfig
import BitpalService

let environment = Environment.process()
let settings = try SettingsLoader(environment: environment).load()
let service = try Assembly(settings: settings, environment: environment).priceService()
let answer = try await service.quotes(["bitcoin", "ethereum"], currency: "usd")
for quote in answer.quotes {
  print(quote.value.name, quote.value.currentPrice, quote.source, quote.freshness)
}
