import BitpalModel
import FoundationEssentials

/// Text and numbers as SVG wants them.
enum SVGText {
  /// Without control characters, and with what XML reserves written as entities.
  static func escaped(_ text: String) -> String {
    text.printable(limit: 400).reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }

  /// A coordinate with at most one decimal.
  static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1_000_000 else { return "0" }
    let tenths = Int((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }

  /// The numbers of a chart with their names.
  static func statistics(_ statistics: ChartStatistics) -> [(name: String, value: String)] {
    let change = statistics.priceChange
    return [
      ("open", NumberFormat.price(statistics.startPrice)), ("high", NumberFormat.price(statistics.periodHigh)),
      ("low", NumberFormat.price(statistics.periodLow)), ("close", NumberFormat.price(statistics.endPrice)),
      (
        "change",
        (change > 0 ? "+" : "") + NumberFormat.price(change)
          + (statistics.percentageChange.map { " (" + NumberFormat.percent($0) + ")" } ?? "")
      ),
    ]
  }
}
