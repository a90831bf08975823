import Bitpal
import BitpalCharts
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import FoundationEssentials

/// The page of the watchlist, with one row per coin: name, week, price, change, age.
struct WatchlistPage: Sendable {
  private let site: Site
  private let rows: [WatchlistRow]
  private let order: WatchlistSort?
  private let canChange: Bool

  /// The content in place of a watchlist that is empty or cannot be shown; the rows are then suggestions.
  private let instead: HTML?

  init(_ site: Site, _ rows: [WatchlistRow], _ order: WatchlistSort?, canChange: Bool, instead: HTML? = nil) {
    self.site = site
    self.rows = rows
    self.order = order
    self.canChange = canChange
    self.instead = instead
  }

  var page: Page {
    Page(
      title: "Watchlist", section: .watchlist, main: main, parts: rows.compactMap { $0.quote.map { Provenance($0) } },
      problems: rows.compactMap(\.answer.error), events: site.events(rows.map(\.name)))
  }

  // A list without groups or notes has no columns for them.
  private var hasGroups: Bool { rows.contains { $0.group != nil } }
  private var hasNotes: Bool { rows.contains { $0.note != nil } }

  private var main: HTML {
    .joined([
      .element(.h1) {
        "Watchlist"
        if instead == nil { HTML.element(.small) { " \(rows.count)" } }
      },
      instead ?? .nothing,
      rows.isEmpty ? .nothing : table,
    ])
  }

  private var table: HTML {
    .element(.table, [.class("watchlist")]) {
      HTML.element(.caption, instead == nil ? [.class("unseen")] : []) {
        instead == nil ? "The coins you follow" : "Well-known coins"
      }
      HTML.element(.thead) {
        HTML.element(.tr) {
          heading(.name, "Coin")
          HTML.element(.th, [.text(.scope, "col")]) { "7 days" }
          heading(.price, "Price " + site.currency.uppercased())
          heading(.change, "24h")
          heading(.age, "Age")
          if hasGroups { HTML.element(.th, [.text(.scope, "col"), .class("about")]) { "Group" } }
          if hasNotes { HTML.element(.th, [.text(.scope, "col"), .class("about")]) { "Note" } }
          if canChange {
            HTML.element(.th, [.text(.scope, "col")]) {
              HTML.element(.span, [.class("unseen")]) { instead == nil ? "Remove" : "Add" }
            }
          }
        }
      }
      HTML.element(.tbody) { for row in rows { self.row(row) } }
    } + (canChange ? .element(.form, [.text(.id, "edit"), .text(.method, "post")]) : .nothing)
  }

  /// Returns the heading of a column, a link that sorts by it and, if that is the current order, reverses it.
  private func heading(_ column: WatchlistSort.Column, _ text: String) -> HTML {
    let isSorted = order?.column == column
    let next = WatchlistSort(column, isDown: isSorted ? order?.isDown == false : column.beginsDown)
    let sorting = isSorted ? Attribute.text(.ariaSort, order?.isDown == true ? "descending" : "ascending") : nil
    return .element(.th, [.text(.scope, "col"), sorting]) {
      // Suggestions cannot be sorted.
      if instead == nil {
        HTML.element(.a, [.href(PagePath(query: ["sort": next.text]))]) { text }
      } else {
        text
      }
    }
  }

  private func row(_ row: WatchlistRow) -> HTML {
    .element(
      .tr,
      [
        .text(.id, "coin-" + WellKnownCoins.name(ofID: row.id)),
        row.quote.map(PageComponents.mark) ?? .text(.dataPrice, ""),
      ]
    ) {
      HTML.element(.th, [.text(.scope, "row")]) {
        HTML.element(.a, [.href(PagePath(["coin", row.name]))]) {
          PageComponents.name(row.quote?.value.name ?? row.id, row.quote?.value.symbol ?? "")
        }
        if let badge = row.quote.flatMap({ PageComponents.badge($0.freshness) }) { HTML(" ") + badge }
        if case .failure(let error) = row.answer {
          HTML.element(.strong, [.class("badge"), .text(.title, error.message)]) { "no price" }
        }
      }
      // The script loads weeks that are not cached one by one, so that the page itself costs its source one request.
      HTML.element(
        .td, [site.market.isOnWeb && row.quote != nil && row.lacksWeek ? .text(.dataSpark, row.name) : nil]
      ) {
        SVGDrawing.sparkline(row.week).map(HTML.init) ?? HTML("–")
      }
      let price = row.quote.map { NumberFormat.price($0.value.currentPrice) }
      HTML.element(.td, [PageComponents.length(price)]) { price ?? "–" }
      PageComponents.change(.td, row.quote?.value.priceChangePercentage24h)
      row.age.map { PageComponents.age(.td, $0) } ?? .element(.td) { "–" }
      if hasGroups {
        HTML.element(.td, [.class("about")]) {
          if let group = row.group { HTML.element(.a, [.href(PagePath(query: ["group": group]))]) { group } }
        }
      }
      if hasNotes { HTML.element(.td, [.class("about")]) { row.note ?? "" } }
      if canChange { HTML.element(.td) { button(row) } }
    }
  }

  private func button(_ row: WatchlistRow) -> HTML {
    let change = instead == nil ? WatchlistChange.remove : .add
    let name = (row.quote?.value.name ?? row.id).printable(limit: 100)
    // The watchlist knows a coin by its id, so the id removes it; the name in requests adds it.
    let path = site.path(of: change, change == .remove ? row.id : row.name, sort: order?.text)
    return .element(
      .button,
      [
        .text(.form, "edit"), .link(.formaction, path),
        .text(.ariaLabel, change == .remove ? "Remove \(name)" : "Add \(name)"),
      ]
    ) { change == .remove ? "×" : "+" }
  }

  // MARK: Without a watchlist

  static func empty(canAdd: Bool) -> HTML {
    PageComponents.note("welcome") {
      HTML.element(.p) { "The watchlist is empty." }
      HTML.element(.p) {
        canAdd
          ? "Search for a coin above and add it, or begin with one of these. On the command line it is "
          : "The owner of this server adds coins with "
        HTML.element(.kbd) { "bitpal watchlist add bitcoin" }
        "."
      }
    }
  }

  static func refused(_ error: BitpalError) -> HTML {
    PageComponents.note("warning") {
      HTML.element(.p) { "The watchlist cannot be shown: \(error.message)." }
      if let hint = error.hint { HTML.element(.p) { "What to do: \(hint)" } }
    }
  }

  static let none = PageComponents.note("welcome") {
    HTML.element(.p) { "This server has no watchlist. Any coin has a page: search for it above." }
  }
}
