import Bitpal
import PriceAlarm

// The providers, the cache and the request budget that all programs of the user share.
let alarm = PriceAlarm(service: try Bitpal.configured())
for coin in CommandLine.arguments.dropFirst() {
  if let message = try await alarm.message(about: coin) { print(message) }
}
