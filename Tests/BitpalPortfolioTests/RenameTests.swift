import BitpalModel
import Foundation
import Testing

@testable import BitpalPortfolio

@Suite struct `A coin that replaces another` {
  private func half(
    _ number: Int, _ type: TransactionType, _ amount: String, _ coin: String, group: String? = "g",
    price: Decimal? = nil,
    on date: Date = Make.day(5)
  ) throws -> Transaction {
    try Transaction(
      validating: UUID(uuidString: "00000000-0000-8000-8000-00000000\(1000 + number)") ?? UUID(), coinId: coin,
      type: type,
      amount: try Decimal(strict: amount), pricePerCoin: price ?? (type == .receive ? 0 : nil), date: date,
      label: .rename, group: group)
  }

  /// 60 old coins for 60 and 40 for 80, and 10 new ones for 50 between them; then 80 of the old become 160 new ones.
  private func transactions() throws -> [Transaction] {
    try [
      Make.transaction(1, .buy, "60", "1", coin: "old", date: Make.day(1)),
      Make.transaction(2, .buy, "10", "5", coin: "new", date: Make.day(2)),
      Make.transaction(3, .buy, "40", "2", coin: "old", date: Make.day(3)), half(4, .send, "80", "old"),
      half(5, .receive, "160", "new"), Make.transaction(6, .sell, "170", "2", coin: "new", date: Make.day(6)),
    ]
  }

  @Test(
    arguments: zip(
      [GainMethod.fifo, .lifo, .hifo, .average],
      [
        [("01", "120", "60"), ("02", "10", "50"), ("03", "40", "40")],
        [("03", "80", "80"), ("02", "10", "50"), ("01", "80", "40")],
        [("02", "10", "50"), ("03", "80", "80"), ("01", "80", "40")], [("-", "170", "162")],
      ]))
  func `Cost and time of each lot move along, and nothing is gained`(
    method: GainMethod, rows: [(day: String, quantity: String, cost: String)]
  ) throws {
    let gains = try Gains(transactions(), by: method)
    let found = gains.rows.map {
      ($0.acquired.map { String($0.dayText.suffix(2)) } ?? "-", $0.quantity.plainText, $0.cost.plainText)
    }
    #expect(found.elementsEqual(rows) { $0 == $1 }, "\(found)")
    #expect(gains.rows.allSatisfy { $0.coinId == "new" } && gains.sentCost == 0)
    let rest = try #require(gains.lots.first)
    let sold = try Gains.sums(gains.rows).cost
    #expect(gains.lots.count == 1 && rest.coinId == "old" && rest.cost + sold == 190)
  }

  @Test func `The ledger books the moved cost, at the average`() throws {
    let all = try transactions()
    let bookings = try PortfolioLedger.bookings(all)
    #expect(
      bookings.map(\.cost) == [60, 50, 140, 28, 162, 0] && bookings.map(\.realized) == [nil, nil, nil, nil, nil, 178])
    let open = try PortfolioLedger(Array(all.dropLast())).positions
    #expect(open.map(\.coinId) == ["new", "old"] && open[0].openedDate == Make.day(1) && open[0].totalCost == 162)
    #expect(try PortfolioLedger.held([all[1], all[4]]) == 170)
    let flows = CashFlows(all, of: ["old", "new"])
    for transaction in all[3...4] {
      if case .money(let money) = try flows.flow(of: transaction) {
        #expect(money.isZero)
      } else {
        Issue.record("a payment")
      }
    }
  }

  @Test func `Coins that replace nothing are refused by all sums, whatever is missing`() throws {
    let all = try transactions()
    let broken: [[Transaction]] = try [
      [all[0], all[4]], [all[0], all[4], all[3]], [all[0], all[3], half(5, .receive, "1", "new", group: "other")],
      [all[0], half(4, .send, "1", "old", group: nil)],
    ]
    for transactions in broken {
      #expect(throws: PortfolioError.self) { try PortfolioLedger(transactions) }
    }
    for transactions in broken.prefix(3) { #expect(throws: PortfolioError.self) { try Gains(transactions, by: .fifo) } }
    #expect(throws: PortfolioError.unpairedRename("new", date: Make.day(5))) {
      try half(5, .receive, "1", "new", price: 1)
    }
  }

  @Test func `Shares that do not divide leave their rest with the last lot`() throws {
    var all = try (1...3).map { try Make.transaction($0, .buy, "1", "1", coin: "old", date: Make.day($0)) }
    all += try [half(4, .send, "3", "old"), half(5, .receive, "1", "new")]
    let gains = try Gains(all, by: .fifo)
    #expect(gains.lots.map(\.quantity).reduce(0, +) == 1 && gains.lots.map(\.cost) == [1, 1, 1])
    #expect(gains.lots.map { $0.acquired } == [Make.day(1), Make.day(2), Make.day(3)])
  }
}
