import BitpalModel
import FoundationEssentials

/// What a journal needs of a booking, as text.
struct JournalEntry {
  /// `2025-01-15`, in UTC.
  let day: String

  /// `buy` or `sell`.
  let title: String
  let coinId: String

  /// Coins in or, with a minus, out.
  let amount: String

  /// What they cost, or for a sale the cost it removes.
  let cost: String

  /// What the cash account gains or, with a minus, loses; fees included.
  let cash: String

  /// The gain with the sign of income accounts, which is the other way round; nil for a buy.
  let income: String?

  /// Nil when there is none.
  let fee: String?

  let id: String

  /// The instant in ISO 8601, which the day alone would lose.
  let time: String

  /// A line each: a journal has no other way to hold several.
  let notes: [String]

  /// Nil when a sum needs more digits than a number holds, which a booked transaction's does not.
  init?(_ booking: Booking) {
    let transaction = booking.transaction
    guard let amount = DecimalParts(transaction.amount), let price = DecimalParts(transaction.pricePerCoin),
      let fee = DecimalParts(transaction.fee), let total = amount.multiplied(by: price)
    else { return nil }
    let cash: DecimalParts?
    switch transaction.type {
    case .buy:
      cash = total.totalling(fee)?.negated
      cost = total.decimal?.plainText ?? ""
      self.amount = transaction.amount.plainText
      income = nil
    case .sell:
      cash = total.totalling(fee.negated)
      cost = booking.costRemoved?.plainText ?? ""
      self.amount = "-" + transaction.amount.plainText
      income = booking.realized.map { (-$0).plainText }
    }
    guard let cash = cash?.decimal else { return nil }
    self.cash = cash.plainText
    self.fee = transaction.fee == 0 ? nil : transaction.fee.plainText
    day = transaction.date.dayText
    title = transaction.type.rawValue
    coinId = transaction.coinId
    id = transaction.id.uuidString.lowercased()
    time = transaction.date.iso8601
    notes = (transaction.notes ?? "").split(whereSeparator: \.isNewline).map { $0.description.printable() }
  }
}
