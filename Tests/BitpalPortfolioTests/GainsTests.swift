import BitpalModel
import BitpalPortfolio
import Foundation
import Testing

@Suite struct `Gains agree with a calculation in another language` {
  private struct Vectors: Decodable, Sendable {
    struct Case: Decodable, Sendable {
      let ops: [[Field?]]
      let outcome: [String: Outcome]
    }

    struct Outcome: Decodable, Sendable {
      let gains: [[Field?]]
      let lots: [[Field?]]
      let sent: String
    }

    let cases: [Case]
  }

  /// A text or a number of the vectors.
  private enum Field: Decodable, Equatable, Sendable {
    case text(String)
    case number(Int64)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      self =
        if let text = try? container.decode(String.self) { .text(text) } else {
          .number(try container.decode(Int64.self))
        }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }

    var date: Date? { if case .number(let number) = self { Date(milliseconds: number) } else { nil } }

    static func of(_ date: Date?) -> Field? { date.map { .number($0.milliseconds) } }

    static func of(_ number: Decimal) -> Field? { .text(number.plainText) }
  }

  private static let vectors: [Vectors.Case] = {
    guard let url = Bundle.module.url(forResource: "gains", withExtension: "json", subdirectory: "Vectors"),
      let data = try? Data(contentsOf: url)
    else { return [] }
    return (try? JSONDecoder().decode(Vectors.self, from: data).cases) ?? []
  }()

  private static func transactions(_ operations: [[Field?]]) throws -> [Transaction] {
    try operations.enumerated().map { index, fields in
      try Make.transaction(
        index + 1, try #require(fields[0]?.text.flatMap(TransactionType.init(rawValue:))), fields[2]?.text ?? "",
        fields[3]?.text, coin: fields[1]?.text ?? "", fee: fields[4]?.text ?? "", date: fields[5]?.date)
    }
  }

  @Test func `There are vectors`() {
    #expect(Self.vectors.count == 40)
    #expect(Self.vectors.allSatisfy { $0.outcome.count == 4 })
  }

  @Test(arguments: vectors.indices, GainMethod.allCases)
  func `Every row, every lot and what was sent come out to the last digit`(index: Int, method: GainMethod) throws {
    let vector = Self.vectors[index]
    let expected = try #require(vector.outcome[method.rawValue])
    let gains = try Gains(Self.transactions(vector.ops), by: method)
    let rows = gains.rows.map { row -> [Field?] in
      [
        .text(row.coinId), .of(row.sold), .of(row.acquired), row.days.map { .number(Int64($0)) }, .of(row.quantity),
        .of(row.proceeds), .of(row.cost), .of(row.fee), .of(row.gain),
      ]
    }
    #expect(rows == expected.gains)
    #expect(
      gains.lots.map { [.text($0.coinId), .of($0.acquired), .of($0.quantity), .of($0.cost)] as [Field?] }
        == expected.lots)
    #expect(gains.sentCost.plainText == expected.sent)
  }

  @Test(arguments: vectors.indices, GainMethod.allCases)
  func `Bought is removed plus remaining, and a disposal is the sum of its rows, exactly`(
    index: Int, method: GainMethod
  ) throws {
    let transactions = try Self.transactions(Self.vectors[index].ops)
    let gains = try Gains(transactions, by: method)
    func value(_ transaction: Transaction) -> Decimal { transaction.amount * (transaction.pricePerCoin ?? 0) }
    let bought = transactions.filter(\.type.isIncoming)
    #expect(
      bought.reduce(0) { $0 + value($1) }
        == gains.rows.reduce(0) { $0 + $1.cost } + gains.lots.reduce(0) { $0 + $1.cost } + gains.sentCost)
    for coin in ["bitcoin", "ethereum"] {
      let own = transactions.filter { $0.coinId == coin }
      let left = own.reduce(0) { $0 + ($1.type.isIncoming ? $1.amount : -$1.amount) }
      #expect(gains.lots.filter { $0.coinId == coin }.reduce(0) { $0 + $1.quantity } == left)
    }
    for disposal in transactions where disposal.isDisposal {
      let rows = gains.rows.filter { $0.disposal == disposal.id }
      #expect(rows.reduce(0) { $0 + $1.quantity } == disposal.amount)
      #expect(rows.reduce(0) { $0 + $1.proceeds } == value(disposal))
      #expect(rows.reduce(0) { $0 + $1.fee } == disposal.fee)
      #expect(rows.allSatisfy { $0.gain == $0.proceeds - $0.cost - $0.fee && $0.proceeds >= 0 && $0.fee >= 0 })
    }
  }
}

