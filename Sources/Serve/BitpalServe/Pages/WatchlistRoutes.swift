import Bitpal
import BitpalCharts
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// The routes of the watchlist: its page, the sparklines that it loads later, and its changes.
struct WatchlistRoutes: Sendable {
  private let site: Site

  init(_ site: Site) {
    self.site = site
  }

  private var market: Market { site.market }

  func page(_ request: WebRequest) async throws -> WebResponse {
    let order = try request["sort"].map { text throws(BitpalError) in try WatchlistSort(text) }
    switch site.own.watchlist {
    case .success(let store)?:
      let items = try Self.result { try store.items() }.inGroup(request["group"])
      if items.isEmpty { return try await emptyState(request) { WatchlistPage.empty(canAdd: site.canChange) } }
      var rows = try await rows(items.map(\.coinId))
      for (index, item) in zip(rows.indices, items) { (rows[index].group, rows[index].note) = (item.group, item.note) }
      return WebResponse(
        WatchlistPage(site, order?.sorted(rows) ?? rows, order, canChange: site.canChange).page, site)
    case .failure(let error)?:
      return try await emptyState(request) {
        site.signIn.map { SignInPage.note($0) } ?? WatchlistPage.refused(error)
      }
    case nil:
      return try await emptyState(request) { WatchlistPage.none }
    }
  }

  /// Returns the page without a watchlist: the reason, and some well-known coins.
  private func emptyState(_ request: WebRequest, _ why: () -> HTML) async throws -> WebResponse {
    let known = WellKnownCoins.all.filter { coin in market.service.descriptors.contains { $0.coins.has(coin.id) } }
    let rows = (try? await rows(known.prefix(Self.knownAtMost).map(\.id))) ?? []
    let priced = rows.filter { $0.quote != nil }
    return WebResponse(
      WatchlistPage(site, priced, nil, canChange: site.canChange, instead: why()).page, site)
  }

  /// The largest number of suggested coins.
  private static let knownAtMost = 6

  private func rows(_ ids: [String]) async throws -> [WatchlistRow] {
    let names = ids.map { market.service.name(ofID: $0) }
    let prices = try await market.quotes.answer(PricesQuery(names, currency: site.currency))
    let figures = market.service.figures(of: prices.quotes, currency: site.currency)
    var rows: [WatchlistRow] = []
    for (id, name) in zip(ids, names) {
      let week = await market.week(name, id: id, currency: site.currency)
      rows.append(
        WatchlistRow(
          id: id, name: name, answer: prices.outcomes[name] ?? .failure(.notFound(coin: name, provider: "")),
          week: week, marketCap: figures[id]?.marketCap, now: market.now))
    }
    return rows
  }

  /// Returns the week of a coin as a sparkline, for a row whose week was not cached.
  func spark(_ name: String) async throws -> WebResponse {
    // A missing picture is not a failure, which a browser would write to its console.
    do {
      let week = try await market.service.week(name, currency: site.currency).points
      let drawing = SVGDrawing.sparkline(week).map(HTML.init)
      return WebResponse(HTML.document(drawing ?? HTML("–")), as: .html)
    } catch {
      let failure = BitpalError(of: error)
      let reason = HTML.element(.span, [.text(.title, failure.message)]) { "–" }
      return WebResponse(HTML.document(reason), as: .html, headers: failure.retryHeaders)
    }
  }

  /// Changes the watchlist, and redirects to the page that sent the change.
  ///
  /// - Throws: `BitpalError` when the coin is unknown or the watchlist cannot be changed.
  func make(_ change: WatchlistChange, _ name: String, _ request: WebRequest) async throws -> WebResponse {
    guard site.isProven(request), site.canChange, case .success(let store)? = site.own.watchlist else {
      let error = BitpalError.usage(
        "this page is from before the server was started, or not of this server; load it again")
      return FailurePage.response(error, site, status: 403)
    }
    switch change {
    case .add:
      let (ids, failures) = try await market.service.existing([name], currency: site.currency)
      if let failure = failures.first { throw failure.error }
      try Self.result {
        try store.add(ids, now: market.now)
      } unless: {
        if case .coinAlreadyExists = $0 { true } else { false }
      }
    case .remove:
      try Self.result {
        try store.remove([name])
      } unless: {
        if case .coinNotFound = $0 { true } else { false }
      }
    }
    return .seeOther(
      request["then"] == nil ? PagePath(query: ["sort": request["sort"]]) : PagePath(["coin", name]))
  }

