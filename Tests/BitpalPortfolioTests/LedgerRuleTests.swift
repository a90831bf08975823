import BitpalModel
import Foundation
import Testing

@testable import BitpalPortfolio

@Suite struct `Rules of the ledger` {
  @Test func `A partial sale removes its share of the cost, rounded half-even at 18 places`() throws {
    let bookings = try PortfolioLedger.bookings([
      try Make.transaction(1, .buy, "3", "1"), try Make.transaction(2, .sell, "1", "2"),
      try Make.transaction(3, .sell, "1", "2"), try Make.transaction(4, .buy, "0.5", "3"),
      try Make.transaction(5, .sell, "0.7", "1"), try Make.transaction(6, .sell, "0.8", "1"),
    ])
    #expect(bookings[1].costRemoved?.plainText == "1")
    #expect(bookings.map(\.cost.plainText) == ["3", "2", "1", "2.5", "1.333333333333333333", "0"])
    #expect(bookings[5].costRemoved?.plainText == "1.333333333333333333")
    #expect(bookings[5].realized?.plainText == "-0.533333333333333333")
  }

  @Test(
    arguments: [
      // cost, sold, held, removed: computed with exact decimals. Ties go to the even digit.
      ("0.000000000000000001", "1", "2", "0"),
      ("0.000000000000000003", "1", "2", "0.000000000000000002"),
      ("0.000000000000000005", "1", "2", "0.000000000000000002"),
      ("0.00000000000000000100000001", "1", "2", "0.000000000000000001"),
      ("0.0000000000000000015", "1", "3", "0"),
      ("99999999999999999999", "1", "3", "33333333333333333333"),
      (
        "12345678901234567.123456789012345678", "0.3333333333333333333", "0.6666666666666666666",
        "6172839450617283.561728394506172839"
      ),
      ("7", "11111111111111111111.11111111111111111", "33333333333333333333.33333333333333333", "2.333333333333333333"),
      (
        "99999999999999999999.999999999999999999", "0.00000000000000000001", "99999999999999999.99999999999999999999",
        "0.00000000000000001"
      ),
      (
        "99999999999999999999.999999999999999999", "99999999999999999.99999999999999999998",
        "99999999999999999.99999999999999999999", "99999999999999999999.999999999999999989"
      ),
      ("0.00000000000000000000000000000000000001", "1", "3", "0"),
      ("2", "1", "3", "0.666666666666666667"),
      ("1", "0.9999999999999999999999999999999999999", "1", "1"),
    ])
  func `The share of a sale is right to the last digit`(
    cost: String, sold: String, held: String, removed: String
  ) throws {
    let parts = try [cost, sold, held].map { try #require(DecimalParts(Make.number($0))) }
    #expect(parts[0].portion(parts[1], of: parts[2])?.decimal?.plainText == removed)
  }

  @Test func `A position that reaches zero closes a cycle and the next buy starts a clean one`() throws {
    let ledger = try PortfolioLedger([
      try Make.transaction(1, .buy, "2", "100", fee: "1", date: Make.day(1)),
      try Make.transaction(2, .buy, "1", "130", date: Make.day(2)),
      try Make.transaction(3, .sell, "1", "200", fee: "2", date: Make.day(3)),
      try Make.transaction(4, .sell, "2", "50", date: Make.day(4)),
      try Make.transaction(5, .buy, "4", "7", fee: "0.5", date: Make.day(5)),
    ])
    let closed = try #require(ledger.closed.first)
    #expect(ledger.closed.count == 1)
    #expect(closed.id == Make.id(4))
    #expect(closed.totalQuantity == 3 && closed.totalCost == 330 && closed.avgCostPrice == 110)
    #expect(closed.avgSellPrice == 100 && closed.realizedPnL == -30)
    #expect(closed.realizedPnLPercentage?.plainText == "-9.090909090909090909")
    #expect(closed.fees == 3 && closed.openedDate == Make.day(1) && closed.closedDate == Make.day(4))
    let position = try #require(ledger.positions.first)
    #expect(position.totalAmount == 4 && position.totalCost == 28 && position.avgCost == 7)
    #expect(position.realizedPnL == 0 && position.removedCost == 0 && position.openedDate == Make.day(5))
    #expect(position.fees.plainText == "0.5")
  }

  @Test func `Transactions of one instant keep the order in which they were recorded`() throws {
    let buy = try Make.transaction(1, .buy, "1", "10")
    let sale = try Make.transaction(2, .sell, "1", "20")
    #expect(try PortfolioLedger([buy, sale]).closed.count == 1)
    #expect(throws: PortfolioError.self) { _ = try PortfolioLedger([sale, buy]) }
  }

  @Test func `A sum that does not fit is an error, never a rounded number`() throws {
    let digits = "12345678901234567890.12345678"
    #expect {
      _ = try PortfolioLedger([try Make.transaction(1, .buy, digits, digits)])
    } throws: { error in
      "\(error)" == "a total of bitcoin needs more than the 38 digits that a number holds"
    }
    #expect {
      _ = try PortfolioLedger([
        try Make.transaction(1, .buy, "1", "99999999999999999999"),
        try Make.transaction(2, .buy, "0.00000001", "0.000000000000000000000001"),
      ])
    } throws: { error in
      "\(error)" == "the cost of bitcoin needs more than the 38 digits that a number holds"
    }
  }

  @Test func `A product of 38 digits and zeros at its end is booked`() throws {
    let ledger = try PortfolioLedger([
      try Make.transaction(1, .buy, "7390198.64564157316646175", "58.36671245100232")
    ])
    #expect(ledger.positions.first?.totalCost.plainText == "431341599.30594849067900840778999544126")
  }

  @Test func `Only a value at today's price rounds, at 18 places, when 38 digits do not hold it`() throws {
    let amount = "123456789012.12345678"
    let ledger = try PortfolioLedger([try Make.transaction(1, .buy, amount, "0.01")])
    let portfolio = try Portfolio(
      ledger, quotes: ["bitcoin": try Make.quote("bitcoin", "0.00000000231462616972406812345")])
    #expect(portfolio.summary.totalValue?.plainText == "285.756314677563736869")
  }
}

