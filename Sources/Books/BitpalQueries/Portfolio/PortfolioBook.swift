package import Bitpal
package import BitpalModel
package import BitpalPortfolio
package import FoundationEssentials

/// A stored portfolio, with the prices that its questions and changes need.
package struct PortfolioBook: Sendable {
  /// A remark on a change, for the person who makes it.
  package enum Remark: Sendable {
    case note(String)
    case warning(String)

    /// The failure of a coin whose prices would help.
    case failure(CoinFailure)

    /// The origin and age of prices that are used.
    case origin(Sourced<Void>, coin: String)
  }

  package let store: TransactionStore
  package let service: PriceService

  /// The currency of the portfolio's amounts, lower case.
  package let currency: String
  package let policy: FetchPolicy

  /// The instant of the question or the change, in whole milliseconds: one for all of it, so that what is recorded "now"
  /// is not in the future of a later reading, also when the clock is set back meanwhile.
  package let now: Date
  let remark: @Sendable (Remark) -> Void

  /// The zone of times without `Z` or offset, and of days.
  private var zone: ClockZone { store.zone }

  /// Creates a book.
  ///
  /// - Parameters:
  ///   - now: The instant of the question or the change; nil for that of the clock of the prices.
  ///   - remark: A function that shows a remark.
  package init(
    _ store: TransactionStore, in currency: String, by service: PriceService, policy: FetchPolicy = .normal,
    now: Date? = nil,
    remark: @escaping @Sendable (Remark) -> Void = { _ in }
  ) {
    self.store = store
    self.currency = currency
    self.service = service
    self.policy = policy
    self.now = Date(milliseconds: (now ?? service.time.now).milliseconds)
    self.remark = remark
  }

  /// Returns the instant of a text that was checked before; nil for none.
  ///
  /// The day that it is now in the zone may not have begun in UTC: it is this instant then. A time that the zone's clocks skip or
  /// show twice is remarked on.
  func instant(_ text: String?) -> Date? {
    guard let text, let date = Date(text, in: zone) else { return nil }
    if Self.isDay(text) { return date > now && date == zone.day(at: now) ? now : date }
    if let wall = Date(text, in: .utc), wall != date {
      let instants = zone.instants(of: CivilTime(wall))
      if instants.count != 1 {
        let what = instants.isEmpty ? "skip" : "show twice"
        remark(
          .warning(
            "the clocks of \(zone.name) \(what) \(wall.minuteText(in: .utc).dropLast()); it is recorded as \(date.text(in: zone))"
          ))
      }
    }
    return date.withTimeOfDay
  }

  /// Whether a text that was checked before is a day without a time.
  static func isDay(_ text: String) -> Bool { text.utf8.count == 10 }

  /// Returns the time of what goes out on a day that was given alone: that day, or the time at which the last of the coin came in on
  /// it, by the clocks of the zone, where more goes than was held before.
  ///
  /// - Parameters:
  ///   - amount: The number of coins; nil for all that is held on the day.
  ///   - edited: A transaction that is changed to it.
  func goingOut(_ amount: Decimal?, of coin: String, on day: Date, instead edited: UUID? = nil) throws -> Date {
    let recorded = try store.transactions(of: coin).filter { $0.id != edited }
    let place = zone.place(of: day)
    let end = zone.midnight(ofDay: day.adding(.seconds(86_400)))
    let came = recorded.last { $0.type.isIncoming && $0.instant > place && $0.instant < end }
    guard let came, amount.map({ !Self.isHeld($0, since: place, recorded) }) ?? true else { return day }
    return came.date
  }

  /// Returns whether a number of coins is held at an instant and stays until the next split.
  private static func isHeld(_ amount: Decimal, since place: Date, _ recorded: [Transaction]) -> Bool {
    var held = Decimal(0)
    for transaction in recorded {
      if transaction.instant > place {
        if held < amount { return false }
        if transaction.label == .split { return true }
      }
      held += transaction.type.isIncoming ? transaction.amount : -transaction.amount
    }
    return held >= amount
  }

  /// Returns the id of a coin that can be recorded: it is in the portfolio, well known, in the coin list, or has a
  /// price.
  ///
  /// Without a coin list the name is accepted as it is, with a warning, because recording needs no network.
  ///
  /// - Throws: `BitpalError` for a name that is unknown or ambiguous.
  package func recordableCoin(_ name: String, on date: Date? = nil) async throws -> String {
    try service.refusePart(name)
    let id = try await service.resolve(name, policy: policy)
    if let date, WellKnownCoins.coin(ticker: name)?.id == id,
      let meaning = FormerTickers.meaning(of: name, at: date), meaning != .coin(id)
    {
      let others = meaning.ids.filter { $0 != id }.map { "id:\($0)" }.joined(separator: " or ")
      let rest = others.isEmpty ? ", which did not exist then" : ", not \(others)"
      remark(.warning("on \(date.dayText) \"\(name)\" meant another coin; \(id) is recorded\(rest)"))
    }
    if service.isWellKnown(id) { return id }
    if try !store.transactions(of: id).isEmpty { return id }
    let unlisted = await service.unlisted([id], policy: policy)
    if unlisted?.isEmpty == true { return id }
    if let same = try heldSpelling(of: id) { return same }
    if unlisted == nil {
      // Sources of shares have names in capitals alone.
      if let source = service.descriptors.first,
        service.descriptors.allSatisfy({ $0.coins == .capitals && !$0.coins.has(id) }),
        CurrencyCoin.currency(of: id) == nil
      {
        throw BitpalError.notFound(coin: id, provider: source.id, suggestion: id.uppercased())
      }
      remark(.warning("\"\(id)\" cannot be checked without a coin list; it is recorded as it is written"))
      return id
    }
    let answer = try await service.existing([service.name(ofID: id)], currency: currency, policy: policy)
    if let failure = answer.failures.first { throw failure.error }
    return id
  }

  /// Returns the id under which the portfolio has a coin whose name was given in other letter case, or a metal without its `fx:`;
  /// nil for none.
  private func heldSpelling(of id: String) throws -> String? {
    func plain(_ id: String) -> String { (CurrencyCoin.currency(of: id) ?? id).lowercased() }
    guard let same = try store.transactions().lazy.map(\.coinId).last(where: { plain($0) == plain(id) }) else {
      return nil
    }
    remark(.note("\(id.printable(limit: 80)) is recorded as \(same.printable(limit: 80)), as it is in the portfolio"))
    return same
  }

  /// Returns the number of coins that are held on a date; for a split of a day without a time, before that day.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` when none are held, and errors of the store.
  func held(_ coin: String, on date: Date, isSplit: Bool = false) throws -> Decimal {
    let (isBefore, place) = (isSplit && date == date.startOfDay, zone.place(of: date, isSplit: isSplit))
    let before = try store.transactions(of: coin).filter {
      $0.instant < place || $0.instant == place && (!isBefore || $0.isSplitOfDay)
    }
    let held = try PortfolioLedger.held(before)
    guard held > 0 else {
      throw BitpalError.usage("no \(coin) is held on \(date.utcText)")
    }
    return held
  }

  /// Refuses a second split of a coin on one day.
  func refuseSecondSplit(of coin: String, on date: Date) throws {
    func day(_ date: Date) -> Date { zone.ofDay(date).day(at: date) }
    let split = try store.transactions(of: coin).first { $0.label == .split && day($0.date) == day(date) }
    guard let split else { return }
    throw BitpalError.usage(
      "a split of \(coin.printable(limit: 80)) on \(date.dayText) is recorded already (\(split.shortID))",
      hint: "nothing is split twice on one day; \"bitpal portfolio remove \(split.shortID)\" takes the first back")
  }

  /// Warns of prices before a split that are those of a share of after it, as a source gives them that restates its closes.
  ///
  /// - Parameters:
  ///   - coin: The id of the coin.
  ///   - halves: Those of the split, where they are not recorded.
  func warnOfRestatedPrices(of coin: String, with halves: [Transaction]) async throws {
    let transactions = PortfolioLedger.ordered(try store.transactions(of: coin) + halves)
    guard let first = transactions.first(where: { $0.pricePerCoin.map { $0 > 0 } ?? false })?.date,
      let closes = await service.closes(of: coin, since: first, in: currency, policy)
    else { return }
    let restated = try StockSplit.restatedPrices(in: transactions, closes: closes)
    guard let (transaction, price) = restated.first, let own = transaction.pricePerCoin else { return }
    remark(
      .warning(
        "the price of \(own.plainText) on \(transaction.date.dayText)\(restated.count > 1 ? " (and \(restated.count - 1) more)" : "") "
          + "is one of \(coin.printable(limit: 80)) after its split, as sources give the closes of before; then it was about "
          + "\(price.plainText): \"bitpal portfolio edit \(transaction.shortID) --price PRICE\""))
  }

  /// Returns the time of the last recorded split of a coin; nil for none.
  ///
  /// A source may give the closes before it in the shares of after, so that they are not what was paid.
  func lastSplit(of coin: String) throws -> Date? {
    try store.transactions(of: coin).filter { $0.label == .split }.map(\.date).max()
  }

  /// Returns the price of a coin on a date, with a remark on it: the close of a day that is over, the latest price
  /// today.
  ///
  /// - Parameter advice: The way to give a price, for the remark on a missing one.
  /// - Throws: The error of the source, after a remark that a price can be given;
  ///   `PortfolioError.priceDataUnavailable` for a day without a price.
  func price(of coin: String, on date: Date, advice: String) async throws -> Decimal {
    if date.startOfDay < now.startOfDay { return try await close(of: coin, on: date, advice) }
    let answer = try await PricesQuery([service.name(ofID: coin)], currency: currency).answer(
      by: service, policy: policy)
    guard let quote = answer.quotes.first else {
      guard let failure = answer.failures.first else { throw PortfolioError.priceDataUnavailable(coinId: coin) }
      throw unpriced(coin, failure.error, advice)
    }
    let time = quote.value.lastUpdated.map { " of \($0.utcText)" } ?? ""
    tell("the price of \(coin)\(time)", quote.value.currentPrice, quote.map { _ in })
    return quote.value.currentPrice
  }

  private func close(of coin: String, on date: Date, _ advice: String) async throws -> Decimal {
    if let split = try lastSplit(of: coin), split > date {
      throw BitpalError.usage(
        "\(coin) was split on \(split.dayText), and a source may give the close of a day before in the shares of after",
        hint: "give what was paid with \(advice)")
    }
    let answer: Sourced<[Resampling.DailyClose]>
    do {
      answer = try await service.history(
        service.name(ofID: coin), from: date, to: date, currency: currency, policy: policy)
    } catch let error as BitpalError {
      throw unpriced(coin, error, advice)
    }
    guard let close = answer.value.last, close.price > 0 else {
      throw PortfolioError.priceDataUnavailable(coinId: coin)
    }
    tell("the close of \(coin) on \(close.dateText)", close.price, answer.map { _ in })
    for warning in answer.warnings { remark(.warning("\(warning)")) }
    return close.price
  }

  /// Remarks that the price can be given, and returns the error of the source.
  private func unpriced(_ coin: String, _ failure: BitpalError, _ advice: String) -> BitpalError {
    remark(.note("no price is known for \(coin.printable(limit: 80)); give it with \(advice)"))
    return failure
  }

  private func tell(_ subject: String, _ price: Decimal, _ origin: Sourced<Void>) {
    remark(
      .note(
        "\(subject): \(price.plainText) \(currency.uppercased()) (\(origin.source)"
          + (origin.freshness.text.map { ", \($0)" } ?? "") + ")"))
  }
}