@Suite struct `Gains by lots` {
  /// Three lots at 10, 30 and 20, then a sale of one and a half of them at 40 with a fee of 3.
  private func transactions() throws -> [Transaction] {
    try [
      Make.transaction(1, .buy, "1", "10", date: Make.day(1)), Make.transaction(2, .buy, "1", "30", date: Make.day(2)),
      Make.transaction(3, .buy, "1", "20", date: Make.day(3)),
      Make.transaction(4, .sell, "1.5", "40", fee: "3", date: Make.day(9)),
    ]
  }

  @Test(
    arguments: [
      (GainMethod.fifo, ["10", "15"], ["8", "7"]), (.lifo, ["20", "15"], ["6", "7"]),
      (.hifo, ["30", "10"], ["7", "6"]),
    ])
  func `FIFO, LIFO and HIFO sell the earliest, the latest and the most expensive lot first`(
    method: GainMethod, costs: [String], days: [String]
  ) throws {
    let gains = try Gains(transactions(), by: method)
    #expect(gains.rows.map(\.cost.plainText) == costs)
    #expect(gains.rows.map { $0.days.map(String.init) ?? "-" } == days)
    #expect(gains.rows.map(\.proceeds) == [40, 20] && gains.rows.map(\.fee) == [2, 1])
  }

  @Test func `A sale at the average cost is one row without a lot`() throws {
    let gains = try Gains(transactions(), by: .average)
    let row = try #require(gains.rows.first)
    #expect(gains.rows.count == 1 && row.acquired == nil && row.days == nil)
    #expect(row.cost == 30 && row.gain == 27)
    let lot = try #require(gains.lots.first)
    #expect(gains.lots.count == 1 && lot.acquired == nil && lot.quantity.plainText == "1.5" && lot.cost == 30)
  }

  @Test func `A year is that of the sale, by the clocks of the zone`() throws {
    let newYear = try #require(Date(utcText: "2024-12-31T23:30:00Z"))
    let gains = try Gains(
      [
        Make.transaction(1, .buy, "2", "10", date: newYear.adding(.seconds(-3600))),
        Make.transaction(2, .sell, "1", "11", date: newYear), Make.transaction(3, .sell, "1", "12", date: Make.day(3)),
      ], by: .fifo)
    #expect(try Gains.years(gains.rows).map(\.year) == [2024, 2025])
    #expect(try Gains.years(gains.rows).map(\.sums.gain) == [1, 2])
    #expect(try Gains.sums(gains.rows).gain == 3)
  }

  @Test func `A day without a time is that day in every zone`() throws {
    let zone = try #require(ClockZone(offset: "-05:00"))
    let newYear = try #require(Date(utcText: "2025-01-01"))
    let gains = try Gains(
      [
        Make.transaction(1, .buy, "2", "10", date: newYear.adding(.seconds(-7200))),
        Make.transaction(2, .sell, "1", "11", date: newYear),
        Make.transaction(3, .sell, "1", "12", date: newYear.adding(.seconds(3600))),
      ], by: .fifo)
    #expect(try Gains.years(gains.rows, zone: zone).map(\.year) == [2024, 2025])
    #expect(try Gains.years(gains.rows, zone: zone).map(\.sums.proceeds) == [12, 11])
  }

  @Test(arguments: GainMethod.allCases)
  func `More than is held is refused by every method`(method: GainMethod) throws {
    let transactions = try [Make.transaction(1, .buy, "1", "1"), Make.transaction(2, .sell, "2", "1")]
    #expect(throws: PortfolioError.self) { try Gains(transactions, by: method) }
  }

  @Test func `Many lots taken one by one leave the rest in order`() throws {
    var transactions = try (1...300).map { try Make.transaction($0, .buy, "1", String($0), date: Make.day(1)) }
    transactions += try (301...500).map { try Make.transaction($0, .sell, "1", "1", date: Make.day(2)) }
    let earliest = try Gains(transactions, by: .fifo)
    #expect(earliest.lots.map(\.cost) == (201...300).map { Decimal($0) })
    let dearest = try Gains(transactions, by: .hifo)
    #expect(dearest.rows.map(\.cost) == (101...300).reversed().map { Decimal($0) })
    #expect(dearest.lots.map(\.cost) == (1...100).map { Decimal($0) })
  }
}
