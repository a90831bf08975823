import BitpalModel
import BitpalPortfolio
import Foundation
import TestSupport
import Testing

@Suite struct `Returns of a portfolio` {
  /// A history over all the days of which there are closes of bitcoin.
  private func returns(
    _ transactions: [Transaction], _ closes: [String], from first: Int = 1, to last: Int? = nil
  ) throws -> Returns {
    let history = try ValueHistory(
      transactions, closes: ["bitcoin": try Make.closes(from: 1, closes)], from: Make.day(first - 1),
      to: Make.day(closes.count))
    return try #require(try Returns(history, from: Make.day(first), to: Make.day(last ?? closes.count)))
  }

  @Test func `A coin that is only held returns what its price does`() throws {
    let returns = try returns([try Make.transaction(1, .buy, "2", "100")], ["100", "90", "150"])
    #expect(returns.days == 3 && returns.startValue == 0 && returns.endValue == 300)
    #expect(returns.inflow == 200 && returns.outflow == 0 && returns.gain == 100)
    #expect(returns.timeWeighted?.overall == 50 && returns.moneyWeighted?.overall == 50)
    #expect(returns.timeWeighted?.yearly == nil, "nothing follows from three days for a year")
  }

  @Test func `The yearly return of 365 days is itself, that of two years their root`() throws {
    let buy = try Make.transaction(1, .buy, "1", "100")
    let one = try returns([buy], Array(repeating: "100", count: 364) + ["121"])
    #expect(one.days == 365)
    #expect(one.timeWeighted == one.moneyWeighted && one.timeWeighted?.overall == 21 && one.timeWeighted?.yearly == 21)
    let two = try returns([buy], Array(repeating: "100", count: 729) + ["121"])
    #expect(two.timeWeighted?.overall == 21 && two.timeWeighted?.yearly == 10 && two.moneyWeighted?.yearly == 10)
  }

  @Test func `When money came in does not change the time-weighted return, but the money-weighted one`() throws {
    // Up by half, then down to where it was: who came late lost.
    let closes = ["100", "150", "100"]
    let early = try returns([try Make.transaction(1, .buy, "1", "100")], closes)
    #expect(early.timeWeighted?.overall == 0 && early.moneyWeighted?.overall == 0)
    let late = try returns(
      [
        try Make.transaction(1, .buy, "1", "100"), try Make.transaction(2, .buy, "9", "150", date: Make.day(2)),
      ], closes)
    #expect(late.timeWeighted?.overall == 0 && late.gain == -450)
    #expect(try #require(late.moneyWeighted).overall < -30)
  }

  @Test func `Fees lessen what was returned`() throws {
    let returns = try returns(
      [
        try Make.transaction(1, .buy, "1", "100", fee: "25"),
        try Make.transaction(2, .sell, "1", "150", fee: "0.5", date: Make.day(3)),
      ], ["100", "90", "150"])
    #expect(try returns.inflow == 125 && returns.outflow == Make.number("149.5") && returns.endValue == 0)
    #expect(try returns.timeWeighted?.overall == Make.number("19.6") && returns.gain == Make.number("24.5"))
  }

  @Test func `Rewards are returns; gifts and transfers are payments at the close of their day`() throws {
    let buy = try Make.transaction(1, .buy, "1", "100")
    func with(_ label: TransactionLabel, _ type: TransactionType = .receive, price: String? = "0") throws -> Returns {
      try returns(
        [buy, try Make.transaction(2, type, "0.5", price, date: Make.day(2), label: label)], ["100", "100", "100"])
    }
    for label in [TransactionLabel.reward, .airdrop, .interest] {
      #expect(try with(label).timeWeighted?.overall == 50 && with(label).inflow == 100)
    }
    #expect(try with(.gift).timeWeighted?.overall == 0 && with(.gift).inflow == 150)
    #expect(try with(.fee, .send, price: nil).timeWeighted?.overall == -50)
    #expect(try with(.lost, .send, price: nil).timeWeighted?.overall == -50)
    #expect(try with(.transfer, .send, price: nil).outflow == 50)
    #expect(try with(.transfer, .send, price: nil).timeWeighted?.overall == 0)
  }

