public import FoundationEssentials

/// A rule of the portfolio that a request breaks; nothing has been stored when one is thrown.
public enum PortfolioError: Error, Hashable, Sendable {
  /// No such coin.
  case coinNotFound(String)

  /// A sale of more than is held at that time.
  case insufficientBalance(coinId: String, owned: Decimal, attempted: Decimal, date: Date, sale: UUID)

  /// A change would leave an earlier recorded sale with less than it sells.
  case laterSaleUncovered(coinId: String, owned: Decimal, attempted: Decimal, date: Date, sale: UUID)

  /// The amount is not above zero.
  case invalidAmount(Decimal)

  /// The price is not above zero.
  case invalidPrice(Decimal)

  /// The fee is below zero.
  case invalidFee(Decimal)

  /// The date is later than now.
  case futureDateNotAllowed(Date, now: Date)

  /// No transaction has an id that begins like this.
  case transactionNotFound(String)

  /// Several transactions have an id that begins like this; the first of them.
  case ambiguousTransaction(String, candidates: [UUID])

  /// A transaction with that id is there already.
  case transactionExists(UUID)

  /// No price was given and none could be had.
  case priceDataUnavailable(coinId: String)

  /// A calculation needs more than the 38 digits a number holds.
  case tooManyDigits(coinId: String, what: String)

  /// The portfolio's amounts of money are in another currency.
  case currencyMismatch(portfolio: String, currency: String, asked: String)

  /// The name of a portfolio is not usable.
  case invalidPortfolioName(String)
}
