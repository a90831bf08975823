import BitpalModel
import BitpalOutput
import BitpalPortfolio
import FoundationEssentials

/// The widget in one of its sizes.
struct WidgetView: View {
  let output: WidgetOutput
  private let size: WidgetSize

  init(_ entry: PortfolioEntry, _ size: WidgetSize) {
    output = WidgetOutput(entry)
    self.size = size
  }

  private var entry: PortfolioEntry { output.entry }

  func table(style: Style) -> String {
    guard let data = entry.data else {
      return style("Portfolio", .heading) + "\n--\n" + style("\"bitpal portfolio\" fills this in", .quiet) + "\n"
    }
    var lines = [style("Portfolio", .heading)]
    if data.isEmpty {
      // When everything was sold, the realized gain is the only figure left.
      if data.realizedPnL == 0 {
        lines.append("Add holdings")
      } else {
        lines.append(gain(data.realizedPnL, style) + currency(data))
      }
    } else {
      lines.append(NumberFormat.amount(data.totalValue) + currency(data) + (data.isIncomplete ? " *" : ""))
      lines.append(gain(data.totalPnL, style))
    }
    var text = lines.map { $0 + "\n" }.joined()
    if size == .large, !data.isEmpty {
      text += style("unrealized ", .quiet) + gain(data.unrealizedPnL, style) + style(" · realized ", .quiet)
      text += gain(data.realizedPnL, style) + "\n"
    }
    if size != .small, !data.holdings.isEmpty { text += "\n" + holdings(data).text(style: style) + "\n" }
    if data.isIncomplete { text += style("* without coins that have no price", .warning) + "\n" }
    return text + age(data, style) + "\n"
  }

  private func holdings(_ data: WidgetPortfolioData) -> TextTable {
    var table = TextTable([.init("", widest: 12), .init("", .right), .init("", .right), .init("", .right)])
    for holding in data.holdings.prefix(size.holdings) {
      table.add([
        .init(holding.symbol), .init(NumberFormat.amount(holding.currentValue)),
        .gain(holding.pnlAmount, beside: holding.currentValue),
        .change(holding.pnlPercentage),
      ])
    }
    return table
  }

  private func age(_ data: WidgetPortfolioData, _ style: Style) -> String {
    guard let age = entry.age else { return "" }
    if entry.isStale { return style("stale, updated \(age.shortText) ago", .warning) }
    return style(age < .seconds(60) ? "updated just now" : "updated \(age.shortText) ago", .quiet)
  }

  private func gain(_ amount: Decimal, _ style: Style) -> String {
    let text = NumberFormat.signedAmount(amount)
    return Style.Role.change(text).map { style(text, $0) } ?? text
  }

  private func currency(_ data: WidgetPortfolioData) -> String {
    data.currency.map { " " + $0.uppercased().printable(limit: 10) } ?? ""
  }
}
