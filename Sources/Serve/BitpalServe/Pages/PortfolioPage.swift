import Bitpal
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// The page of a portfolio: its value, holdings, closed positions, and gains by year.
///
/// Amounts can be masked while prices and percentages remain: a bystander then sees the performance, but not the
/// wealth.
struct PortfolioPage: Sendable {
  let site: Site
  let valued: ValuedPortfolio
  let gains: GainsOutput
  let worth: Value

  /// The value of the portfolio day by day.
  struct Value: Sendable {
    /// The available ranges.
    let ranges: [ChartTimeRange]

    /// The name of the current range.
    let range: String
    let output: PortfolioChartOutput
  }

  private var portfolio: Portfolio { valued.portfolio }
  private var summary: PortfolioSummary { valued.portfolio.summary }
  private var currency: String { valued.currency.uppercased() }

  var page: Page {
    Page(
      title: "Portfolio", section: .portfolio,
      main: .joined([top, totals, chart, holdings, closed, years]),
      parts: valued.answer.quotes.map { Provenance($0) } + worth.output.provenance,
      problems: (valued.answer.failures + worth.output.failures).map(\.error),
      events: site.events(portfolio.holdings.map { site.market.service.name(ofID: $0.id) }, in: valued.currency),
      keys: [("h", "hide amounts"), ("←", "shorter"), ("→", "longer")])
  }

  private var top: HTML {
    .element(.div, [.class("head")]) {
      HTML.element(.h1) {
        "Portfolio"
        HTML.element(.small) { " \(valued.name.text)" }
      }
      // The script shows this button, which has no effect without it.
      HTML.element(
        .button, [.text(.id, "mask"), .text(.ariaPressed, "false"), .text(.ariaKeys, "h"), .flag(.hidden)]
      ) { "Hide amounts" }
    }
  }

  // MARK: Sums

  private var totals: HTML {
    .element(.section, [.class("card"), .text(.ariaLabel, "Summary")]) {
      HTML.element(.div, [.class("hero")]) {
        HTML.element(.p, [.class("price")]) {
          Self.money(.span, summary.totalValue.map(NumberFormat.amount))
          HTML.element(.small) { " " + currency }
          if !summary.isComplete, summary.totalValue != nil {
            HTML.element(.strong, [.class("badge lacking")]) {
              "without " + valued.answer.failures.map { $0.coin.printable(limit: 30) }.joined(separator: ", ")
            }
          }
        }
        HTML.element(.p) {
          PageComponents.change(.b, summary.change24hPercentage)
          HTML.element(.small) { " in 24h" + (summary.isChangeComplete ? "" : ", incomplete") + " " }
          if summary.isStale { HTML.element(.strong, [.class("badge")]) { "some prices are old" } }
        }
      }
      if !valued.loneHalves.isEmpty {
        PageComponents.note("warning") { for error in valued.loneHalves { HTML.element(.p) { error.description } } }
      }
      if !summary.isComplete {
        PageComponents.note("warning") {
          for failure in valued.answer.failures {
            HTML.element(.p) {
              "\(failure.coin.printable(limit: 80)) has no price and is in no sum"
              failure.error.pause == nil ? ": \(failure.error.message)" : "."
            }
          }
        }
      }
      HTML.element(.table, [.class("facts")]) {
        HTML.element(.caption, [.class("unseen")]) { "The portfolio in numbers, in \(currency)" }
        HTML.element(.tbody) {
          fact("24h", summary.change24h)
          fact("Unrealized", summary.unrealizedPnL)
          fact(valued.method.averageGainTitle, summary.realizedPnL)
          fact("Total", summary.totalPnL, summary.totalPnLPercentage)
          PageComponents.fact("Cost") { Self.money(.span, NumberFormat.amount(summary.totalOpenCost)) }
          PageComponents.fact("Fees, not taken off the gains") { Self.money(.span, NumberFormat.amount(summary.fees)) }
        }
      }
    }
  }

  private func fact(_ name: String, _ gain: Decimal?, _ percent: Decimal? = nil) -> HTML {
    PageComponents.fact(name) {
      Self.gain(.span, gain)
      if let percent { HTML.element(.small) { " " + NumberFormat.percent(percent) } }
    }
  }

  /// Returns an amount of the user's, which can be masked; a dash for nil.
  private static func money(_ tag: HTML.Tag, _ text: String?, label: String? = nil) -> HTML {
    .element(tag, [label.map { Attribute.text(.dataLabel, $0) }, PageComponents.length(text)]) {
      HTML.element(.span, [.class("money")]) { text ?? "–" }
    }
  }

  /// Returns a gain with its sign and its colour; a dash for nil.
  private static func gain(_ tag: HTML.Tag, _ gain: Decimal?, label: String? = nil, scale: Int? = nil) -> HTML {
    let text = gain.map { NumberFormat.signedAmount($0, scale: scale) }
    return .element(tag, [label.map { Attribute.text(.dataLabel, $0) }, PageComponents.direction(text)]) {
      HTML.element(.span, [.class("money")]) { text ?? "–" }
    }
  }

  // MARK: Value over time

  private var chart: HTML {
    .element(.section, [.class("card secret"), .text(.ariaLabel, "Value over time")]) {
      HTML.element(.div, [.class("tools")]) {
        HTML.element(.h2) { "Value and cost" }
        ranges
      }
      if worth.output.days.isEmpty {
        HTML.element(.p) { "The chart is empty: \(worth.output.emptyText)." }
      } else {
        ChartFigure.html(worth.output.chart, over: worth.output.title)
      }
      for remark in worth.output.remarks {
        HTML.element(.p) { HTML.element(.small) { "The chart \(remark)." } }
      }
    }
  }

