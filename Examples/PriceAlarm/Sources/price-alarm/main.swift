import BitpalModel
import BitpalNetwork
import BitpalProviders
import PriceAlarm

let time = SystemTime()
let transport = RetryingTransport(
  CurlTransport(userAgent: "price-alarm/1", time: time), provider: "coingecko", time: time)
let alarm = PriceAlarm(
  provider: DialectProvider(dialect: CoinGeckoDialect(), transport: transport, time: time), time: time)
for coin in CommandLine.arguments.dropFirst() {
  if let message = try await alarm.message(about: coin) { print(message) }
}
