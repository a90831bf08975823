import BitpalModel
import BitpalPortfolio
import Foundation
import TestSupport
import Testing

@Suite struct `Properties of the ledger` {
  private func amount(_ generator: inout SeededGenerator, _ digits: Int, _ places: Int) throws -> String {
    let coefficient = UInt64.random(in: 1..<pow10(digits), using: &generator)
    let text = String(coefficient)
    if places == 0 { return text }
    let padded = String(repeating: "0", count: max(0, places + 1 - text.count)) + text
    return "\(padded.dropLast(places)).\(padded.suffix(places))"
  }

  private func pow10(_ exponent: Int) -> UInt64 { (0..<exponent).reduce(1) { value, _ in value * 10 } }

  /// Buys and sales over a few coins and days, never more sold than held.
  private func history(_ generator: inout SeededGenerator, count: Int) throws -> [Transaction] {
    var held: [String: Decimal] = [:]
    var transactions: [Transaction] = []
    for number in 1...count {
      let coin = ["bitcoin", "ethereum", "pepe"][Int.random(in: 0..<3, using: &generator)]
      let price = try amount(&generator, Int.random(in: 1...9, using: &generator), [0, 2, 8, 12][number % 4])
      let day = Make.day(1 + number / 5)
      let owned = held[coin] ?? 0
      if owned > 0, Bool.random(using: &generator) {
        let isAll = Int.random(in: 0..<4, using: &generator) == 0
        let part = isAll ? owned : (try owned.divided(by: Decimal(Int.random(in: 2...7, using: &generator)), scale: 8))
        guard part > 0 else { continue }
        held[coin] = owned - part
        transactions.append(try Make.transaction(number, .sell, part.plainText, price, coin: coin, date: day))
      } else {
        let text = try amount(&generator, Int.random(in: 1...12, using: &generator), 8)
        held[coin] = owned + (try Make.number(text))
        transactions.append(try Make.transaction(number, .buy, text, price, coin: coin, date: day))
      }
    }
    return transactions
  }

  @Test func `The first transaction that cannot be booked is found as by trying them one by one`() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<60 {
      var transactions = PortfolioLedger.ordered(try history(&generator, count: 30)).filter { $0.coinId == "bitcoin" }
      // Without some purchases a later sale is not covered.
      for _ in 0..<2 where !transactions.isEmpty {
        transactions.remove(at: Int.random(in: 0..<transactions.count, using: &generator))
      }
      let first = transactions.indices.first { (try? PortfolioLedger.held(Array(transactions[...$0]))) == nil }
      let found = PortfolioLedger.firstFault(of: transactions)
      #expect(found?.transaction == first.map { transactions[$0] })
    }
  }

  @Test(arguments: 1...40)
  func `Bought is removed plus remaining, exactly`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let transactions = try history(&generator, count: 60)
    let bookings = try PortfolioLedger.bookings(transactions)
    for coin in Set(transactions.map(\.coinId)) {
      let own = bookings.filter { $0.transaction.coinId == coin }
      var bought: Decimal = 0
      var removed: Decimal = 0
      for booking in own {
        if booking.transaction.type == .buy {
          bought += booking.transaction.amount * (booking.transaction.pricePerCoin ?? 0)
        }
        removed += booking.costRemoved ?? 0
        #expect(bought == removed + booking.cost)
        #expect(booking.quantity >= 0 && booking.cost >= 0)
        if booking.quantity == 0 { #expect(booking.cost == 0) }
      }
    }
  }

  @Test(arguments: 1...40)
  func `Edits and removals give what a ledger built from nothing gives`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed &* 7919)
    var transactions = try history(&generator, count: 40)
    for _ in 0..<30 {
      let place = Int.random(in: 0..<transactions.count, using: &generator)
      let old = transactions[place]
      var change = TransactionChange.remove(old.id)
      if Bool.random(using: &generator) {
        change = .replace(
          try Transaction(
            validating: old.id, coinId: old.coinId, type: old.type, amount: old.amount + 1,
            pricePerCoin: old.pricePerCoin, date: Make.day(Int.random(in: 1...9, using: &generator))))
      }
      var expected = transactions
      switch change {
      case .remove: expected.remove(at: place)
      case .replace(let new), .add(let new): expected[place] = new
      }
      let fromNothing = Result { () throws(PortfolioError) in try PortfolioLedger(expected) }
      switch fromNothing {
      case .success(let ledger):
        transactions = try change.applied(to: transactions, now: Make.now)
        #expect(try PortfolioLedger(transactions) == ledger)
      case .failure:
        #expect(throws: PortfolioError.self) { _ = try change.applied(to: transactions, now: Make.now) }
      }
    }
  }

  @Test(arguments: 1...10)
  func `The order in which days are recorded does not matter`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var transactions = try history(&generator, count: 30)
    for index in transactions.indices {
      let old = transactions[index]
      transactions[index] = try Transaction(
        validating: old.id, coinId: old.coinId, type: old.type, amount: old.amount, pricePerCoin: old.pricePerCoin,
        date: Date(milliseconds: Make.day(1).milliseconds + Int64(index)))
    }
    let ordered = try PortfolioLedger(transactions)
    transactions.shuffle(using: &generator)
    #expect(try PortfolioLedger(transactions) == ordered)
  }
}
