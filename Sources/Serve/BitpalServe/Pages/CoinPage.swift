import Bitpal
import BitpalCharts
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// The page of a coin: its price, its chart and its market figures.
struct CoinPage: Sendable {
  let site: Site
  let quote: Sourced<Coin>

  /// The market figures, or the error.
  let detail: Result<Sourced<CoinDetail>, BitpalError>
  let chart: CoinChart

  /// Whether the coin is on the watchlist; nil when the watchlist cannot be changed.
  let isFollowed: Bool?

  /// The sentence on a coin that is asked for by a former id or ticker; nil for none.
  let renaming: String?

  /// The names of coins that are suggested for a comparison.
  let suggestions: [String]

  private var coin: Coin { quote.value }

  /// The name in requests and addresses.
  private var name: String { site.market.service.name(ofID: coin.id) }
  private var price: String { NumberFormat.price(coin.currentPrice) }
  private var currency: String { site.currency.uppercased() }

  var page: Page {
    let drawn = (try? chart.content.get())?.parts ?? []
    let known = (try? detail.get()).map { [Provenance($0)] } ?? []
    return Page(
      title: "\(coin.name) \(price) \(currency)", main: .joined([hero, chartSection, figures]),
      parts: [Provenance(quote)] + known + drawn,
      problems: [detail.error, chart.content.error].compactMap(\.self), events: site.events([name]),
      keys: [("←", "shorter"), ("→", "longer"), ("c", "candles")])
  }

  // MARK: The price

  private var hero: HTML {
    .element(
      .section, [.class("hero"), .text(.id, "coin-" + WellKnownCoins.name(ofID: coin.id)), PageComponents.mark(quote)]
    ) {
      HTML.element(.h1) { PageComponents.name(coin.name, coin.symbol) }
      HTML.element(.p, [.class("price")]) {
        HTML.element(.span, [PageComponents.length(price)]) { price }
        HTML.element(.small) { " " + currency }
      }
      HTML.element(.p, [.class("aside")]) {
        PageComponents.change(.b, coin.priceChangePercentage24h)
        HTML.element(.small) { " in 24h · " }
        PageComponents.age(.small, site.market.now.since(coin.lastUpdated ?? quote.fetchedAt))
        HTML.element(.small) { " old " }
        PageComponents.badge(quote.freshness)
      }
      if let renaming { HTML.element(.p, [.class("aside")]) { HTML.element(.small) { renaming + "." } } }
      if let agreement = quote.agreement {
        HTML.element(.p, [.class("aside")]) { HTML.element(.small) { agreement.text } }
      }
      if let isFollowed {
        // The watchlist knows a coin by its id, so the id removes it.
        HTML.element(
          .form,
          [
            .text(.method, "post"),
            .link(
              .action,
              site.path(of: isFollowed ? .remove : .add, isFollowed ? coin.id : name, stays: true)),
          ]
        ) {
          HTML.element(.button) { isFollowed ? "× Remove from the watchlist" : "+ Add to the watchlist" }
        }
      }
    }
  }

  // MARK: The chart

  private var chartSection: HTML {
    .element(.section, [.class("card"), .text(.ariaLabel, "Chart")]) {
      HTML.element(.div, [.class("tools")]) {
        ranges
        types
      }
      switch chart.content {
      case .success(let content):
        if let stale = Provenance.staleText(content.parts) {
          HTML.element(.p) { HTML.element(.strong, [.class("badge")]) { stale } }
        }
        for sentence in content.remarks {
          PageComponents.note("warning") { HTML.element(.p) { sentence } }
        }
        ChartFigure.html(content.chart, over: content.range)
        statistics(content)
      case .failure(let error):
        if error.pause == nil {
          PageComponents.note("warning") {
            for line in error.messageOverHTTP.split(separator: "\n") { HTML.element(.p) { String(line) } }
          }
        } else {
          HTML.element(.p) { "The chart follows." }
        }
      }
      HTML.element(.div, [.class("tools")]) {
        comparing
        if case .success = chart.content { downloads }
      }
    }
  }

  private var ranges: HTML {
    let offered = site.market.defaults.ranges.filter { $0.types.contains(chart.shape.type) }
    return ChoiceOfRange.html(offered, current: chart.shape.range) {
      chart.shape.over($0).page(of: name)
    }
  }

  private var types: HTML {
    .element(.nav, [.class("choices"), .text(.ariaLabel, "Kind of chart")]) {
      for (type, text) in [(ChartType.line, "Line"), (.candle, "Candles")] {
        let isCurrent = chart.shape.type == type
        HTML.element(
          .a,
          [
            .href(chart.shape.of(type).page(of: name)), isCurrent ? .text(.ariaCurrent, "true") : .text(.ariaKeys, "c"),
          ]
        ) { text }
      }
    }
  }

