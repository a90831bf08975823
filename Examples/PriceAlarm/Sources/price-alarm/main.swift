import BitpalConfig
import BitpalService
import PriceAlarm

// The providers, the cache and the request budget that all programs of the user share.
let environment = Environment.process()
let settings = try SettingsLoader(environment: environment).load()
let alarm = PriceAlarm(service: try Assembly(settings: settings, environment: environment).priceService())
for coin in CommandLine.arguments.dropFirst() {
  if let message = try await alarm.message(about: coin) { print(message) }
}
