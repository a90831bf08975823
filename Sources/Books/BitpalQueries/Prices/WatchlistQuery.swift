package import Bitpal
package import BitpalModel
package import BitpalPortfolio
import FoundationEssentials

/// The question for the coins of the watchlist, with their latest prices in one currency.
package struct WatchlistQuery: Sendable {
  /// The order of the rows.
  package enum Order: String, CaseIterable, Sendable {
    /// The orders of ``PriceOrder``; coins without a price come last.
    case name, price, change
    case marketCap = "market-cap"

    /// The order in which the coins were added, the newest first.
    case added
  }

  package static let order = ParameterSpec("sort", .choice(Order.allCases.map(\.rawValue)), "order of the rows")

  package static let group = ParameterSpec("group", .text("GROUP"), "only the coins of this group")

  /// The time without a price after which a coin that a source denies may have been retired: 3 days.
  private static let longAbsence = Duration.seconds(3 * 86_400)

  /// The order and whether it is reversed.
  package struct Sorting: Sendable {
    let order: Order?
    let isReversed: Bool

    package init(order: Order? = nil, isReversed: Bool = false) {
      self.order = order
      self.isReversed = isReversed
    }
  }

  private let sorting: Sorting
  private let group: String?

  /// Reads `sort`, `reverse` and `group`; without them the coins stand as they were added or moved.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a flag that is neither on nor off.
  package init(_ parameters: some Parameters) throws(BitpalError) {
    sorting = Sorting(
      order: parameters[Self.order.name].flatMap(Order.init(rawValue:)),
      isReversed: try parameters.flag(PriceOrder.reverse.name))
    group = parameters[Self.group.name]
  }

  /// Returns the coins with their prices.
  ///
  /// - Throws: `BitpalError` when the store cannot be read; `CancellationError`. A coin without a price is a failure in
  ///   the answer.
  package func answer(
    from store: WatchlistStore, currency: String, by service: PriceService, policy: FetchPolicy = .normal
  ) async throws -> WatchlistAnswer {
    let items = try store.items().inGroup(group)
    let names = items.map { service.name(ofID: $0.coinId) }
    let prices = try await PricesQuery(names, currency: currency).answer(by: service, policy: policy)
    let retired = zip(names, items).filter { name, item in
      guard prices.error(name)?.code == .notFound else { return false }
      // One answer without a coin is not a sign that it is gone.
      let seen = [item.dateAdded, service.lastPriced(item.coinId, currency: currency)].compactMap(\.self).max()
      return seen.map { service.time.now.since($0) >= Self.longAbsence } ?? false
    }
    return WatchlistAnswer(
      items, prices, service.figures(of: prices.quotes, currency: currency), sorting,
      retired: Set(retired.map(\.0)))
  }
}

/// The coins of the watchlist with their prices.
package struct WatchlistAnswer: Sendable {
  /// The coins in the order that was asked for, each with its price; nil for a coin without one.
  package let rows: [(item: WatchlistItem, quote: Sourced<Coin>?)]

  /// The prices, and the failures by the names of the coins.
  package let prices: QuotesAnswer

  /// The names of the coins that may have been retired: a source denies them, and they have long had no price.
  package let retired: Set<String>

  /// The market figures that came with the prices, by the ids of the coins.
  package let figures: [String: CoinDetail]

  package init(
    _ items: [WatchlistItem], _ prices: QuotesAnswer, _ figures: [String: CoinDetail] = [:],
    _ sorting: WatchlistQuery.Sorting = .init(), retired: Set<String> = []
  ) {
    let quotes = Dictionary(prices.quotes.map { ($0.value.id, $0) }) { first, _ in first }
    var rows = items.map { (item: $0, quote: quotes[$0.coinId]) }
    if let order = sorting.order.flatMap({ PriceOrder(rawValue: $0.rawValue) }) {
      let sorted = order.sorted(prices.quotes, figures: figures, isReversed: sorting.isReversed).enumerated()
      let places = Dictionary(sorted.map { ($0.element.value.id, $0.offset) }) { first, _ in first }
      rows.sort { (places[$0.item.coinId] ?? .max) < (places[$1.item.coinId] ?? .max) }
    } else {
      // Items of one instant stand in the order of their addition.
      if sorting.order == .added { rows = Array(rows.sorted { $0.item.dateAdded < $1.item.dateAdded }.reversed()) }
      if sorting.isReversed { rows.reverse() }
    }
    self.rows = rows
    self.figures = figures
    self.prices = prices
    self.retired = retired
  }
}
