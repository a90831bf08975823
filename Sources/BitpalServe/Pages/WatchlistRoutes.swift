import BitpalCharts
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalProviders
import BitpalService
import FoundationEssentials

/// The watchlist: its page, what a row of it loads later, and its changes.
struct WatchlistRoutes: Sendable {
  private let site: Site

  init(_ site: Site) {
    self.site = site
  }

  private var market: Market { site.market }

  func page(_ request: WebRequest) async throws -> WebResponse {
    let order = request["sort"].map(WatchlistSort.init) ?? nil
    switch site.own.watchlist {
    case .success(let store)?:
      let items = try Self.told { try store.items() }
      if items.isEmpty { return try await beginning(request) { WatchlistPage.empty(canAdd: site.canChange) } }
      let rows = try await rows(items.map(\.coinId))
      return WebResponse(
        WatchlistPage(site, order?.sorted(rows) ?? rows, order, canChange: site.canChange).page, site)
    case .failure(let error)?:
      return try await beginning(request) { WatchlistPage.refused(error) }
    case nil:
      return try await beginning(request) { WatchlistPage.none }
    }
  }

  /// Returns the page where there is no watchlist: the reason, and some well-known coins.
  private func beginning(_ request: WebRequest, _ why: () -> HTML) async throws -> WebResponse {
    let known = WellKnownCoins.all.filter { coin in market.service.descriptors.contains { $0.coins.has(coin.id) } }
    let rows = (try? await rows(known.prefix(Self.knownAtMost).map(\.id))) ?? []
    let priced = rows.filter { $0.quote != nil }
    return WebResponse(
      WatchlistPage(site, priced, nil, canChange: site.canChange, instead: why()).page, site)
  }

  /// Enough to begin with.
  private static let knownAtMost = 6

  private func rows(_ ids: [String]) async throws -> [WatchlistRow] {
    let names = ids.map { market.service.name(ofID: $0) }
    let answers = try await market.quotes.quotes(names, currency: site.currency)
    var rows: [WatchlistRow] = []
    for (id, name) in zip(ids, names) {
      let week = await market.week(name, id: id, currency: site.currency)
      rows.append(
        WatchlistRow(
          id: id, name: name, answer: answers[name] ?? .failure(.notFound(coin: name, provider: "")), week: week,
          now: market.now))
    }
    return rows
  }

  /// Returns the week of a coin as a sparkline, asked for where it is not cached: a page asks for those that it lacks.
  func spark(_ name: String) async throws -> WebResponse {
    // A picture that is nice to have is no failure where it is missing, which a browser would write on its console.
    let week = await market.fetchedWeek(name, currency: site.currency)
    let drawing = SVGDrawing.sparkline(week).map(HTML.init)
    return WebResponse(HTML.document(drawing ?? HTML("–")), as: .html)
  }

  /// Makes a change, and goes back to where it was asked for.
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
      try Self.told {
        try store.add(ids, now: market.now)
      } unless: {
        if case .coinAlreadyExists = $0 { true } else { false }
      }
    case .remove:
      try Self.told {
        try store.remove([name])
      } unless: {
        if case .coinNotFound = $0 { true } else { false }
      }
    }
    return .seeOther(
      request["then"] == nil ? PagePath(query: ["sort": request["sort"]]) : PagePath(["coin", name]))
  }

  /// Returns the result of a change in the store, its refusals in our words.
  ///
  /// - Parameter isDone: Whether a refusal means that the wanted state exists already, as after a second click.
  @discardableResult
  private static func told<Value>(
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

/// A coin of the watchlist as it is now.
struct WatchlistRow: Sendable {
  let id: String

  /// The name by which it is asked for.
  let name: String
  let answer: Result<Sourced<Coin>, BitpalError>
  let week: [ChartDataPoint]
  let now: Date

  /// Nil without a price.
  var quote: Sourced<Coin>? { try? answer.get() }

  /// Whether its week is missing or ends too long ago: a line that lacks less than a twentieth looks the same.
  var lacksWeek: Bool {
    week.last.map { now.since($0.timestamp) > .seconds(8 * 3600) } ?? true
  }

  /// The age by the source's own time, otherwise the time since it was asked.
  var age: Duration? { quote.map { now.since($0.value.lastUpdated ?? $0.fetchedAt) } }
}

/// The column by which the watchlist is sorted, and the direction.
struct WatchlistSort: Equatable, Sendable {
  /// The columns by which it can be sorted.
  enum Column: String, CaseIterable, Sendable {
    case name
    case price
    case change
    case age

    /// Whether the first direction is descending: names begin with A, figures with the highest, dates with the newest.
    var beginsDown: Bool { self == .price || self == .change }
  }

  let column: Column
  let isDown: Bool

  init(_ column: Column, isDown: Bool) {
    self.column = column
    self.isDown = isDown
  }

  /// `price`, or `-price` from the highest down; nil for what is none.
  init?(_ text: String) {
    isDown = text.hasPrefix("-")
    guard let column = Column(rawValue: isDown ? String(text.dropFirst()) : text) else { return nil }
    self.column = column
  }

  var text: String { (isDown ? "-" : "") + column.rawValue }

  /// In order; what has no value stands last, whichever way.
  func sorted(_ rows: [WatchlistRow]) -> [WatchlistRow] {
    switch column {
    case .name: ordered(rows) { $0.quote?.value.name.lowercased() }
    case .price: ordered(rows) { $0.quote?.value.currentPrice }
    case .change: ordered(rows) { $0.quote?.value.priceChange24h }
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