  @Test func `Days with nothing held do not count, and a sale of everything on the first day has its own`() throws {
    let buy = try Make.transaction(1, .buy, "1", "100")
    let sold = try returns(
      [buy, try Make.transaction(2, .sell, "1", "105", date: Make.day(11))], Array(repeating: "100", count: 500))
    #expect(sold.heldDays == 10 && sold.timeWeighted?.overall == 5 && sold.moneyWeighted?.overall == 5)
    #expect(sold.timeWeighted?.yearly == nil && sold.moneyWeighted?.yearly == nil)
    let first = try returns(
      [buy, try Make.transaction(2, .sell, "1", "86", date: Make.day(11))], Array(repeating: "100", count: 500),
      from: 11)
    #expect(first.timeWeighted?.overall == -14 && first.moneyWeighted?.overall == -14)
    let intraday = try returns([buy, try Make.transaction(2, .sell, "1", "110")], ["100", "100"])
    #expect(intraday.timeWeighted?.overall == 10 && intraday.moneyWeighted == nil && !intraday.hasSeveralRates)
  }

  @Test func `One purchase or one sale returns the same by time and by money`() throws {
    let closes = (0..<40).map { String(100 + $0 * 7 % 23) }
    for day in [1, 5, 20, 40] {
      let bought = try returns([try Make.transaction(1, .buy, "2", "90", date: Make.day(day))], closes)
      #expect(bought.timeWeighted?.overall == bought.moneyWeighted?.overall, "bought on day \(day)")
      guard day > 1 else { continue }
      let sold = try returns(
        [
          try Make.transaction(1, .buy, "2", "100"),
          try Make.transaction(2, .sell, "2", "80", date: Make.day(day)),
        ], closes, from: 2)
      #expect(
        try abs(#require(sold.timeWeighted).overall - #require(sold.moneyWeighted).overall) < Make.number("0.00001"),
        "sold on day \(day)")
    }
  }

  @Test func `Several rates are none, and one is found among many changes of direction`() throws {
    // -1000, +2500, -1540 and 2 left: -89.2 %, 9.5 % and 40.3 % a year.
    func returns(_ amounts: [(Int, TransactionType, String, String)], _ last: Int) throws -> Returns {
      try self.returns(
        amounts.enumerated().map { try Make.transaction($0 + 1, $1.1, $1.2, $1.3, date: Make.day($1.0)) },
        Array(repeating: "100", count: last))
    }
    let several = try returns(
      [(1, .buy, "10", "100"), (366, .sell, "9.99", "250.25"), (731, .buy, "0.01", "154000")], 1790)
    #expect(several.moneyWeighted == nil && several.hasSeveralRates)
    let one = try returns(
      [(1, .buy, "10", "100"), (200, .sell, "5", "110"), (300, .buy, "5", "90"), (400, .sell, "2", "100")], 500)
    #expect(one.moneyWeighted != nil && !one.hasSeveralRates)
  }

  @Test func `A swap moves nothing in or out`() throws {
    let transactions = [
      try Make.transaction(1, .buy, "1", "100"),
      try Make.transaction(2, .sell, "1", "100", date: Make.day(2), label: .swap, group: "swap"),
      try Make.transaction(3, .buy, "4", "25", coin: "ethereum", date: Make.day(2), label: .swap, group: "swap"),
    ]
    func returns(_ closes: [String: [Resampling.DailyClose]]) throws -> Returns? {
      try Returns(
        try ValueHistory(transactions, closes: closes, from: Make.day(1), to: Make.day(3)), from: Make.day(1),
        to: Make.day(3))
    }
    let bitcoin = try Make.closes(from: 1, ["100", "100", "100"])
    let ethereum = try Make.closes(from: 1, ["25", "25", "50"])
    let both = try #require(try returns(["bitcoin": bitcoin, "ethereum": ethereum]))
    #expect(both.inflow == 100 && both.outflow == 0 && both.timeWeighted?.overall == 100)
    // Swapped for what nobody knows the worth of, it went out.
    let one = try #require(try returns(["bitcoin": bitcoin]))
    #expect(one.inflow == 100 && one.outflow == 100 && one.gain == 0)
  }

  @Test func `Days in the middle begin with the close before them`() throws {
    let returns = try returns(
      [try Make.transaction(1, .buy, "1", "100")], ["100", "200", "300", "450"], from: 3, to: 3)
    #expect(returns.from == Make.day(3) && returns.to == Make.day(3) && returns.days == 1)
    #expect(returns.startValue == 200 && returns.endValue == 300 && returns.inflow == 0)
    #expect(returns.timeWeighted?.overall == 50 && returns.moneyWeighted?.overall == 50)
  }

  @Test func `After days with nothing held the return goes on from where it was`() throws {
    let returns = try returns(
      [
        try Make.transaction(1, .buy, "1", "100"), try Make.transaction(2, .sell, "1", "200", date: Make.day(2)),
        try Make.transaction(3, .buy, "1", "50", date: Make.day(4)),
      ], ["100", "200", "50", "50", "75"])
    #expect(returns.timeWeighted?.overall == 200)
  }

