public import FoundationEssentials

/// The plain-text accounting programs for which a journal can be written.
public enum JournalFormat: String, CaseIterable, Sendable {
  /// hledger.
  case hledger

  /// Ledger, which reads the same journal.
  case ledger

  /// Beancount 2 and 3.
  case beancount

  /// Transactions as a journal: a buy at what it cost, a sale at the cost it removes with its gain, fees apart.
  ///
  /// - Parameters:
  ///   - transactions: What was bought and sold, in any order.
  ///   - currency: The portfolio's.
  ///   - prices: Prices at the end of the journal, so that the program can value what is held.
  /// - Throws: ``PortfolioError`` when the transactions cannot be booked.
  public func journal(
    _ transactions: [Transaction], currency: String, prices: [PricePoint] = []
  ) throws(PortfolioError) -> String {
    let bookings = try PortfolioLedger.bookings(transactions)
    switch self {
    case .hledger, .ledger: return LedgerJournal(currency: currency.uppercased()).text(bookings, prices: prices)
    case .beancount:
      let coins = bookings.map(\.transaction.coinId) + prices.map(\.coinId)
      return BeancountJournal(currency: currency.uppercased(), coins: coins).text(bookings, prices: prices)
    }
  }
}

/// What one coin cost on a day.
public struct PricePoint: Hashable, Sendable {
  /// The coin's id.
  public let coinId: String

  /// The day, in UTC.
  public let date: Date

  /// The price of one coin.
  public let price: Decimal

  /// Creates a price.
  public init(coinId: String, date: Date, price: Decimal) {
    self.coinId = coinId
    self.date = date
    self.price = price
  }
}
