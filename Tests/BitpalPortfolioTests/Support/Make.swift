import BitpalModel
import BitpalPortfolio
import Foundation

/// Short ways to make what tests need.
enum Make {
  static let now = Date(milliseconds: 1_736_937_000_000)

  /// An id that begins with the number and an `a`.
  static func id(_ number: Int) -> UUID {
    let digits = String(number) + "a"
    let text = digits + String(repeating: "0", count: 8 - digits.count) + "-0000-8000-8000-000000000000"
    return UUID(uuidString: text) ?? UUID()
  }

  /// A day of January 2025.
  static func day(_ day: Int) -> Date { Date(milliseconds: 1_735_689_600_000 + Int64(day - 1) * 86_400_000) }

  static func transaction(
    _ number: Int, _ type: TransactionType, _ amount: String, _ price: String?, coin: String = "bitcoin",
    fee: String = "0", date: Date? = nil, notes: String? = nil, label: TransactionLabel? = nil, group: String? = nil
  ) throws -> Transaction {
    try Transaction(
      validating: id(number), coinId: coin, type: type, amount: Decimal(strict: amount),
      pricePerCoin: try price.map { try Decimal(strict: $0) }, fee: Decimal(strict: fee), date: date ?? day(1),
      notes: notes, label: label, group: group)
  }

  static func draft(
    _ type: TransactionType, _ amount: String, _ price: String, coin: String = "bitcoin", fee: String = "0",
    date: Date? = nil, notes: String? = nil
  ) throws -> TransactionDraft {
    TransactionDraft(
      coinId: coin, type: type, amount: try Decimal(strict: amount), pricePerCoin: try Decimal(strict: price),
      fee: try Decimal(strict: fee), date: date ?? day(1), notes: notes)
  }

  static func quote(
    _ coin: String, _ price: String, change: String? = nil, staleFor: Duration? = nil
  ) throws -> Sourced<Coin> {
    Sourced(
      try Coin(
        validating: coin, symbol: String(coin.prefix(3)), name: coin.capitalized, currentPrice: Decimal(strict: price),
        priceChangePercentage24h: change.map { try Decimal(strict: $0) }),
      about: AnswerKey(provider: "test", kind: .quote, coin: coin), source: "test", fetchedAt: now,
      freshness: staleFor.map { .stale(age: $0, because: .offline) } ?? .fresh)
  }

  static func number(_ text: String) throws -> Decimal { try Decimal(strict: text) }
}
