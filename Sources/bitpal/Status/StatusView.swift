import BitpalJSON
import BitpalModel
import BitpalService
import FoundationEssentials

/// Prices in one line.
struct StatusView {
  let answer: QuotesAnswer
  let coins: [String]
  let currency: String
  let template: StatusTemplate
  let now: Date

  /// The line, without a line end.
  var line: String {
    let known = answer.quotes.map { quote in
      template.text(quote, currency: currency, age: max(.zero, now.since(quote.fetchedAt)))
    }
    let unknown = answer.failures.map { template.text(unknown: $0.coin, currency: currency) }
    return (known + unknown).joined(separator: "  ")
  }

  /// The object that waybar reads, in one line.
  ///
  /// Its text is markup; `class` is `stale`, or `up` or `down` when there is one coin.
  var waybar: String {
    let tooltip = answer.quotes.map { quote in
      let coin = quote.value
      let change = coin.priceChange24h.map { " \(NumberFormat.percent($0))" } ?? ""
      let age = Origin(quote).staleText ?? "\(max(.zero, now.since(quote.fetchedAt)).shortText) old"
      return
        "\(coin.name.printable(limit: 60)) \(NumberFormat.price(coin.currentPrice)) \(currency.uppercased())\(change) (\(age))"
    }
    let reasons = answer.failures.map { "\($0.coin.printable(limit: 60)): \($0.error.message)" }
    let object: JSONObject = [
      "text": .string(Self.escaped(line)),
      "tooltip": .string(Self.escaped((tooltip + reasons).joined(separator: "\n"))), "class": .string(mood),
    ]
    return JSONValue.object(object).compact()
  }

  private var mood: String {
    if answer.quotes.contains(where: \.freshness.isStale) || answer.quotes.isEmpty { return "stale" }
    guard answer.quotes.count == 1, let change = answer.quotes.first?.value.priceChange24h else { return "fresh" }
    return change < 0 ? "down" : "up"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
