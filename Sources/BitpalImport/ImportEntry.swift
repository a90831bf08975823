public import BitpalModel
import BitpalPortfolio
public import FoundationEssentials

/// A transaction of a file before it is known which coin it is of, and perhaps when it was and what it was worth.
struct ImportEntry {
  /// The value of the coins.
  enum Worth: Hashable {
    /// One coin.
    case price(Decimal)

    /// All of them.
    case total(Decimal)

    /// As much as the sale at that place, which it is the other half of.
    case sale(Int)

    /// The file does not say.
    case missing

    /// Unknown: they were sent.
    case none
  }

  let line: Int

  /// The row of the result that it was made of.
  let row: Int
  let date: ImportDate
  let type: TransactionType

  /// As the file calls it.
  let coin: String
  let amount: Decimal
  var worth = Worth.none

  /// In money.
  var fee: Decimal = 0
  var label: TransactionLabel?
  var notes: String?

  /// The same for those of a file that happened together.
  var group: String?

  /// The currency of its money; nil for one without.
  var money: String?
}

/// The rows of a file that are not transactions of coins.
public struct SkippedRow: Hashable, Sendable {
  /// The reason, in a few words.
  public let reason: String

  /// The number of rows.
  public let rows: Int

  /// Creates a count.
  public init(reason: String, rows: Int) {
    self.reason = reason
    self.rows = rows
  }
}

/// The user's choices for an import.
public struct ImportOptions: Sendable {
  /// The portfolio's currency, lower case; nil for one that is still to have one, which the file may name.
  public var currency: String?

  /// No transaction may be later.
  public var now: Date

  /// The order of the parts of numeric dates; nil when it is not chosen.
  public var dates: DateOrder?

  /// The decimal mark; nil for that of the import.
  public var decimal: DecimalMark?

  /// The value of transactions for which the file states none; nil when that is a fault.
  public var value: MissingValuePolicy?

  /// The price of one coin, by what the file calls it or its id, in capitals; before ``value``.
  public var prices: [String: Decimal] = [:]

  /// The price of one of any other coin.
  public var price: Decimal?

  /// The tickers that are those of coins, whatever currency has the same code; in capitals.
  public var coins: Set<String>

  /// Creates options; an omitted one is not chosen.
  public init(
    currency: String?, now: Date, dates: DateOrder? = nil, decimal: DecimalMark? = nil,
    value: MissingValuePolicy? = nil,
    coins: Set<String> = []
  ) {
    self.currency = currency
    self.now = now
    self.dates = dates
    self.decimal = decimal
    self.value = value
    self.coins = coins
  }

  /// Returns the value of one coin where the file does not state it; nil where the user has not either.
  func price(of coin: String, id: String?) -> Decimal? {
    prices[coin.uppercased()] ?? id.flatMap { prices[$0.uppercased()] } ?? price
  }

  /// Whether a code is that of money: the portfolio's, or a currency's whose code is not a well-known coin's ticker.
  func isMoney(_ code: String) -> Bool {
    if coins.contains(code.uppercased()) { return false }
    return code.lowercased() == currency
      || CurrencyCoin.isCurrency(code) && WellKnownCoins.coin(ticker: code) == nil
  }
}
