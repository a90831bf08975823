import BitpalJSON
import BitpalModel
import BitpalOutput
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
  var waybar: String {
    JSONValue.object(WaybarOutput(line, answer, currency: currency, now: now).json).compact()
  }
}
