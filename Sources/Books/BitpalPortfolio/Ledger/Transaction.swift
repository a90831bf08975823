package import BitpalModel
public import FoundationEssentials

/// A movement of coins of one kind into or out of the portfolio, as the user recorded it.
public struct Transaction: Identifiable, Hashable, Sendable {
  /// The id, which stays when the rest is edited.
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

  /// The price or value of all coins together, from which ``pricePerCoin`` is calculated and rounded; nil where
  /// amount × price is exact.
  public let total: Decimal?

  /// The fee of the exchange, in the portfolio's currency; it is kept apart from cost and proceeds.
  public let fee: Decimal

  /// The time of the transaction, to the millisecond; midnight in UTC is a day without a time, which is that day in every zone.
  public let date: Date

  /// The instant that orders it among others, see ``placed(in:)``.
  package private(set) var instant: Date

  /// The user's notes.
  public let notes: String?

  /// The reason for the movement, one of the type's ``TransactionType/labels``; nil for none.
  public let label: TransactionLabel?

  /// A text that connects transactions that happened together: both halves of a swap, a purchase and its fee.
  public let group: String?

  /// Creates a transaction after a check of its rules.
  ///
  /// - Throws: ``PortfolioError`` when the coin is empty, the amount is not above zero, the fee is below zero, the
  ///   price is not the total divided by the amount, or the type does not allow the price or the label.
  public init(
    validating id: UUID, coinId: String, type: TransactionType, amount: Decimal, pricePerCoin: Decimal?,
    total: Decimal? = nil, fee: Decimal = 0, date: Date, notes: String? = nil, label: TransactionLabel? = nil,
    group: String? = nil
  ) throws(PortfolioError) {
    guard !coinId.isEmpty else { throw .coinNotFound("") }
    guard amount.isPositive else { throw .invalidAmount(amount) }
    try type.check(price: pricePerCoin)
    if let total {
      guard total.isPositive, let price = try? total.divided(by: amount), price == pricePerCoin else {
        throw .totalMismatch(total)
      }
    }
    guard !fee.isNaN, !fee.isSignMinus else { throw .invalidFee(fee) }
    if let label, !type.labels.contains(label) { throw .invalidLabel(label.rawValue, type: type) }
    if let label, label.movesCost, pricePerCoin ?? 0 != 0 { throw .unpaired(label, of: coinId, on: date) }
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
    instant = self.date
    self.notes = notes.flatMap { $0.isEmpty ? nil : $0 }
    self.label = label
    self.group = group.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Creates a copy with another price, for coins whose cost is that of others.
  init(_ other: Transaction, pricePerCoin: Decimal, total: Decimal?) {
    (id, coinId, type, amount, fee) = (other.id, other.coinId, other.type, other.amount, other.fee)
    (date, notes, label, group, instant) = (other.date, other.notes, other.label, other.group, other.instant)
    (self.pricePerCoin, self.total) = (pricePerCoin, total)
  }

  /// Creates a copy of another time.
  init(_ other: Transaction, date: Date) {
    (id, coinId, type, amount, fee) = (other.id, other.coinId, other.type, other.amount, other.fee)
    (notes, label, group) = (other.notes, other.label, other.group)
    (pricePerCoin, total, self.date, instant) = (other.pricePerCoin, other.total, date, date)
  }

  /// Creates a copy of another coin, with its id.
  init(_ other: Transaction, id: UUID, coinId: String) {
    (self.id, self.coinId, type, amount, fee) = (id, coinId, other.type, other.amount, other.fee)
    (date, notes, label, group, instant) = (other.date, other.notes, other.label, other.group, other.instant)
    (pricePerCoin, total) = (other.pricePerCoin, other.total)
  }

  /// Whether it has a day and no time.
  package var isOfDay: Bool { date == date.startOfDay }

  /// Returns the transaction in its place among the days of a zone.
  package func placed(in zone: ClockZone) -> Transaction {
    guard isOfDay else { return self }
    var copy = self
    copy.instant = zone.place(of: date, isSplit: label == .split)
    return copy
  }

  /// The first eight digits of the id, lower case, which usually identify it in commands.
  package var shortID: String { String(id.uuidString.prefix(8)).lowercased() }

  /// The price or value of all coins together, exactly; nil for coins sent without a value, and beyond 38 digits.
  var worth: DecimalParts? {
    if let total { return DecimalParts(total) }
    return pricePerCoin.flatMap { DecimalParts($0) }.flatMap { DecimalParts(amount)?.multiplied(by: $0) }
  }

  /// Whether coins went out at a price or value: a sale, or coins sent at a value.
  package var isDisposal: Bool { !type.isIncoming && pricePerCoin != nil }
}

extension ClockZone {
  /// Returns the instant that orders a transaction of a time, which is that time, or of a day without one.
  ///
  /// A day stands at the first instant that is of that day in UTC and by the zone's clocks; a split of a day is in force from the
  /// first instant of the zone's day.
  package func place(of date: Date, isSplit: Bool = false) -> Date {
    guard date == date.startOfDay else { return date }
    let midnight = midnight(ofDay: date)
    return isSplit ? midnight : max(midnight, date)
  }
}

/// The direction of a transaction.
public enum TransactionType: String, CaseIterable, Sendable {
  /// Coins come in for money; quantity and cost grow.
  case buy