  private var comparing: HTML {
    .element(.form, [.class("compare"), .link(.action, PagePath(["coin", name]))]) {
      HTML.element(.input, [.text(.type, "hidden"), .text(.name, "range"), .text(.value, chart.shape.range)])
      if let currency = chart.shape.currency {
        HTML.element(.input, [.text(.type, "hidden"), .text(.name, "currency"), .text(.value, currency)])
      }
      HTML.element(
        .input,
        [
          .text(.name, "with"), .text(.list, "others"), .text(.value, chart.shape.other ?? ""),
          .text(.placeholder, "Compare with…"), .text(.ariaLabel, "Compare with another coin"),
          .text(.autocomplete, "off"), .text(.maxlength, "100"), .flag(.required),
        ])
      HTML.element(.button) { "Compare" }
      HTML.element(.datalist, [.text(.id, "others")]) {
        for coin in suggestions { HTML.element(.option, [.text(.value, coin)]) }
      }
      if chart.shape.other != nil {
        // Without a type, so that the one that was chosen last is shown again.
        let alone = PagePath(["coin", name], query: ["range": chart.shape.range, "currency": chart.shape.currency])
        HTML.element(.a, [.href(alone)]) { "Remove the comparison" }
      }
    }
  }

  private var downloads: HTML {
    .element(.nav, [.class("choices"), .text(.ariaLabel, "Download the chart")]) {
      for form in DownloadForm.allCases {
        HTML.element(.a, [.href(chart.shape.file(of: name, form)), .text(.download, "")]) {
          "↓ " + form.rawValue.uppercased()
        }
      }
    }
  }

  private func statistics(_ content: CoinChart.Content) -> HTML {
    // The picture of a comparison shows these numbers.
    .element(.table, [.class(chart.shape.other == nil ? "facts" : "unseen")]) {
      HTML.element(.caption, [.class("unseen")]) { "The chart in numbers" }
      HTML.element(.tbody) {
        switch content {
        case .single(let output):
          if let numbers = output.statistics {
            let digits = output.chart.digits(nil)
            PageComponents.fact("Open") { NumberFormat.price(numbers.startPrice, digits: digits) }
            PageComponents.fact("High") { NumberFormat.price(numbers.periodHigh, digits: digits) }
            PageComponents.fact("Low") { NumberFormat.price(numbers.periodLow, digits: digits) }
            // Beside the price above, which may be newer.
            PageComponents.fact(output.type == .candle ? "Last candle" : "Close") {
              NumberFormat.price(numbers.endPrice, digits: digits)
            }
            PageComponents.fact("Change over \(output.question.range.spelledOut)") {
              PageComponents.change(
                .span, numbers.percentageChange, numbers.percentageChange.map { NumberFormat.finePercent($0) })
              HTML.element(.small) { " " + NumberFormat.priceChange(numbers.priceChange, digits: digits) }
            }
          }
        case .comparison(let output):
          for series in output.series {
            PageComponents.fact(output.title(of: series)) {
              let change = ChartStatistics(line: series.line.value.points)?.percentageChange
              PageComponents.change(
                .span, change, change.map { NumberFormat.finePercent($0, digits: output.chart.digits(nil) ?? 2) })
            }
          }
        }
      }
    }
  }

  // MARK: Market figures

  private var figures: HTML {
    .element(.section, [.class("card")]) {
      HTML.element(.h2) { "Market figures" }
      switch detail {
      case .success(let detail): facts(detail.value)
      case .failure(let error):
        HTML.element(.p) { error.pause == nil ? "There are none: \(error.message)." : "They follow." }
      }
    }
  }

  private func facts(_ detail: CoinDetail) -> HTML {
    let symbol = " " + coin.symbol.uppercased()
    func short(_ value: Decimal?, _ unit: String) -> HTML { HTML(value.map { NumberFormat.short($0) + unit } ?? "–") }
    func extreme(_ extreme: PriceExtreme?) -> HTML {
      guard let extreme else { return HTML("–") }
      let notes = [
        extreme.date?.dayText(in: site.market.defaults.zone),
        coin.currentPrice.percentChange(since: extreme.price).map { NumberFormat.percent($0) + " since" },
      ].compactMap(\.self)
      // A date does not break at its hyphens.
      return HTML(NumberFormat.price(extreme.price))
        + .element(.small) {
          for (index, note) in notes.enumerated() {
            index == 0 ? " " : ", "
            HTML.element(.span) { note }
          }
        }
    }
    return .element(.table, [.class("facts wide")]) {
      HTML.element(.caption, [.class("unseen")]) { "Market figures in \(currency)" }
      HTML.element(.tbody) {
        PageComponents.fact("Rank") { detail.rank.map { "#\($0)" } ?? "–" }
        PageComponents.fact("Market cap") { short(detail.marketCap, " " + currency) }
        PageComponents.fact("24h volume") { short(detail.totalVolume, " " + currency) }
        PageComponents.fact("7d change") { PageComponents.change(.span, detail.changes.week) }
        PageComponents.fact("30d change") { PageComponents.change(.span, detail.changes.month) }
        PageComponents.fact("1y change") { PageComponents.change(.span, detail.changes.year) }
        PageComponents.fact("All-time high") { extreme(detail.allTimeHigh) }
        PageComponents.fact("All-time low") { extreme(detail.allTimeLow) }
        PageComponents.fact("Circulating supply") { short(detail.circulatingSupply, symbol) }
        PageComponents.fact("Total supply") { short(detail.totalSupply, symbol) }
        PageComponents.fact("Maximum supply") { short(detail.maximumSupply, symbol) }
        PageComponents.fact("Id") { coin.id }
      }
    }
  }
}
