package import Bitpal
package import BitpalJSON
package import BitpalModel
import BitpalPortfolio
package import BitpalQueries
package import FoundationEssentials

/// Prices as the object that waybar reads, on one line.
///
/// The shape is waybar's, so it has no schema of ours. Its texts are markup; `class` is `error` where a coin is unknown or
/// cannot be priced, `stale` or `outdated`, otherwise `up` or `down` for a single coin or a portfolio alone with a change,
/// and `fresh` for all others.
package struct WaybarOutput: Sendable {
  private let line: String
  private let answer: QuotesAnswer
  private let portfolio: ValuedPortfolio?
  private let currency: String
  private let now: Date
  private let digits: Int?
  private let zone: ClockZone

  /// Creates the object.
  ///
  /// - Parameters:
  ///   - line: The text in the bar.
  ///   - portfolio: The portfolio in the bar; nil for none.
  ///   - digits: The decimals of prices; nil for as many as they have.
  ///   - zone: The time zone of the times of exchange rates.
  package init(
    _ line: String, _ answer: QuotesAnswer, portfolio: ValuedPortfolio? = nil, currency: String, now: Date,
    digits: Int? = nil, zone: ClockZone = .utc
  ) {
    self.portfolio = portfolio
    self.line = line
    self.answer = answer
    self.currency = currency
    self.now = now
    self.digits = digits
    self.zone = zone
  }

  package var json: JSONObject {
    let prices = (answer.quotes.map { ($0, currency) } + held).map { quote, currency in
      let coin = quote.value
      let change = coin.priceChangePercentage24h.map { " \(NumberFormat.percent($0))" } ?? ""
      let age = quote.freshness.text ?? "\(max(.zero, now.since(quote.fetchedAt)).shortText) old"
      let price = "\(NumberFormat.price(coin.currentPrice, digits: digits)) \(currency.uppercased())"
      let rate = quote.conversion.map { ", " + Provenance.text(of: $0, zone: zone) } ?? ""
      return "\(coin.name.printable(limit: 60)) \(price)\(change) (\(age)\(rate))"
    }
    let reasons = failures.map { "\($0.coin.printable(limit: 60)): \($0.error.message)" }
    return [
      "text": .string(XMLText.escaped(line)),
      "tooltip": .string(XMLText.escaped((prices + reasons).joined(separator: "\n"))), "class": .string(styleClass),
    ]
  }

  /// The prices of the portfolio, which follow those of the coins in the tooltip.
  private var held: [(Sourced<Coin>, String)] {
    portfolio.map { portfolio in portfolio.answer.quotes.map { ($0, portfolio.currency) } } ?? []
  }

  private var failures: [CoinFailure] { answer.failures + (portfolio?.answer.failures ?? []) }

  /// The class by which a style sheet can distinguish bars.
  private var styleClass: String {
    let quotes = answer.quotes + held.map(\.0)
    if failures.contains(where: { $0.error.code != .offline }) { return "error" }
    if quotes.contains(where: \.freshness.isServedStale) || !failures.isEmpty { return "stale" }
    if quotes.isEmpty { return portfolio == nil ? "stale" : "fresh" }
    if quotes.contains(where: \.freshness.isStale) { return "outdated" }
    let change =
      portfolio.map(\.portfolio.summary.change24hPercentage) ?? answer.quotes.first?.value.priceChangePercentage24h
    guard answer.quotes.count + (portfolio == nil ? 0 : 1) == 1, let change else { return "fresh" }
    return NumberFormat.isRise(NumberFormat.percent(change)).map { $0 ? "up" : "down" } ?? "fresh"
  }
}
