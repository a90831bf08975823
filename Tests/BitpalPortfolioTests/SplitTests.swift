import BitpalModel
import Foundation
import TestSupport
import Testing

@testable import BitpalPortfolio

@Suite struct `A share that is split` {
  private static let ratios: [(new: Decimal, old: Decimal)] = [(4, 1), (1, 10), (3, 2), (20, 1)]

  private func drafts(_ transactions: [TransactionDraft]) throws -> [Transaction] {
    try transactions.enumerated().map { try $1.transaction(id: Make.id($0 + 1)) }
  }

  /// Purchases and sales on ten days, with splits between them, and the same in the shares of the end; closes on each day.
  private func random(
    _ seed: UInt64, isInCloses: Bool
  ) throws -> (
    asTraded: [Transaction], adjusted: [Transaction], closes: [Resampling.DailyClose], ofEnd: [Resampling.DailyClose]
  ) {
    var generator = SeededGenerator(seed: seed)
    let splits = [
      4: Self.ratios[Int.random(in: 0..<4, using: &generator)],
      7: Self.ratios[Int.random(in: 0..<4, using: &generator)],
    ]
    func factor(after day: Int) -> Decimal {
      splits.filter { $0.key > day }.values.reduce(1) { $0 * $1.new / $1.old }
    }
    var (asTraded, adjusted): ([TransactionDraft], [TransactionDraft]) = ([], [])
    var (closes, ofEnd): ([Resampling.DailyClose], [Resampling.DailyClose]) = ([], [])
    var held: Decimal = 0
    for day in 1...10 {
      if let split = splits[day], held > 0 {
        var out = TransactionDraft(
          coinId: "share", type: .send, amount: held, pricePerCoin: nil, date: Make.day(day), label: .split,
          group: "g\(day)")
        var into = try out.split(split.new, for: split.old)
        into.group = out.group
        out.notes = "split"
        held = into.amount
        asTraded += [out, into]
      }
      let later = factor(after: day)
      let price = Decimal(Int.random(in: 90...110, using: &generator)) * 60
      // A multiple of all ratios, so that every quantity is exact.
      let amount = Decimal(Int.random(in: 1...5, using: &generator)) * 600
      let isSale = held > amount && Bool.random(using: &generator)
      held += isSale ? -amount : amount
      asTraded.append(
        TransactionDraft(
          coinId: "share", type: isSale ? .sell : .buy, amount: amount, pricePerCoin: price * later, date: Make.day(day)
        ))
      adjusted.append(
        TransactionDraft(
          coinId: "share", type: isSale ? .sell : .buy, amount: amount * later, pricePerCoin: price, date: Make.day(day)
        ))
      closes.append(.init(day: Make.day(day), price: isInCloses ? price : price * later))
      ofEnd.append(.init(day: Make.day(day), price: price))
    }
    return (try drafts(asTraded), try drafts(adjusted), closes, ofEnd)
  }

  @Test func `A close that is carried forward over a split is of the shares before it`() throws {
    let out = TransactionDraft(
      coinId: "share", type: .send, amount: 2, pricePerCoin: nil, date: Make.day(5), label: .split, group: "g")
    var into = try out.split(10, for: 1)
    into.group = out.group
    let held = try drafts([
      TransactionDraft(coinId: "share", type: .buy, amount: 2, pricePerCoin: 1000, date: Make.day(1)), out,
      into,
    ])
    func values(_ known: [Int: Decimal]) throws -> [Decimal] {
      var last = (day: 1, price: Decimal(1000))
      let closes = (1...9).map { day in
        if let price = known[day] { last = (day, price) }
        return Resampling.DailyClose(
          day: Make.day(day), price: last.price, carriedFrom: last.day == day ? nil : Make.day(last.day))
      }
      return try ValueHistory(held, closes: ["share": closes], from: Make.day(1), to: Make.day(9)).days.map(\.value)
    }
    #expect(try values([1: 1000, 8: 102]) == Array(repeating: 2000, count: 7) + [2040, 2040])
    #expect(try values([1: 1000]) == Array(repeating: 2000, count: 9))
  }

