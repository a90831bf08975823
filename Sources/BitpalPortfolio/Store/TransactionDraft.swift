import BitpalModel
public import FoundationEssentials

/// A transaction that has no id yet.
public struct TransactionDraft: Hashable, Sendable {
  /// The coin's id.
  public var coinId: String

  /// The direction of the coins, and whether money was paid.
  public var type: TransactionType

  /// The number of coins.
  public var amount: Decimal

  /// The price or value of one coin, in the portfolio's currency; nil for coins sent without a value.
  public var pricePerCoin: Decimal?

  /// The price or value of all coins, where the price is that divided by the amount and rounded; nil where the price is
  /// exact.
  public var total: Decimal?

  /// The fee of the exchange, in the portfolio's currency.
  public var fee: Decimal

  /// The time of the transaction.
  public var date: Date

  /// The user's notes.
  public var notes: String?

  /// The reason for which coins came or went where it was not for money.
  public var label: TransactionLabel?

  /// A text that connects transactions that happened together.
  public var group: String?

  /// Creates a draft; it is checked when it becomes a transaction.
  public init(
    coinId: String, type: TransactionType, amount: Decimal, pricePerCoin: Decimal?, total: Decimal? = nil,
    fee: Decimal = 0, date: Date, notes: String? = nil, label: TransactionLabel? = nil, group: String? = nil
  ) {
    self.coinId = coinId
    self.type = type
    self.amount = amount
    self.pricePerCoin = pricePerCoin
    self.total = total
    self.fee = fee
    self.date = date
    self.notes = notes
    self.label = label
    self.group = group
  }

  /// Sets what all coins came to, and the price to that divided by the amount, at 18 digits after the point.
  ///
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)``.
  public mutating func setTotal(_ total: Decimal) throws(PortfolioError) {
    guard let price = try? total.divided(by: amount) else { throw .tooManyDigits(coinId: coinId, what: "the price") }
    pricePerCoin = price
    self.total = total > 0 ? total : nil
  }

  /// Makes this sale a half of an exchange; the other half is a purchase of another coin for the proceeds of this one.
  ///
  /// - Parameters:
  ///   - amount: The number of coins that were received.
  ///   - coin: Their id.
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)``.
  public mutating func swap(for amount: Decimal, of coin: String) throws(PortfolioError) -> TransactionDraft {
    label = .swap
    var other = TransactionDraft(
      coinId: coin, type: .buy, amount: amount, pricePerCoin: nil, date: date, notes: notes, label: .swap)
    guard let price = pricePerCoin.flatMap({ DecimalParts($0) }), let own = DecimalParts(self.amount),
      let value = total ?? own.valued(at: price)?.decimal
    else { throw .tooManyDigits(coinId: coinId, what: "the value") }
    try other.setTotal(value)
    return other
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

  package func transaction(id: UUID) throws(PortfolioError) -> Transaction {
    try Transaction(
      validating: id, coinId: coinId, type: type, amount: amount, pricePerCoin: pricePerCoin, total: total,
      fee: fee, date: date, notes: notes, label: label, group: group)
  }

  /// Without the total, which it did not have before there were totals: the same row of a file keeps its id.
  package var identity: TransactionIdentity {
    TransactionIdentity(
      coinId: coinId, type: type, amount: amount, pricePerCoin: pricePerCoin, fee: fee, date: date,
      notes: notes.flatMap { $0.isEmpty ? nil : $0 }, label: label)
  }
}

/// The ids of the transactions of a file: those that are alike in everything are numbered in their order.
package struct TransactionNumbering {
  private var numbers: [TransactionIdentity: Int] = [:]

  package init() {}

  /// The id of the next transaction of an identity.
  package mutating func next(_ identity: TransactionIdentity) -> UUID {
    let number = numbers[identity, default: 0] + 1
    numbers[identity] = number
    return identity.id(number: number)
  }
}

/// The identity of a transaction: the id follows from the content.
///
/// So the same row of a file gets the same id each time it is imported, and a second transaction with equal content
/// differs from the first by its number.
package struct TransactionIdentity: Hashable, Sendable {
  private let text: String

  package init(
    coinId: String, type: TransactionType, amount: Decimal, pricePerCoin: Decimal?, fee: Decimal, date: Date,
    notes: String?, label: TransactionLabel? = nil
  ) {
    var text = ""
    text.reserveCapacity(128)
    // The lengths keep two neighbours from being read as two others.
    func add(_ part: String) {
      text += String(part.utf8.count)
      text += ":"
      text += part
    }
    add(coinId)
    add(type.rawValue)
    add(amount.plainText)
    add(pricePerCoin?.plainText ?? "")
    add(fee.plainText)
    add(String(date.milliseconds))
    add(notes ?? "")
    // What has none keeps the id that it had before there were labels.
    if let label { add(label.rawValue) }
    self.text = text
  }

  /// The id of the `number`th transaction alike, counted from 1: a UUID of version 8 (RFC 9562) over FNV-1a of 128 bits.
  package func id(number: Int) -> UUID {
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    func add(_ bytes: some Sequence<UInt8>) {
      for byte in bytes { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
    }
    add(text.utf8)
    add("#\(number)".utf8)
    func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: hash >> (8 * (15 - index))) }
    return UUID(
      uuid: (
        byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6) & 0x0F | 0x80, byte(7), byte(8) & 0x3F | 0x80,
        byte(9), byte(10), byte(11), byte(12), byte(13), byte(14), byte(15)
      ))
  }
}