  /// Returns the result of a change in the store, and converts its errors.
  ///
  /// - Parameter isDone: Whether a refusal means that the wanted state exists already, as after a second click.
  @discardableResult
  private static func result<Value>(
    _ body: () throws -> [Value], unless isDone: (WatchlistError) -> Bool = { _ in false }
  ) throws -> [Value] {
    do {
      return try body()
    } catch let error as WatchlistError {
      if isDone(error) { return [] }
      throw error.failure
    }
  }
}

/// A coin of the watchlist with its present price.
struct WatchlistRow: Sendable {
  let id: String

  /// The name in requests and addresses.
  let name: String
  let answer: Result<Sourced<Coin>, BitpalError>
  let week: [ChartDataPoint]

  /// The market value; nil where it did not come with the price.
  let marketCap: Decimal?
  let now: Date

  /// The group to which the user assigned the coin, and the user's note; nil for none.
  var group: String?
  var note: String?

  /// The price; nil after a failure.
  var quote: Sourced<Coin>? { try? answer.get() }

  /// Whether the week is missing or ended more than 8 h ago, a twentieth of its length; a smaller gap is not visible.
  var lacksWeek: Bool {
    week.last.map { now.since($0.timestamp) > .seconds(8 * 3600) } ?? true
  }

  /// The age by the source's own time, otherwise the time since the request; nil without a price.
  var age: Duration? { quote.map { now.since($0.value.lastUpdated ?? $0.fetchedAt) } }
}

/// The order of the watchlist: a column and a direction.
struct WatchlistSort: Equatable, Sendable {
  /// The columns with an order.
  enum Column: String, CaseIterable, Sendable {
    case name
    case price
    case change
    case marketCap = "market-cap"
    case age

    /// Whether the first click sorts in descending order, as for prices and changes.
    var beginsDown: Bool { self == .price || self == .change }
  }

  let column: Column
  let isDown: Bool

  init(_ column: Column, isDown: Bool) {
    self.column = column
    self.isDown = isDown
  }

  /// Reads `price`, or `-price` for descending order.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for other texts.
  init(_ text: String) throws(BitpalError) {
    isDown = text.hasPrefix("-")
    guard let column = Column(rawValue: isDown ? String(text.dropFirst()) : text) else {
      throw .usage(
        "sort: unknown order \"\(text.printable(limit: 60))\"",
        hint:
          "there are: \(Column.allCases.map(\.rawValue).joined(separator: ", ")), each with - before it for the other direction"
      )
    }
    self.column = column
  }

  var text: String { (isDown ? "-" : "") + column.rawValue }

  /// Returns the rows in this order; those without a value come last in both directions.
  func sorted(_ rows: [WatchlistRow]) -> [WatchlistRow] {
    switch column {
    case .name: ordered(rows) { $0.quote?.value.name.lowercased() }
    case .price: ordered(rows) { $0.quote?.value.currentPrice }
    case .change: ordered(rows) { $0.quote?.value.priceChangePercentage24h }
    case .marketCap: ordered(rows) { $0.marketCap }
    case .age: ordered(rows) { $0.age }
    }
  }

  private func ordered<Value: Comparable>(
    _ rows: [WatchlistRow], by value: (WatchlistRow) -> Value?
  ) -> [WatchlistRow] {
    let places = rows.enumerated().map { (place: $0.offset, row: $0.element, value: value($0.element)) }
    return places.sorted { left, right in
      guard let first = left.value, let second = right.value, first != second else {
        return (left.value == nil ? 1 : 0, left.place) < (right.value == nil ? 1 : 0, right.place)
      }
      return isDown ? first > second : first < second
    }.map(\.row)
  }
}
