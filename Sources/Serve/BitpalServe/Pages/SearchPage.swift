import Bitpal
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries

/// The page with the coins whose names contain a text; the script shows its list while the user types.
enum SearchPage {
  /// The largest number of coins in the list.
  private static let most = 20

  static func response(_ request: WebRequest, _ site: Site) async throws -> WebResponse {
    let text = request["query"] ?? ""
    let canAdd = site.canChange
    let main: HTML
    var status = 200
    var problems: [BitpalError] = []
    do {
      let found = try await site.market.service.search(text, limit: most)
      let results =
        found.value.isEmpty
        ? nothing(text, site)
        : note(SearchAnswer(text: text, coins: found).renaming) + (try list(found.value, site, canAdd))
      main = frame(results)
    } catch let error as BitpalError where error.code == .usage {
      main = frame(.element(.p) { "Type a part of a coin’s name, ticker or id." })
    } catch let error as BitpalError {
      // A source without a list may still have the coin.
      status = error.code == .unsupported ? 200 : error.status
      problems = [error]
      main = frame(
        .element(.p) { "The coin list is not available: \(error.message)." }
          + .element(.p) {
            "A coin by the id "
            HTML.element(.a, [.href(PagePath(["coin", text]))]) { text }
            "?"
          })
    }
    return WebResponse(Page(title: "Search", main: main, problems: problems, searched: text), site, status: status)
  }

  private static func frame(_ results: HTML) -> HTML {
    .element(.h1) { "Search" } + .element(.div, [.text(.id, "results")]) { results }
  }

  private static func note(_ renaming: String?) -> HTML {
    renaming.map { sentence in .element(.p) { HTML.element(.small) { sentence + "." } } } ?? .nothing
  }

  private static func list(_ coins: [CoinListItem], _ site: Site, _ canAdd: Bool) throws -> HTML {
    let followed = Set(try site.followed())
    return .element(.ul, [.class("list")]) {
      for coin in coins {
        let name = site.market.service.name(ofID: coin.id)
        HTML.element(.li) {
          HTML.element(.a, [.href(PagePath(["coin", name]))]) {
            PageComponents.name(coin.name, coin.symbol)
            HTML.element(.small, [.class("id")]) { HTML(" " + name, limit: 80) }
          }
          if followed.contains(coin.id) {
            HTML.element(.small, [.class("followed")]) { "in the watchlist" }
          } else if canAdd {
            HTML.element(.form, [.text(.method, "post"), .link(.action, site.path(of: .add, name))]) {
              HTML.element(.button, [.text(.ariaLabel, "Add \(coin.name.printable(limit: 100))")]) { "+" }
            }
          }
        }
      }
    }
  }

  private static func nothing(_ text: String, _ site: Site) -> HTML {
    // A source of shares has no list to look in, and finds each by its exact ticker.
    let share = text.uppercased()
    let service = site.market.service
    let hasShares = service.descriptors.contains { $0.coins == .capitals && $0.coins.has(share) }
    let nearest = hasShares ? share : service.nearestCoin(to: text)
    return .element(.p) {
      "No coin is called “\(text)”."
      if let nearest {
        hasShares ? " A share is asked for by its ticker: " : " Did you mean "
        HTML.element(.a, [.href(PagePath(["coin", nearest]))]) { nearest }
        hasShares ? "." : "?"
      }
    }
  }
}