  /// Coins go out for money; the average cost of the rest does not change.
  case sell

  /// Coins come in without a payment; their cost is their value at that time, or zero.
  case receive

  /// Coins go out without a payment: at a value, which makes it a disposal, or without one, at their cost and no gain.
  case send

  /// The names of all types, for messages.
  package static let words = allCases.map(\.rawValue).joined(separator: ", ")

  /// Whether coins come in.
  public var isIncoming: Bool { self == .buy || self == .receive }

  /// Whether coins are exchanged for money, so that the price must be above zero.
  package var isForMoney: Bool { self == .buy || self == .sell }

  /// The labels that a transaction of this type may have.
  public var labels: [TransactionLabel] {
    switch self {
    case .buy, .sell: [.swap]
    case .receive: [.reward, .airdrop, .gift, .interest, .transfer, .rename, .split]
    case .send: [.fee, .gift, .transfer, .lost, .rename, .split]
    }
  }

  /// Returns the label of a name, in any letter case.
  ///
  /// - Returns: Nil for `-`, which stands for none.
  /// - Throws: ``PortfolioError/invalidLabel(_:type:)`` for a name that is not a label of this type.
  public func label(_ word: String) throws(PortfolioError) -> TransactionLabel? {
    if word == "-" { return nil }
    guard let label = TransactionLabel(rawValue: word.lowercased()), labels.contains(label) else {
      throw .invalidLabel(word, type: self)
    }
    return label
  }

  /// Checks the price or value of one coin.
  ///
  /// - Throws: ``PortfolioError/missingPrice(type:)`` for nil, unless the coins are sent;
  ///   ``PortfolioError/invalidPrice(_:)`` for a price that is not above zero or, without a payment, below zero.
  package func check(price: Decimal?) throws(PortfolioError) {
    guard let price else {
      if self == .send { return }
      throw .missingPrice(type: self)
    }
    guard !price.isNaN, isForMoney ? price.isPositive : !price.isSignMinus else { throw .invalidPrice(price) }
  }
}

/// The reason for which coins came in or went out.
public enum TransactionLabel: String, CaseIterable, Sendable {
  /// Earned by staking, mining or a referral.
  case reward
  case airdrop

  /// Given to or received from another person, without a payment.
  case gift

  /// Earned by coins that were lent.
  case interest

  /// Moved to or from another account or wallet of the user.
  case transfer

  /// The fee of an exchange or a network, in coin.
  case fee

  /// Lost or stolen.
  case lost

  /// One half of an exchange of one coin for another.
  case swap

  /// One half of the replacement of a coin by another, such as MATIC by POL: the cost and the dates of the coins that went move
  /// to those of the same group that came, without a gain.
  case rename

  /// One half of a split of a share or a redenomination under the same name: all that is held is replaced by another quantity of
  /// the same, at the same cost and with the same dates, without a gain.
  case split

  /// Whether the cost of coins that go moves to those of the same group that come.
  package var movesCost: Bool { self == .rename || self == .split }
}