  @Test func `Money that was paid shortly before the first close counts`() throws {
    let transactions = [
      try Make.transaction(1, .buy, "1", "10"),
      try Make.transaction(2, .buy, "1", "10", coin: "ethereum"),
    ]
    let history = try ValueHistory(
      transactions,
      closes: [
        "bitcoin": try Make.closes(from: 1, ["10", "20", "30", "60"]),
        "ethereum": try Make.closes(from: 3, ["70", "140"]),
      ], from: Make.day(1), to: Make.day(4))
    let returns = try #require(try Returns(history, from: Make.day(1), to: Make.day(4)))
    #expect(returns.from == Make.day(3) && returns.startValue == 0 && returns.inflow == 20)
    #expect(returns.timeWeighted?.overall == 900 && returns.gain == 180)
  }

  @Test func `A loss of everything is a hundred percent, and no more`() throws {
    let returns = try returns([try Make.transaction(1, .buy, "1", "100")], ["100", "50", "0"])
    #expect(returns.timeWeighted?.overall == -100 && returns.moneyWeighted?.overall == -100)
  }

  @Test func `The money-weighted return of a spreadsheet's manual`() throws {
    // -10,000 on 2008-01-01, then 2,750, 4,250, 3,250, 2,750: 37.336253 % a year in the manual of XIRR.
    func date(_ text: String) throws -> Date { try #require(Date(utcText: text)) }
    func coin(_ number: Int, _ type: TransactionType, _ amount: String, _ price: String, _ day: String) throws
      -> Transaction
    { try Make.transaction(number, type, amount, price, date: date(day)) }
    let transactions = [
      try coin(1, .buy, "10000", "1", "2008-01-01"), try coin(2, .sell, "2750", "1", "2008-03-01"),
      try coin(3, .sell, "4250", "1", "2008-10-30"), try coin(4, .sell, "2000", "1.625", "2009-02-15"),
      try coin(5, .sell, "1000", "2.75", "2009-04-01"),
    ]
    let first = try date("2008-01-01")
    let closes = (0..<457).map { Resampling.DailyClose(day: first.adding(.seconds(86_400 * $0)), price: 1) }
    let history = try ValueHistory(transactions, closes: ["bitcoin": closes], from: first, to: try date("2009-04-01"))
    let returns = try #require(try Returns(history, from: first, to: try date("2009-04-01")))
    #expect(returns.gain == 3000)
    #expect(try returns.moneyWeighted?.yearly == Make.number("37.336253"))
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func `Years multiply to the whole, and gains add up to it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var price = 1000
    let closes = (0..<800).map { day -> String in
      price = max(1, price + Int.random(in: -60...61, using: &random))
      return String(price)
    }
    var transactions = [try Make.transaction(1, .buy, "5", closes[0])]
    for number in 2...60 {
      let day = number * 13
      let isSale = Int.random(in: 0..<3, using: &random) == 0
      transactions.append(
        try Make.transaction(
          number, isSale ? .sell : .buy, isSale ? "0.01" : "0.5", closes[day - 1], fee: "0.3", date: Make.day(day)))
    }
    let history = try ValueHistory(
      transactions, closes: ["bitcoin": try Make.closes(from: 1, closes)], from: Make.day(1), to: Make.day(800))
    let whole = try #require(try Returns(history, from: Make.day(1), to: Make.day(800)))
    let parts = try [(1, 365), (366, 730), (731, 800)].map { first, last in
      try #require(try Returns(history, from: Make.day(first), to: Make.day(last)))
    }
    #expect(parts.map(\.gain).reduce(0, +) == whole.gain)
    let growth = parts.compactMap(\.timeWeighted).map { 1 + $0.overall / 100 }.reduce(1, *)
    let overall = try #require(whole.timeWeighted).overall
    #expect(try abs((growth - 1) * 100 - overall) < Make.number("0.0001"))
    // The rate explains every payment: reckoned again in floating point.
    let rate = try #require(whole.moneyWeighted?.overall)
    let daily = pow(1 + (rate as NSDecimalNumber).doubleValue / 100, 1.0 / 800)
    var balance = 0.0
    for transaction in transactions {
      let days = 800 - transaction.date.since(Make.day(1)).components.seconds / 86_400
      let worth = (transaction.amount * (transaction.pricePerCoin ?? 0) as NSDecimalNumber).doubleValue
      let fee = (transaction.fee as NSDecimalNumber).doubleValue
      let money = transaction.type == .buy ? worth + fee : fee - worth
      balance += money * pow(daily, Double(days))
    }
    let end = (whole.endValue as NSDecimalNumber).doubleValue
    #expect(abs(balance - end) < 1e-7 * max(1, end))
  }
}
