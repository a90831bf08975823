import BitpalModel
import BitpalPortfolio
import Foundation
import Testing

@Suite struct `Value of a portfolio day by day` {
  @Test func `A day is what is held at its end, at its close, and what that had cost`() throws {
    let history = try ValueHistory(
      [
        try Make.transaction(1, .buy, "2", "100", fee: "5", date: Make.day(2)),
        try Make.transaction(2, .sell, "1", "130", date: Make.day(4).adding(.seconds(86_399))),
      ], closes: ["bitcoin": try Make.closes(from: 1, ["90", "110", "120", "140", "150"])], from: Make.day(1),
      to: Make.day(5))
    #expect(history.days.map(\.day) == [2, 3, 4, 5].map(Make.day))
    #expect(history.days.map(\.value) == [220, 240, 140, 150])
    #expect(history.days.map(\.cost) == [200, 200, 100, 100])
    #expect(history.days.map(\.isOpening) == [true, false, false, false])
    #expect(history.unknownCoins == [] && history.daysWithoutValue == 0)
  }

  @Test func `Values are exact to the last digit`() throws {
    let history = try ValueHistory(
      [try Make.transaction(1, .buy, "0.123456789012345678", "3", date: Make.day(1))],
      closes: ["bitcoin": try Make.closes(from: 1, ["97000.000000000001"])], from: Make.day(1), to: Make.day(1))
    #expect(history.days.first?.value.plainText == "11975.308534197530889456789012345678")
  }

  @Test func `A close stands for a week of days without one, and then the days have no value`() throws {
    let closes = [
      Resampling.DailyClose(day: Make.day(1), price: 10), Resampling.DailyClose(day: Make.day(12), price: 20),
    ]
    let history = try ValueHistory(
      [try Make.transaction(1, .buy, "1", "9", date: Make.day(1))], closes: ["bitcoin": closes], from: Make.day(1),
      to: Make.day(12))
    #expect(history.days.map(\.day) == [1, 2, 3, 4, 5, 6, 7, 8, 12].map(Make.day))
    #expect(history.days.map(\.value) == Array(repeating: 10, count: 8) + [20])
    #expect(history.daysWithoutValue == 3)
  }

  @Test func `A close before the first day stands for it too`() throws {
    let history = try ValueHistory(
      [try Make.transaction(1, .buy, "1", "9", date: Make.day(1))],
      closes: ["bitcoin": [Resampling.DailyClose(day: Make.day(3), price: 10)]], from: Make.day(5), to: Make.day(6))
    #expect(history.days.map(\.day) == [5, 6].map(Make.day) && history.days.map(\.value) == [10, 10])
  }

  @Test func `A history begins where every coin that is held has a close`() throws {
    let history = try ValueHistory(
      [
        try Make.transaction(1, .buy, "1", "9", date: Make.day(1)),
        try Make.transaction(2, .buy, "1", "9", coin: "ethereum", date: Make.day(1)),
      ],
      closes: ["bitcoin": try Make.closes(from: 1, ["1", "2", "3"]), "ethereum": try Make.closes(from: 3, ["10"])],
      from: Make.day(1), to: Make.day(3))
    #expect(history.days.map(\.value) == [13])
    #expect(history.days.first?.isOpening == true && history.daysWithoutValue == 0)
  }

  @Test func `A coin without closes is in no figure, and named while it is held`() throws {
    let transactions = [
      try Make.transaction(1, .buy, "1", "9", date: Make.day(1)),
      try Make.transaction(2, .buy, "7", "5", coin: "pepe", date: Make.day(1)),
      try Make.transaction(3, .sell, "7", "5", coin: "pepe", date: Make.day(2)),
    ]
    let closes = ["bitcoin": try Make.closes(from: 1, ["1", "2", "3"])]
    let whole = try ValueHistory(transactions, closes: closes, from: Make.day(1), to: Make.day(3))
    #expect(whole.days.map(\.value) == [1, 2, 3] && whole.days.map(\.cost) == [9, 9, 9])
    #expect(whole.unknownCoins == ["pepe"])
    #expect(try ValueHistory(transactions, closes: closes, from: Make.day(3), to: Make.day(3)).unknownCoins == [])
  }

  @Test func `Nothing gives nothing`() throws {
    let none = try ValueHistory([], closes: [:], from: Make.day(1), to: Make.day(9))
    #expect(none.days.isEmpty)
    #expect(try Returns(none, from: Make.day(1), to: Make.day(9)) == nil)
  }
}

extension Make {
  /// Closes of days of January 2025 and on, one after the other.
  static func closes(from first: Int, _ prices: [String]) throws -> [Resampling.DailyClose] {
    try prices.enumerated().map { .init(day: day(first + $0), price: try number($1)) }
  }
}