  private func figures(_ day: ValueHistory.Day) -> [Decimal?] {
    [day.value, day.cost, day.valueBefore.decimal, day.inflow.decimal, day.outflow.decimal]
  }

  @Test(arguments: Array(1...40))
  func `Gains, lots, positions and values are those of the shares of the end`(seed: Int) throws {
    for isInCloses in [true, false] {
      let (asTraded, adjusted, closes, ofEnd) = try random(UInt64(seed), isInCloses: isInCloses)
      for method in GainMethod.allCases {
        let (found, wanted) = (try Gains(asTraded, by: method), try Gains(adjusted, by: method))
        #expect(found.rows.map(\.gain) == wanted.rows.map(\.gain), "\(method)")
        #expect(
          found.lots.map(\.quantity) == wanted.lots.map(\.quantity) && found.lots.map(\.cost) == wanted.lots.map(\.cost)
        )
        #expect(found.lots.map(\.acquired) == wanted.lots.map(\.acquired) && found.sentCost == 0)
      }
      let (ledger, plain) = (try PortfolioLedger(asTraded), try PortfolioLedger(adjusted))
      #expect(
        ledger.positions == plain.positions && ledger.closed.map(\.realizedPnL) == plain.closed.map(\.realizedPnL))
      let values = try ValueHistory(asTraded, closes: ["share": closes], from: Make.day(1), to: Make.day(10))
      let wanted = try ValueHistory(adjusted, closes: ["share": ofEnd], from: Make.day(1), to: Make.day(10))
      #expect(values.days.map(figures) == wanted.days.map(figures) && values.strayedCoins.isEmpty, "\(isInCloses)")
    }
  }

  @Test func `All that is sold after a split closes one position, from the first purchase on`() throws {
    var out = TransactionDraft(
      coinId: "share", type: .send, amount: 12, pricePerCoin: nil, date: Make.day(3), label: .split, group: "g")
    var into = try out.split(4, for: 1)
    into.group = "g"
    out.fee = 1
    into.fee = 2
    let all = try drafts([
      TransactionDraft(coinId: "share", type: .buy, amount: 12, pricePerCoin: 400, date: Make.day(1)), out, into,
      TransactionDraft(coinId: "share", type: .sell, amount: 48, pricePerCoin: 110, date: Make.day(4)),
    ])
    let ledger = try PortfolioLedger(all)
    let closed = try #require(ledger.closed.first)
    #expect(ledger.positions.isEmpty && ledger.closed.count == 1)
    #expect(closed.totalQuantity == 48 && closed.avgCostPrice == 100 && closed.realizedPnL == 480 && closed.fees == 3)
    #expect(closed.openedDate == Make.day(1) && closed.id == all[3].id)
    #expect(Set(try PortfolioLedger.closedPositions(of: all).values) == [all[3].id])
  }

  @Test func `A split of a part, or of another share, is refused by all sums`() throws {
    let buy = TransactionDraft(coinId: "share", type: .buy, amount: 13, pricePerCoin: 400, date: Make.day(1))
    var out = TransactionDraft(
      coinId: "share", type: .send, amount: 12, pricePerCoin: nil, date: Make.day(3), label: .split, group: "g")
    var into = try out.split(4, for: 1)
    into.group = "g"
    let part = try drafts([buy, out, into])
    #expect(throws: PortfolioError.unpairedSplit("share", date: Make.day(3))) { try PortfolioLedger(part) }
    out.amount = 13
    into.coinId = "other"
    let other = try drafts([buy, out, into])
    #expect(throws: PortfolioError.unpairedSplit("other", date: Make.day(3))) { try PortfolioLedger(other) }
  }

  @Test func `A coin whose close is far from what was paid is named`() throws {
    let all = try drafts([
      TransactionDraft(coinId: "share", type: .buy, amount: 1, pricePerCoin: 100, date: Make.day(1))
    ])
    for (price, strayed) in [(Decimal(50), ["share"]), (60, []), (170, []), (1000, ["share"])] {
      let history = try ValueHistory(
        all, closes: ["share": [.init(day: Make.day(1), price: price)]], from: Make.day(1), to: Make.day(1))
      #expect(history.strayedCoins == strayed)
    }
  }
}
