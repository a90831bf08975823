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

  /// Creates a draft, which is checked only when it becomes a transaction.
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

  /// Sets the value of all coins, and the price to that divided by the amount, at 18 digits after the point.
  ///
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)`` when the price cannot be calculated.
  package mutating func setTotal(_ total: Decimal) throws(PortfolioError) {
    guard let price = try? total.divided(by: amount) else { throw .tooManyDigits(coinId: coinId, what: "the price") }
    pricePerCoin = price
    self.total = total > 0 ? total : nil
  }

  /// Makes this sale a half of an exchange; the other half is a purchase of another coin for the proceeds of this one.
  ///
  /// - Parameters:
  ///   - amount: The number of coins that were received.
  ///   - coin: The id of the received coin.
  /// - Returns: The purchase, for the value of this sale.
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)`` when the value or the price cannot be calculated.
  package mutating func swap(for amount: Decimal, of coin: String) throws(PortfolioError) -> TransactionDraft {
    label = .swap
    var other = TransactionDraft(
      coinId: coin, type: .buy, amount: amount, pricePerCoin: nil, date: date, notes: notes, label: .swap)
    guard let price = pricePerCoin.flatMap({ DecimalParts($0) }), let own = DecimalParts(self.amount),
      let value = total ?? own.valued(at: price)?.decimal
    else { throw .tooManyDigits(coinId: coinId, what: "the value") }
    try other.setTotal(value)
    return other
  }

  /// Returns the coins that replace these, which are sent: those of a renaming or, of the same coin, of a split.
  package func replacement(_ amount: Decimal, of coin: String) -> TransactionDraft {
    TransactionDraft(
      coinId: coin, type: .receive, amount: amount, pricePerCoin: 0, date: date, notes: notes, label: label)
  }

  /// Returns the shares that replace these in a split, rounded half-even at 18 digits after the point.
  ///
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)`` when their number cannot be calculated.
  package func split(_ new: Decimal, for old: Decimal) throws(PortfolioError) -> TransactionDraft {
    let product = DecimalParts(new).flatMap { DecimalParts(amount)?.multiplied(by: $0) }?.decimal
    let shares = try (try? product?.divided(by: old)).fitting("the quantity", of: coinId)
    return replacement(shares, of: coinId)
  }

  /// Returns the transaction with the first free id of its identity.
  ///
  /// - Parameter isTaken: Returns whether a transaction has that id already.
  /// - Throws: The error of `isTaken`, or ``PortfolioError`` when the draft breaks a rule.
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

  /// The identity, by which a transaction in a later export is known again.
  package var identity: TransactionIdentity {
    TransactionIdentity(coinId: coinId, type: type, amount: amount, date: date)
  }
}

extension Transaction {
  /// The identity, by which a transaction in a later export is known again.
  package var identity: TransactionIdentity {
    TransactionIdentity(coinId: coinId, type: type, amount: amount, date: date)
  }
}

/// The ids of the transactions of a file; equal transactions are numbered in their order.
package struct TransactionNumbering {
  /// The ids of the first of equal transactions.
  private var first: Set<UUID> = []

  /// The number of equal transactions so far, where there are several, by the id of the first.
  private var counts: [UUID: Int] = [:]

  package init() {}

  /// Returns the id of the next transaction with that identity.
  package mutating func next(_ identity: TransactionIdentity) -> UUID {
    let id = identity.id(number: 1)
    if first.insert(id).inserted { return id }
    let number = counts[id, default: 1] + 1
    counts[id] = number
    return identity.id(number: number)
  }
}

/// The identity of a transaction, from which its id is derived: coin, type, amount and second.
///
/// Everything else may be different in a later export of the same transaction: notes, labels, fractions of a second,
/// and prices and fees, which are rounded to another digit. A second transaction with equal content gets another id by
/// its number.
package struct TransactionIdentity: Hashable, Sendable {
  /// A text in UTF-8: making a `String` of it takes several times as long.
  private let text: [UInt8]

  package init(coinId: String, type: TransactionType, amount: Decimal, date: Date) {
    var text: [UInt8] = []
    text.reserveCapacity(96)
    // The lengths keep the boundaries of the fields: "ab", "c" differs from "a", "bc".
    func add(_ part: String) {
      var part = part
      part.withUTF8 { bytes in
        if bytes.count > 9 { text += String(bytes.count / 10).utf8 }
        text.append(UInt8(ascii: "0") + UInt8(bytes.count % 10))
        text.append(UInt8(ascii: ":"))
        text += bytes
      }
    }
    add(coinId)
    add(type.rawValue)
    add(amount.plainText)
    add(String(date.secondsRoundedDown))
    self.text = text
  }

  /// Returns the id of the `number`th equal transaction, counted from 1: a UUID of version 8 (RFC 9562) from the
  /// 128-bit FNV-1a hash of the content.
  package func id(number: Int) -> UUID {
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    func add(_ bytes: some Sequence<UInt8>) {
      for byte in bytes { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
    }
    // Only what comes early reaches the first digits, which are the short id.
    if number > 1 { add("#\(number)".utf8) }
    add(text)
    add("#\(number)".utf8)
    func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: hash >> (8 * (15 - index))) }
    return UUID(
      uuid: (
        byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6) & 0x0F | 0x80, byte(7), byte(8) & 0x3F | 0x80,
        byte(9), byte(10), byte(11), byte(12), byte(13), byte(14), byte(15)
      ))
  }
}
