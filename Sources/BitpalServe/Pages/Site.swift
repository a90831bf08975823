package import BitpalModel
package import BitpalPortfolio
import BitpalService
import FoundationEssentials

/// The user's own data that pages show in addition to prices.
package struct OwnPages: Sendable {
  /// The coins that are followed, or why they may not be shown; nil for a server that has none.
  let watchlist: Result<WatchlistStore, BitpalError>?

  /// The portfolio that is shown; nil for none, which is what a server does that was not asked for one.
  let portfolio: TransactionStore?

  package init(watchlist: Result<WatchlistStore, BitpalError>? = nil, portfolio: TransactionStore? = nil) {
    self.watchlist = watchlist
    self.portfolio = portfolio
  }
}

/// The data and the rules of which pages are made.
struct Site: Sendable {
  let market: Market
  let own: OwnPages
  let gate: Gate

  /// The proof that a page of this start sends with a change: a page of another start or another site does not know it.
  private let proof: String

  init(_ market: Market, own: OwnPages, gate: Gate) {
    self.market = market
    self.own = own
    self.gate = gate
    proof = OwnerProof.newText(16)
  }

  private init(_ market: Market, own: OwnPages, gate: Gate, proof: String) {
    (self.market, self.own, self.gate, self.proof) = (market, own, gate, proof)
  }

  /// Returns the site as the sender of a request may see it: without the watchlist and the portfolio where it has not
  /// proved that it is the user.
  func shown(to request: WebRequest) -> Site {
    if gate.isOwn(request.head) { return self }
    return Site(
      market, own: OwnPages(watchlist: own.watchlist.map { _ in .failure(Self.foreign) }), gate: gate, proof: proof)
  }

  /// The reason why nothing of the user's is shown.
  private static let foreign = BitpalError.usage("it is shown to its owner only", hint: proofHint)

  /// The ways to prove ownership.
  static let proofHint = "open the address with the secret that bitpal serve has printed, or start it with --token-file"

  var currency: String { market.defaults.currency }

  /// Whether there is a watchlist to change.
  var canChange: Bool { if case .success? = own.watchlist { true } else { false } }

  /// The ids of the coins that are followed; none where there is no watchlist to show.
  func followed() throws -> [String] {
    guard case .success(let store)? = own.watchlist else { return [] }
    return try store.items().map(\.coinId)
  }

  /// Returns the path to which a page sends a change of the watchlist.
  ///
  /// - Parameters:
  ///   - stays: Whether the coin's page is shown again, and not the watchlist.
  ///   - sort: The order of the watchlist.
  func path(of change: WatchlistChange, _ name: String, stays: Bool = false, sort: String? = nil) -> PagePath {
    PagePath([change.rawValue, name], query: ["t": proof, "then": stays ? "coin" : nil, "sort": sort])
  }

  /// Whether a change comes from a page of this start.
  func isProven(_ request: WebRequest) -> Bool { AccessToken(proof).isSame(as: request["t"] ?? "") }

  /// Returns the path of the events of changed prices; nil without coins, and where prices stand still.
  ///
  /// - Parameter other: The currency; nil for that of the settings.
  func events(_ names: [String], in other: String? = nil) -> PagePath? {
    guard !names.isEmpty, market.isOnWeb else { return nil }
    return PagePath(
      ["events"],
      query: ["coins": names.sorted().prefix(EventRoutes.most).joined(separator: ","), "currency": other ?? currency])
  }
}

/// A change of the watchlist, the first word of its address.
enum WatchlistChange: String, CaseIterable, Sendable {
  case add = "watch"
  case remove = "unwatch"
}
