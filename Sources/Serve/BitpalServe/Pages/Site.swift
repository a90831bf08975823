import Bitpal
package import BitpalModel
package import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// The user's own data that pages show in addition to prices.
package struct OwnPages: Sendable {
  /// The watchlist, or the reason why it may not be shown; nil for a server without one.
  let watchlist: Result<WatchlistStore, BitpalError>?

  /// The portfolio; nil unless the server was started with one.
  let portfolio: TransactionStore?

  package init(watchlist: Result<WatchlistStore, BitpalError>? = nil, portfolio: TransactionStore? = nil) {
    self.watchlist = watchlist
    self.portfolio = portfolio
  }
}

/// The data and the access rules for pages.
struct Site: Sendable {
  private(set) var market: Market
  let own: OwnPages
  let gate: Gate

  /// The token with which pages of this run send changes; pages of another run or another site do not know it (CSRF).
  private let proof: String

  init(_ market: Market, own: OwnPages, gate: Gate) {
    self.market = market
    self.own = own
    self.gate = gate
    proof = OwnerProof.newText(16)
  }

  /// The way in which the sender can prove to be the user; nil for the user.
  private(set) var signIn: Gate.SignIn?

  private init(_ market: Market, own: OwnPages, gate: Gate, proof: String) {
    (self.market, self.own, self.gate, self.proof) = (market, own, gate, proof)
  }

  /// Returns the site as the sender of a request may see it: without watchlist and portfolio unless the request is
  /// proved to be the user's.
  func shown(to request: WebRequest) -> Site {
    if gate.isOwn(request.head) { return self }
    var site = Site(
      market, own: OwnPages(watchlist: own.watchlist.map { _ in .failure(Self.foreign) }), gate: gate, proof: proof)
    site.signIn = gate.signIn(for: request.head)
    return site
  }

  /// Returns the site in the currency and the time zone that the sender has chosen.
  func viewed(by request: WebRequest) -> Site {
    var site = self
    site.market = market.with(PageView(request, market.zones).over(market.defaults))
    return site
  }

  /// The error in place of the user's data.
  static let foreign = BitpalError.usage("watchlist and portfolio are shown to their owner only")

  /// The currency of the page: the one that its address names, otherwise that of the settings.
  var currency: String { otherCurrency ?? market.defaults.currency }

  /// The currency that the address of a page names; nil for that of the settings.
  private(set) var otherCurrency: String?

  /// Returns the site with every price of a page in one currency.
  func pricing(in currency: String?) -> Site {
    var site = self
    site.otherCurrency = currency?.lowercased()
    return site
  }

  /// Whether there is a watchlist to change.
  var canChange: Bool { if case .success? = own.watchlist { true } else { false } }

  /// Returns the ids of the coins on the watchlist; empty without a watchlist.
  ///
  /// - Throws: The error of a watchlist that cannot be read.
  func followed() throws -> [String] {
    guard case .success(let store)? = own.watchlist else { return [] }
    return try store.items().map(\.coinId)
  }

  /// Returns the path to which a page sends a change of the watchlist.
  ///
  /// - Parameters:
  ///   - stays: Whether the coin's page is shown afterwards, instead of the watchlist.
  ///   - sort: The order of the watchlist.
  func path(of change: WatchlistChange, _ name: String, stays: Bool = false, sort: String? = nil) -> PagePath {
    PagePath([change.rawValue, name], query: ["t": proof, "then": stays ? "coin" : nil, "sort": sort])
  }

  /// Returns whether a change comes from a page of this run.
  func isProven(_ request: WebRequest) -> Bool { AccessToken(proof).isSame(as: request["t"] ?? "") }

  /// Returns the path of the events with changed prices; nil without coins, and when prices cannot change.
  ///
  /// - Parameter other: The currency; nil for that of the settings.
  func events(_ names: [String], in other: String? = nil) -> PagePath? {
    guard !names.isEmpty, market.isOnWeb else { return nil }
    return PagePath(
      ["events"],
      query: ["coins": names.sorted().prefix(EventRoutes.most).joined(separator: ","), "currency": other ?? currency])
  }
}

/// A change of the watchlist; the raw value is the first segment of its path.
enum WatchlistChange: String, CaseIterable, Sendable {
  case add = "watch"
  case remove = "unwatch"
}
