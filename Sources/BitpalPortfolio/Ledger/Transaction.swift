import BitpalModel
public import FoundationEssentials

/// A buy or a sale of one coin, as the user recorded it.
public struct Transaction: Identifiable, Hashable, Sendable {
  /// The identity; it stays when the rest is edited.
  public let id: UUID

  /// The coin's id (`bitcoin`).
  public let coinId: String

  /// Buy or sale.
  public let type: TransactionType

  /// How many coins; above zero.
  public let amount: Decimal

  /// What one coin cost, in the portfolio's currency; above zero.
  public let pricePerCoin: Decimal

  /// What the exchange took, in the portfolio's currency; it is kept apart from cost and proceeds.
  public let fee: Decimal

  /// When it happened, to the millisecond.
  public let date: Date

  /// What the user wrote about it.
  public let notes: String?

  /// Creates a transaction, or says which rule it breaks.
  ///
  /// - Throws: ``PortfolioError`` when the coin is empty, amount or price is not above zero, or the fee is below zero.
  public init(
    validating id: UUID, coinId: String, type: TransactionType, amount: Decimal, pricePerCoin: Decimal,
    fee: Decimal = 0, date: Date, notes: String? = nil
  ) throws(PortfolioError) {
    guard !coinId.isEmpty else { throw .coinNotFound("") }
    guard !amount.isNaN, amount > 0 else { throw .invalidAmount(amount) }
    guard !pricePerCoin.isNaN, pricePerCoin > 0 else { throw .invalidPrice(pricePerCoin) }
    guard !fee.isNaN, fee >= 0 else { throw .invalidFee(fee) }
    self.id = id
    self.coinId = coinId
    self.type = type
    self.amount = amount
    self.pricePerCoin = pricePerCoin
    self.fee = fee
    self.date = Date(milliseconds: date.milliseconds)
    self.notes = notes.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The first eight digits of the id, lower case: enough to name it at a command line.
  public var shortID: String { String(id.uuidString.prefix(8)).lowercased() }
}

/// Which way a transaction goes.
public enum TransactionType: String, CaseIterable, Sendable {
  /// Coins come in; quantity and cost grow.
  case buy

  /// Coins go out; the average cost of the rest does not change.
  case sell
}
