import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalService
import FoundationEssentials

/// The recording and changing of transactions.
extension PortfolioContext {
  /// Shows transactions that were changed, after a notice of the change.
  ///
  /// - Parameter change: The change in a few words.
  /// - Throws: `BitpalError` when the output of a dry run cannot be written.
  func show(_ transactions: [Transaction], as change: String, isDryRun: Bool) throws {
    if session.options.format == .table {
      session.console.notice(change + (isDryRun ? " (dry run: nothing is stored)" : "") + ":")
    } else if isDryRun {
      session.console.notice("dry run: nothing is stored")
    }
    let view = TransactionsView(transactions, of: name, currency: currency)
    if isDryRun { try session.show(view) } else { session.confirm(view, change) }
  }

  /// Returns the id of a coin that can be recorded: it is in the portfolio, well known, in the coin list, or has a
  /// price.
  ///
  /// Without a coin list the name is accepted as it is, with a warning, because recording needs no network.
  ///
  /// - Throws: `BitpalError` for a name that is unknown or ambiguous.
  func recordableCoin(_ name: String) async throws -> String {
    let policy = session.options.policy
    let id = try await service.resolve(name, policy: policy)
    if service.isWellKnown(id) { return id }
    if try !store.transactions(of: id).isEmpty { return id }
    guard let unlisted = await service.unlisted([id], policy: policy) else {
      session.console.warning("there is no coin list to look \"\(id)\" up in; it is recorded as it is written")
      return id
    }
    if unlisted.isEmpty { return id }
    let answer = try await service.existing([service.name(ofID: id)], currency: currency, policy: policy)
    if let failure = answer.failures.first { throw failure.error }
    return id
  }

  /// Returns the price of a coin on a date, and prints it: the close of a day that is over, the latest price today.
  ///
  /// - Throws: The error of the source, after a notice that a price can be given with an option;
  ///   `PortfolioError.priceDataUnavailable` for a day without a price.
  func price(of coin: String, on date: Date) async throws -> Decimal {
    if date.startOfDay < now.startOfDay { return try await close(of: coin, on: date) }
    let answer = try await service.quotes(
      [service.name(ofID: coin)], currency: currency, policy: session.options.policy)
    guard let quote = answer.quotes.first else {
      guard let failure = answer.failures.first else { throw PortfolioError.priceDataUnavailable(coinId: coin) }
      throw unpriced(coin, failure.error)
    }
    let time = quote.value.lastUpdated.map { " of \($0.utcText)" } ?? ""
    tell("the price of \(coin)\(time)", quote.value.currentPrice, Provenance(quote))
    return quote.value.currentPrice
  }

  private func close(of coin: String, on date: Date) async throws -> Decimal {
    let answer: Sourced<[Resampling.DailyClose]>
    do {
      answer = try await service.history(
        service.name(ofID: coin), from: date, to: date, currency: currency, policy: session.options.policy)
    } catch let error as BitpalError {
      throw unpriced(coin, error)
    }
    guard let close = answer.value.last, close.price > 0 else {
      throw PortfolioError.priceDataUnavailable(coinId: coin)
    }
    tell("the close of \(coin) on \(close.dateText)", close.price, Provenance(answer))
    return close.price
  }

  /// Prints a notice that the price can be given with an option, and returns the error of the source.
  private func unpriced(_ coin: String, _ failure: BitpalError) -> BitpalError {
    session.console.notice(
      "there is no price for \(coin.printable(limit: 80)) to record; give it with --price or --total")
    return failure
  }

  private func tell(_ what: String, _ price: Decimal, _ origin: Provenance) {
    session.console.notice(
      "\(what): \(price.plainText) \(currency.uppercased()) (\(origin.source)"
        + (origin.freshness.text.map { ", \($0)" } ?? "") + ")")
  }
}
