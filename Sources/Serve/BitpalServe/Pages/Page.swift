import Bitpal
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// A page, with the parts that all pages share: the head, the navigation, the search, and the sources at the foot.
struct Page: Sendable {
  /// The entry of the navigation to which a page belongs.
  enum Section: Sendable {
    case watchlist
    case portfolio
    case other
  }

  /// The title of the window.
  let title: String
  var section = Section.other
  let main: HTML

  /// The provenance of the prices.
  var parts: [Provenance] = []

  /// The failures of parts of the page.
  var problems: [BitpalError] = []

  /// The path of the events that update the page; nil for a page that does not change.
  var events: PagePath?

  /// The text in the search field.
  var searched = ""

  /// The keys in addition to those of all pages, with their actions.
  var keys: [(key: String, does: String)] = []

  /// The longest pause of a source that parts of the page wait for; nil for none.
  var pause: SourcePause? {
    problems.compactMap(\.pause).max { ($0.error.retryAfter ?? .zero) < ($1.error.retryAfter ?? .zero) }
  }

  /// Returns the whole document.
  func document(_ site: Site) -> String {
    HTML.document(
      .element(.html, [.text(.lang, "en")]) {
        head
        HTML.element(
          .body, [events.map { Attribute.text(.dataEvents, $0.text) }, site.market.isOnWeb ? nil : .flag(.dataStill)]
        ) {
          HTML.element(.a, [.class("skip"), .href(.here("main"))]) { "To the content" }
          top(site)
          HTML.element(.p, [.text(.id, "status"), .text(.role, "status"), .flag(.hidden)])
          HTML.element(.main, [.text(.id, "main"), .flag(.dataLive)]) {
            pause?.note ?? .nothing
            main
          }
          foot(site)
        }
      })
  }

  private var head: HTML {
    .element(.head) {
      HTML.element(.meta, [.text(.charset, "utf-8")])
      HTML.element(
        .meta, [.text(.name, "viewport"), .text(.content, "width=device-width, initial-scale=1")])
      HTML.element(.meta, [.text(.name, "color-scheme"), .text(.content, "light dark")])
      HTML.element(.title) { title + " · bitpal" }
      HTML.element(.link, [.text(.rel, "icon"), .href(PageAssets.icon.path)])
      HTML.element(.link, [.text(.rel, "apple-touch-icon"), .href(PageAssets.touchIcon.path)])
      HTML.element(.link, [.text(.rel, "manifest"), .href(PageAssets.manifest.path)])
      HTML.element(.link, [.text(.rel, "stylesheet"), .href(PageAssets.style.path)])
      // The script is not deferred, so that masked amounts are never visible.
      HTML.element(.script, [.link(.src, PageAssets.script.path)])
    }
  }

  private func top(_ site: Site) -> HTML {
    .element(.header) {
      HTML.element(.nav, [.text(.ariaLabel, "Pages")]) {
        HTML.element(
          .a, [.class("brand"), .href(PagePath()), section == .watchlist ? .text(.ariaCurrent, "page") : nil]
        ) { "bitpal" }
        if site.own.portfolio != nil {
          HTML.element(
            .a, [.href(PagePath(["portfolio"])), section == .portfolio ? .text(.ariaCurrent, "page") : nil]
          ) { "Portfolio" }
        }
        HTML.element(.span, [.text(.id, "live"), .flag(.hidden)])
      }
      HTML.element(.form, [.text(.role, "search"), .link(.action, PagePath(["search"]))]) {
        HTML.element(
          .input,
          [
            .text(.id, "query"), .text(.type, "search"), .text(.name, "query"), .text(.value, searched),
            .text(.placeholder, "Search"), .text(.ariaLabel, "Search coins and shares"), .text(.autocomplete, "off"),
            .text(.ariaKeys, "/"), .text(.maxlength, "100"),
          ])
        HTML.element(.button, [.class("quiet")]) { "Search" }
        HTML.element(.div, [.text(.id, "found"), .flag(.hidden)])
      }
    }
  }

  private func foot(_ site: Site) -> HTML {
    .element(.footer) {
      HTML.element(.p, [.text(.id, "source"), .flag(.dataLive)]) {
        if !parts.isEmpty {
          Provenance.sources(parts, providers: site.market.service.descriptors, zone: site.market.defaults.zone)
        }
      }
      view(site)
      HTML.element(.p, [.class("keys")]) {
        for (key, does) in keys + [("/", "search")] {
          HTML.element(.span) {
            HTML.element(.kbd) { key }
            " " + does
          }
        }
        HTML.element(.span) { "bitpal \(BitpalVersion.current)" }
      }
    }
  }
}

