import BitpalModel
public import FoundationEssentials

/// Coins of one kind coming in or going out, as the user recorded it.
public struct Transaction: Identifiable, Hashable, Sendable {
  /// The identity; it stays when the rest is edited.
  public let id: UUID

  /// The coin's id (`bitcoin`).
  public let coinId: String

  /// The direction of the coins, and whether money was paid.
  public let type: TransactionType

  /// The number of coins; above zero.
  public let amount: Decimal

  /// The price or value of one coin, in the portfolio's currency; nil for coins sent without a value.
  ///
  /// Above zero for a buy or a sale, otherwise zero or above.
  public let pricePerCoin: Decimal?

  /// The price or value of all coins together, where ``pricePerCoin`` is that divided by ``amount`` and rounded; nil
  /// where amount × price is exact.
  public let total: Decimal?

  /// The fee of the exchange, in the portfolio's currency; it is kept apart from cost and proceeds.
  public let fee: Decimal

  /// The time of the transaction, to the millisecond.
  public let date: Date

  /// The user's notes.
  public let notes: String?

  /// The reason for which coins came or went where it was not for money.
  public let label: TransactionLabel?

  /// A text that connects transactions that happened together: both halves of a swap, a purchase and its fee.
  public let group: String?

  /// Creates a transaction, or says which rule it breaks.
  ///
  /// - Throws: ``PortfolioError`` when the coin is empty, the amount is not above zero, the price or the label is not one of
  ///   the type's, or the fee is below zero.
  public init(
    validating id: UUID, coinId: String, type: TransactionType, amount: Decimal, pricePerCoin: Decimal?,
    total: Decimal? = nil, fee: Decimal = 0, date: Date, notes: String? = nil, label: TransactionLabel? = nil,
    group: String? = nil
  ) throws(PortfolioError) {
    guard !coinId.isEmpty else { throw .coinNotFound("") }
    guard !amount.isNaN, amount > 0 else { throw .invalidAmount(amount) }
    try type.check(price: pricePerCoin)
    if let total {
      guard !total.isNaN, total > 0, let price = try? total.divided(by: amount), price == pricePerCoin else {
        throw .totalMismatch(total)
      }
    }
    guard !fee.isNaN, fee >= 0 else { throw .invalidFee(fee) }
    if let label, !type.labels.contains(label) { throw .invalidLabel(label.rawValue, type: type) }
    self.id = id
    self.coinId = coinId
    self.type = type
    self.amount = amount
    self.pricePerCoin = pricePerCoin
    let isExact = pricePerCoin.flatMap { DecimalParts($0) }.flatMap { DecimalParts(amount)?.multiplied(by: $0) }?
      .decimal
    self.total = total == isExact ? nil : total
    self.fee = fee
    self.date = Date(milliseconds: date.milliseconds)
    self.notes = notes.flatMap { $0.isEmpty ? nil : $0 }
    self.label = label
    self.group = group.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The first eight digits of the id, lower case: enough to name it at a command line.
  public var shortID: String { String(id.uuidString.prefix(8)).lowercased() }

  /// The price or value of all coins together, exactly; nil for coins sent without a value, and beyond 38 digits.
  var worth: DecimalParts? {
    if let total { return DecimalParts(total) }
    return pricePerCoin.flatMap { DecimalParts($0) }.flatMap { DecimalParts(amount)?.multiplied(by: $0) }
  }

  /// Whether something was had for coins that went out: a sale, or coins sent at a value.
  public var isDisposal: Bool { !type.isIncoming && pricePerCoin != nil }
}

/// The direction of a transaction.
public enum TransactionType: String, CaseIterable, Sendable {
  /// Coins come in for money; quantity and cost grow.
  case buy

  /// Coins go out for money; the average cost of the rest does not change.
  case sell

  /// Coins come in for no money: at what they were worth, which is their cost from then on, or at zero.
  case receive

  /// Coins go out for no money: at a value, which makes it a disposal as a sale is, or with their cost and no gain.
  case send

  /// All of them in words, for messages.
  package static let words = allCases.map(\.rawValue).joined(separator: ", ")

  /// Whether coins come in.
  public var isIncoming: Bool { self == .buy || self == .receive }

  /// Whether coins are exchanged for money, so that they cannot have cost nothing.
  package var isForMoney: Bool { self == .buy || self == .sell }

  /// The labels that such a transaction may have.
  public var labels: [TransactionLabel] {
    switch self {
    case .buy, .sell: [.swap]
    case .receive: [.reward, .airdrop, .gift, .interest, .transfer]
    case .send: [.fee, .gift, .transfer]
    }
  }

  /// The label of that name.
  ///
  /// - Returns: Nil for `-`, which stands for none.
  /// - Throws: ``PortfolioError/invalidLabel(_:type:)`` for one that such a transaction does not have.
  public func label(_ word: String) throws(PortfolioError) -> TransactionLabel? {
    if word == "-" { return nil }
    guard let label = TransactionLabel(rawValue: word.lowercased()), labels.contains(label) else {
      throw .invalidLabel(word, type: self)
    }
    return label
  }

  /// Checks what one coin is said to have been worth.
  ///
  /// - Throws: ``PortfolioError/invalidPrice(_:)``, ``PortfolioError/missingPrice(type:)``.
  package func check(price: Decimal?) throws(PortfolioError) {
    guard let price else {
      if self == .send { return }
      throw .missingPrice(type: self)
    }
    guard !price.isNaN, isForMoney ? price > 0 : price >= 0 else { throw .invalidPrice(price) }
  }
}

/// The reason for which coins came or went.
public enum TransactionLabel: String, CaseIterable, Sendable {
  /// For staking, mining or a referral.
  case reward
  case airdrop

  /// To or from another person, for nothing.
  case gift

  /// For coins that were lent.
  case interest

  /// To or from another place of one's own.
  case transfer

  /// The fee of an exchange or a network, in coin.
  case fee

  /// Half of an exchange of one coin for another.
  case swap
}
