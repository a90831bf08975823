package import BitpalModel
package import FoundationEssentials

/// The plain-text accounting programs for which a journal can be written.
package enum JournalFormat: String, CaseIterable, Sendable {
  /// hledger.
  case hledger

  /// Ledger, which reads the same journal.
  case ledger

  /// Beancount 2 and 3.
  case beancount

  /// Returns transactions as a journal: purchases at their cost, sales at the cost that they remove with their gain,
  /// and fees as postings of their own.
  ///
  /// - Parameters:
  ///   - transactions: The transactions; those of one instant in the order in which they were recorded.
  ///   - options: The currency, names and account.
  ///   - prices: Prices at the end of the journal, so that the program can value the holdings.
  /// - Throws: ``PortfolioError`` when the transactions cannot be booked.
  package func journal(
    _ transactions: [Transaction], options: JournalOptions, prices: [PricePoint] = []
  ) throws(PortfolioError) -> String {
    let bookings = try PortfolioLedger.bookings(transactions)
    switch self {
    case .hledger, .ledger: return LedgerJournal(options: options).text(bookings, prices: prices)
    case .beancount: return BeancountJournal(options: options).text(bookings, prices: prices)
    }
  }

  /// Returns whether the program accepts that name of an account.
  package func accepts(account name: String) -> Bool {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    switch self {
    case .hledger, .ledger:
      return name == name.printable() && !name.contains("  ") && !name.contains(";")
        && parts.allSatisfy { !$0.isEmpty && $0.first != " " && $0.last != " " }
    case .beancount:
      let roots: Set<Substring> = ["Assets", "Liabilities", "Equity", "Income", "Expenses"]
      return parts.count > 1 && roots.contains(parts[0])
        && parts.allSatisfy { part in
          part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            && part.first.map { $0.isUppercase || $0.isNumber } == true
        }
    }
  }
}

/// The options of a journal.
package struct JournalOptions: Sendable {
  /// The portfolio's currency, in any letter case.
  package var currency: String

  /// The tickers by the coins' ids, which become the names of commodities; a coin without one is named by its id.
  package var symbols: [String: String]

  /// The account that holds the coins; nil for `assets:crypto`.
  package var account: String?

  /// Other names for the accounts `assets:cash`, `income:gains` and `expenses:fees`, by those.
  package var accounts: [String: String] = [:]

  /// The number of digits after the point with which amounts of money are displayed; the journal has all digits.
  package var digits: Int

  /// The zone of the days on which transactions are booked; a day without a time is that day in every zone.
  package var zone = ClockZone.utc

  /// Creates options.
  package init(currency: String, symbols: [String: String] = [:], account: String? = nil, digits: Int = 2) {
    self.currency = currency
    self.symbols = symbols
    self.account = account
    self.digits = digits
  }

  func names(
    of bookings: [Booking], _ prices: [PricePoint], form: @escaping (String) -> String
  ) -> CommodityNames {
    CommodityNames(
      Set(bookings.map(\.transaction.coinId) + prices.map(\.coinId)), symbols: symbols, currency: currency, form: form)
  }
}

/// The price of one coin on a day.
package struct PricePoint: Hashable, Sendable {
  /// The coin's id.
  package let coinId: String

  /// The day, in UTC.
  package let date: Date

  /// The price of one coin.
  package let price: Decimal

  /// Creates a price.
  package init(coinId: String, date: Date, price: Decimal) {
    self.coinId = coinId
    self.date = date
    self.price = price
  }
}