extension Page {
  /// Returns the form in which a visitor chooses the currency and the time zone of pages.
  private func view(_ site: Site) -> HTML {
    func field(_ name: String, _ label: String, _ value: String, _ list: String) -> HTML {
      .element(.label) {
        label + " "
        HTML.element(
          .input,
          [
            .text(.name, name), .text(.value, value), .text(.list, list), .text(.autocomplete, "off"),
            .text(.maxlength, "40"),
          ])
      }
    }
    return .element(.form, [.class("view"), .link(.action, PagePath([PageView.path]))]) {
      field("currency", "Currency", site.market.defaults.currency.uppercased(), "currencies")
      HTML.element(.datalist, [.text(.id, "currencies")]) {
        for code in site.market.currencies { HTML.element(.option) { code.uppercased() } }
      }
      field("zone", "Time zone", site.market.defaults.zone.name, "zones")
      // The script adds the zone of the browser.
      HTML.element(.datalist, [.text(.id, "zones")]) { HTML.element(.option) { "UTC" } }
      HTML.element(.button, [.class("quiet")]) { "Use" }
    }
  }
}

/// The components that pages share.
enum PageComponents {
  /// Returns a change in percent with its sign and colour; a dash where it is unknown.
  static func change(_ tag: HTML.Tag, _ percent: Decimal?, _ text: String? = nil) -> HTML {
    let text = text ?? percent.map(NumberFormat.percent)
    return .element(tag, [direction(text)]) { text ?? "–" }
  }

  /// Returns the class for a figure with many characters, which is smaller so that it stays on one line; nil for others.
  ///
  /// More than 24, as only hostile sources send them, may take several lines.
  static func length(_ figure: String?) -> Attribute? {
    guard let count = figure?.count, count > 14 else { return nil }
    return .class(count > 24 ? "longest" : "long")
  }

  /// Returns the class that colours a change which is shown as a rise or a fall; nil for zero and nil.
  static func direction(_ shown: String?) -> Attribute? {
    shown.flatMap(NumberFormat.isRise).map { .class($0 ? "rise" : "fall") }
  }

  /// Returns a row of a table of facts.
  static func fact(_ name: String, @HTMLBuilder _ value: () -> HTML) -> HTML {
    .element(.tr) {
      HTML.element(.th, [.text(.scope, "row")]) { name }
      HTML.element(.td, [], value)
    }
  }

  /// Returns an age in one unit: `17s`, `3m`, `2h`, `5d`; the script continues to count in the same way.
  static func age(_ tag: HTML.Tag, _ age: Duration) -> HTML {
    let seconds = max(0, age.milliseconds / 1000)
    return .element(tag, [.text(.dataAge, "\(seconds)")]) {
      seconds < 60
        ? "\(seconds)s"
        : seconds < 3600 ? "\(seconds / 60)m" : seconds < 86_400 ? "\(seconds / 3600)h" : "\(seconds / 86_400)d"
    }
  }

  /// Returns a badge for a stale or outdated answer with its age; nil for a fresh one.
  static func badge(_ freshness: Freshness) -> HTML? {
    freshness.text.map { text in
      let cause =
        if case .stale(_, let cause) = freshness { Attribute?.some(.text(.title, cause.message)) } else {
          nil as Attribute?
        }
      return .element(.strong, [.class("badge"), cause]) { text }
    }
  }

  /// Returns the attribute with the price, which the script compares with events.
  static func mark(_ quote: Sourced<Coin>) -> Attribute {
    .text(.dataPrice, quote.value.currentPrice.plainText + (quote.freshness.isStale ? "!" : ""))
  }

  /// Returns a name and its ticker, isolated so that a writing direction does not affect the other text.
  static func name(_ name: String, _ symbol: String) -> HTML {
    HTML.element(.bdi) { HTML(name, limit: 300) } + HTML(" ")
      + .element(.small) { HTML(symbol.uppercased(), limit: 40) }
  }

  /// Returns content in a box.
  static func note(_ kind: String, @HTMLBuilder _ content: () -> HTML) -> HTML {
    .element(.div, [.class("note \(kind)")], content)
  }
}
