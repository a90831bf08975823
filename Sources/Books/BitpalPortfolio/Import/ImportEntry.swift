package import BitpalModel
package import FoundationEssentials

/// A transaction of a file whose coin is not yet identified; its date and value may be open too.
struct ImportEntry {
  /// The value of the coins.
  enum Value: Hashable {
    /// The price of one coin.
    case price(Decimal)

    /// The value of all coins.
    case total(Decimal)

    /// The proceeds of the sale with that index, whose other half this purchase is.
    case sale(Int)

    /// Not stated in the file, so that ``ImportOptions/value`` decides.
    case missing

    /// Not needed, because the coins were sent.
    case none
  }

  let line: Int

  let date: ImportDate
  let type: TransactionType

  /// The coin's name in the file.
  var coin: String
  var amount: Decimal
  var worth = Value.none

  /// The fee in money; zero for none.
  var fee: Decimal = 0
  var label: TransactionLabel?
  var notes: String?

  /// A text that connects the entries that happened together; nil for none.
  var group: String?

  /// The currency of its money, lower case; nil where the row states none.
  var money: String?
}

/// The rows of a file that are not transactions of coins.
package struct SkippedRow: Hashable, Sendable {
  /// The reason, in a few words.
  package let reason: String

  /// The number of rows.
  package let rows: Int

  /// Creates a count.
  package init(reason: String, rows: Int) {
    self.reason = reason
    self.rows = rows
  }
}

/// The user's choices for an import.
package struct ImportOptions: Sendable {
  /// The portfolio's currency, lower case; nil for a portfolio without one, which takes that of the file.
  package var currency: String?

  /// The current time; a later transaction is a fault.
  package var now: Date

  /// The order of the parts of numeric dates; nil when it is not chosen.
  package var dates: DateOrder?

  /// The time zone of times without an offset, where neither the file nor the import states it; nil for UTC.
  package var zone: ClockZone?

  /// The decimal mark; nil for that of the import's specification.
  package var decimal: DecimalMark?

  /// The rule for transactions whose value the file does not state; nil makes them faults.
  package var value: MissingValuePolicy?

  /// The prices of one coin, by its name in the file or its id, in capitals; they take precedence over ``value``.
  package var prices: [String: Decimal] = [:]

  /// The price of one coin for every coin that ``prices`` does not list.
  package var price: Decimal?

  /// Whether the user accepts prices that are far from others of the same coin; see ``PricePlausibility``.
  package var acceptsPrices = false

  /// Whether what went out and came in again, as between accounts of the user, is left out; see ``OwnTransfer``.
  package var skipsOwnTransfers = false

  /// The tickers that always mean coins, even where a currency has the same code; in capitals.
  package var coins: Set<String>

  /// The codes that mean money although a coin has them as its ticker; in capitals.
  package var money: Set<String> = []

  /// Creates options; omitted ones have the meaning of nil.
  package init(
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

  /// Returns the user's price of one coin for a value that the file does not state; nil where the user gave none.
  func price(of coin: String, id: String?) -> Decimal? {
    statedPrice(of: coin, id: id) ?? price
  }

  /// Returns the user's price of one coin that names the coin.
  func statedPrice(of coin: String, id: String?) -> Decimal? {
    prices[coin.uppercased()] ?? prices[Self.parts(of: coin).ticker.uppercased()]
      ?? id.flatMap { prices[$0.uppercased()] }
  }

  /// Returns the ticker of a coin and the name behind it, as in `SOL (Solana)`; nil for none.
  package static func parts(of coin: String) -> (ticker: String, name: String?) {
    guard coin.hasSuffix(")"), let mark = coin.firstRange(of: " (") else { return (coin, nil) }
    return (String(coin[..<mark.lowerBound]), String(coin[mark.upperBound...].dropLast()))
  }

  /// Has codes mean money that might mean coins.
  package mutating func meansMoney(_ codes: Set<String>) {
    money.formUnion(codes)
    coins.subtract(codes)
  }

  /// Returns whether a code may be that of a currency or of a coin.
  func isUnclear(_ code: String) -> Bool {
    CurrencyCoin.coinsOfCodes[code.lowercased()] != nil && code.lowercased() != currency
      && !coins.contains(code.uppercased()) && !money.contains(code.uppercased())
  }

  /// Returns whether a code means money: the portfolio's currency, or one whose code is not a well-known coin's ticker.
  func isMoney(_ code: String) -> Bool {
    if coins.contains(code.uppercased()) { return false }
    return code.lowercased() == currency
      || CurrencyCoin.isCurrency(code) && WellKnownCoins.coin(ticker: code) == nil
      || MinorUnit.problem(in: code) != nil
  }
}