  private var ranges: HTML {
    ChoiceOfRange.html(worth.ranges, current: worth.range) { PagePath(["portfolio"], query: ["range": $0]) }
  }

  // MARK: Tables

  private var holdings: HTML {
    if portfolio.holdings.isEmpty {
      return PageComponents.note("welcome") {
        HTML.element(.p) { "Nothing is held." }
        HTML.element(.p) {
          "A purchase is recorded on the command line: "
          HTML.element(.kbd) { "bitpal buy 0.5 bitcoin --price 64000" }
        }
      }
    }
    let stale = Dictionary(valued.answer.quotes.map { ($0.value.id, $0) }) { first, _ in first }
    return table(
      "Holdings", ["Coin", "Quantity", "Price \(currency)", "Value", "Share", "Gain", "24h"],
      portfolio.holdings.map { holding in
        .element(
          .tr,
          [
            .text(.id, "coin-" + WellKnownCoins.name(ofID: holding.id)),
            stale[holding.id].map(PageComponents.mark) ?? .text(.dataPrice, ""),
          ]
        ) {
          HTML.element(.th, [.text(.scope, "row")]) {
            HTML.element(.a, [.href(PagePath(["coin", site.market.service.name(ofID: holding.id)]))]) {
              PageComponents.name(holding.coin?.name ?? holding.id, holding.coin?.symbol ?? "")
            }
            stale[holding.id].flatMap { PageComponents.badge($0.freshness) }
          }
          Self.money(.td, NumberFormat.quantity(holding.totalAmount), label: "Quantity")
          let price = holding.coin.map { NumberFormat.price($0.currentPrice) }
          HTML.element(.td, [.text(.dataLabel, "Price"), PageComponents.length(price)]) { price ?? "no price" }
          Self.money(.td, holding.currentValue.map(NumberFormat.amount), label: "Value")
          HTML.element(.td, [.text(.dataLabel, "Share")]) {
            holding.share.map { NumberFormat.amount($0) + "%" } ?? "–"
          }
          HTML.element(.td, [.text(.dataLabel, "Gain")]) {
            Self.gain(.span, NumberFormat.gain(holding.profitLoss, beside: holding.currentValue))
            if let percent = holding.profitLossPercentage { HTML.element(.small) { NumberFormat.percent(percent) } }
          }
          HTML.element(.td, [.text(.dataLabel, "24h")]) {
            PageComponents.change(.span, holding.coin?.priceChangePercentage24h)
          }
        }
      })
  }

  private var closed: HTML {
    if portfolio.closed.isEmpty { return .nothing }
    let zone = site.market.defaults.zone
    return table(
      "Closed positions", ["Coin", "Quantity", "Avg cost", "Avg sale", "Gain", "Closed"],
      portfolio.closed.reversed().map { position in
        .element(.tr) {
          HTML.element(.th, [.text(.scope, "row")]) {
            HTML.element(.a, [.href(PagePath(["coin", site.market.service.name(ofID: position.coinId)]))]) {
              let coin = WellKnownCoins.coin(ofID: position.coinId)
              PageComponents.name(coin?.name ?? position.coinId, coin?.symbol ?? "")
            }
          }
          Self.money(.td, NumberFormat.quantity(position.totalQuantity), label: "Quantity")
          HTML.element(.td, [.text(.dataLabel, "Avg cost")]) { NumberFormat.price(position.avgCostPrice) }
          HTML.element(.td, [.text(.dataLabel, "Avg sale")]) {
            position.avgSellPrice.map { NumberFormat.price($0) } ?? "–"
          }
          HTML.element(.td, [.text(.dataLabel, "Gain")]) {
            Self.gain(.span, position.realizedPnL)
            if let percent = position.realizedPnLPercentage { HTML.element(.small) { NumberFormat.percent(percent) } }
          }
          HTML.element(.td, [.text(.dataLabel, "Closed")]) { position.closedDate.bookedDayText(in: zone) }
        }
      })
  }

  private var years: HTML {
    if gains.years.isEmpty { return .nothing }
    let all = gains.years.count > 1 ? [("All", gains.total)] : []
    return table(
      "Gains by year, \(gains.method.rawValue)", ["Year", "Proceeds", "Cost", "Fees", "Gain"],
      (gains.years.map { (String($0.year), $0.sums) } + all).map { name, sums in
        .element(.tr) {
          HTML.element(.th, [.text(.scope, "row")]) { name }
          let scale = NumberFormat.scale(ofParts: [sums.proceeds, -sums.cost, -sums.fee], addingTo: sums.gain)
          Self.money(.td, NumberFormat.amount(sums.proceeds, scale: scale), label: "Proceeds")
          Self.money(.td, NumberFormat.amount(sums.cost, scale: scale), label: "Cost")
          Self.money(.td, NumberFormat.amount(sums.fee, scale: scale), label: "Fees")
          Self.gain(.td, sums.gain, label: "Gain", scale: scale)
        }
      })
  }

  private func table(_ title: String, _ columns: [String], _ rows: [HTML]) -> HTML {
    .element(.section) {
      HTML.element(.h2) { title }
      HTML.element(.table, [.class("rows")]) {
        HTML.element(.caption, [.class("unseen")]) { title }
        HTML.element(.thead) {
          HTML.element(.tr) { for column in columns { HTML.element(.th, [.text(.scope, "col")]) { column } } }
        }
        HTML.element(.tbody) { HTML.joined(rows) }
      }
    }
  }
}
