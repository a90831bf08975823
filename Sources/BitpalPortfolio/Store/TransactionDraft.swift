public import FoundationEssentials

/// A transaction that has no id yet.
public struct TransactionDraft: Hashable, Sendable {
  /// The coin's id.
  public var coinId: String

  /// Buy or sale.
  public var type: TransactionType

  /// How many coins.
  public var amount: Decimal

  /// What one coin cost, in the portfolio's currency.
  public var pricePerCoin: Decimal

  /// What the exchange took, in the portfolio's currency.
  public var fee: Decimal

  /// When it happened.
  public var date: Date

  /// What the user wrote about it.
  public var notes: String?

  /// Creates a draft; it is checked when it becomes a transaction.
  public init(
    coinId: String, type: TransactionType, amount: Decimal, pricePerCoin: Decimal, fee: Decimal = 0, date: Date,
    notes: String? = nil
  ) {
    self.coinId = coinId
    self.type = type
    self.amount = amount
    self.pricePerCoin = pricePerCoin
    self.fee = fee
    self.date = date
    self.notes = notes
  }

  /// The transaction, with the first id of its kind that is free.
  ///
  /// - Parameter isTaken: Whether a transaction has that id already.
  func transaction(isTaken: (UUID) throws -> Bool) throws -> Transaction {
    let identity = identity
    var number = 1
    while try isTaken(identity.id(number: number)) { number += 1 }
    return try transaction(id: identity.id(number: number))
  }

  func transaction(id: UUID) throws(PortfolioError) -> Transaction {
    try Transaction(
      validating: id, coinId: coinId, type: type, amount: amount, pricePerCoin: pricePerCoin, fee: fee, date: date,
      notes: notes)
  }

  var identity: TransactionIdentity {
    TransactionIdentity(
      coinId: coinId, type: type, amount: amount, pricePerCoin: pricePerCoin, fee: fee, date: date,
      notes: notes.flatMap { $0.isEmpty ? nil : $0 })
  }
}