@Suite struct `Changes are checked against every later transaction` {
  private func transactions() throws -> [Transaction] {
    [
      try Make.transaction(1, .buy, "1", "10", date: Make.day(1)),
      try Make.transaction(2, .buy, "1", "10", date: Make.day(2)),
      try Make.transaction(3, .sell, "1.5", "12", date: Make.day(3)),
    ]
  }

  private func refusal(_ change: TransactionChange) throws -> String {
    do {
      _ = try change.applied(to: try transactions(), now: Make.now)
      return "accepted"
    } catch {
      return "\(error)"
    }
  }

  @Test func `A sale of more than is held on its date is refused with what is held`() throws {
    let sale = try Make.transaction(9, .sell, "1.25", "1", date: Make.day(1))
    #expect(
      try refusal(.add(sale))
        == "cannot sell or send 1.25 bitcoin on 2025-01-01 00:00:00Z: only 1 is held then; \"all\" in place of the number takes what is held"
    )
    let other = try Make.transaction(9, .sell, "1", "1", coin: "pepe")
    #expect(try refusal(.add(other)) == "cannot sell or send 1 pepe on 2025-01-01 00:00:00Z: none is held then")
  }

  @Test func `A sale before a later one that needs the coins is refused with the later one`() throws {
    let sale = try Make.transaction(9, .sell, "1", "1", date: Make.day(2))
    #expect(
      try refusal(.add(sale))
        == "this would leave the 1.5 bitcoin that go out on 2025-01-03 00:00:00Z (3a000000) with only 1 held; "
        + "change or remove that transaction first")
  }

  @Test func `Editing or removing a buy that a later sale needs is refused`() throws {
    let smaller = try Make.transaction(1, .buy, "0.25", "10", date: Make.day(1))
    #expect(
      try refusal(.replace(smaller))
        == "this would leave the 1.5 bitcoin that go out on 2025-01-03 00:00:00Z (3a000000) with only 1.25 held; "
        + "change or remove that transaction first")
    let later = try Make.transaction(1, .buy, "1", "10", date: Make.day(4))
    #expect(try refusal(.replace(later)).hasSuffix("with only 1 held; change or remove that transaction first"))
    #expect(try refusal(.remove(Make.id(2))).hasSuffix("with only 1 held; change or remove that transaction first"))
  }

  @Test func `A buy may be moved to another coin only when nothing needs it`() throws {
    let other = try Make.transaction(2, .buy, "1", "10", coin: "pepe", date: Make.day(2))
    #expect(try refusal(.replace(other)).contains("with only 1 held"))
  }

  @Test func `Dates in the future and unknown ids are refused`() throws {
    let future = try Make.transaction(9, .buy, "1", "1", date: Make.now.adding(.milliseconds(1000)))
    #expect(
      try refusal(.add(future))
        == "the date 2025-01-15 10:30:01Z is in the future; it is 2025-01-15 10:30:00Z now")
    #expect(
      try refusal(.remove(Make.id(8)))
        == "no transaction \"8a000000-0000-8000-8000-000000000000\"; \"bitpal portfolio transactions\" lists them; "
        + "an id may be shortened to four digits")
    #expect(
      try refusal(.add(try transactions()[0])) == "a transaction 1a000000-0000-8000-8000-000000000000 is there already")
  }

  @Test(
    arguments: [
      ("0", "1", "0", "the amount must be above zero, not 0"),
      ("-1", "1", "0", "the amount must be above zero, not -1"),
      ("1", "0", "0", "the price must be above zero, not 0"), ("1", "-2", "0", "the price is below zero: -2"),
      ("1", "1", "-0.5", "the fee cannot be below zero, as -0.5 is"),
    ])
  func `Numbers that no transaction can have are refused`(
    amount: String, price: String, fee: String, message: String
  ) throws {
    do {
      _ = try Make.transaction(1, .buy, amount, price, fee: fee)
      Issue.record("accepted")
    } catch {
      #expect("\(error)" == message)
    }
  }
}
