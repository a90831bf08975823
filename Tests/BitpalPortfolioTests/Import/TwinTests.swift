import BitpalModel
import BitpalPortfolio
import Foundation
import Testing

@Suite struct `The same thing in two files` {
  /// A time on 3 January 2025.
  private func time(_ hour: Int, _ minute: Int, _ second: Int = 0) -> Date {
    Make.day(3).adding(.seconds(hour * 3600 + minute * 60 + second))
  }

  private func rows(_ transactions: [Transaction]) -> [ImportedTransaction] {
    transactions.enumerated().map {
      ImportedTransaction(transaction: $1, line: $0 + 2, hasOwnID: false, currency: "usd")
    }
  }

  private func twins(_ new: [Transaction], _ stored: [Transaction]) -> [[Int]] {
    CutTimes.twins(of: rows(new), in: stored).map { twin in
      [twin.row.line, stored.firstIndex { $0.id == twin.stored.id } ?? -1]
    }
  }

  @Test func `The same amount in the same minute, once with seconds and once without, is found in either order`() throws
  {
    let exact = try Make.transaction(1, .buy, "0.5", "10", date: time(8, 30, 27))
    let cut = try Make.transaction(2, .buy, "0.5", "10", date: time(8, 30))
    #expect(twins([cut], [exact]) == [[2, 0]] && twins([exact], [cut]) == [[2, 0]])
    let roundedUp = try Make.transaction(2, .buy, "0.5", "10", date: time(8, 31))
    #expect(twins([roundedUp], [exact]) == [[2, 0]] && twins([exact], [roundedUp]) == [[2, 0]])
    #expect(twins([cut, try Make.transaction(3, .buy, "0.5", "10", date: time(8, 30))], [exact]) == [[2, 0]])
  }

  @Test func `Fills of a minute are found in their sum`() throws {
    let fills = [
      try Make.transaction(1, .buy, "0.5", "10", date: time(8, 30, 7)),
      try Make.transaction(2, .buy, "0.25", "10", date: time(8, 30, 41)),
    ]
    let sum = try Make.transaction(3, .buy, "0.75", "10", date: time(8, 30))
    #expect(twins([sum], fills) == [[2, 0]] && twins(fills, [sum]) == [[2, 0], [3, 0]])
    let roundedUp = try Make.transaction(3, .buy, "0.75", "10", date: time(8, 31))
    #expect(twins([roundedUp], fills) == [[2, 0]] && twins(fills, [roundedUp]) == [[2, 0], [3, 0]])
  }

  @Test func `An order is known by its fills, and refused where they come to another amount`() throws {
    func make(_ number: Int, _ amount: String, _ notes: String, second: Int) throws -> Transaction {
      try Make.transaction(number, .buy, amount, "10", date: time(8, 30, second), notes: notes)
    }
    let fills = [
      try make(1, "0.5", "fill of order 7", second: 1), try make(2, "0.25", "fill of order 7", second: 9),
    ]
    let whole = try make(3, "0.75", "all of order 7", second: 9)
    func new(_ rows: [Transaction], _ stored: [Transaction]) -> Int {
      TransactionStore.new(self.rows(rows), beside: stored, Set(stored.map(\.id))).count
    }
    func line(_ rows: [Transaction], _ stored: [Transaction]) -> Int? {
      ImportedOrder.contradiction(of: self.rows(rows), in: stored)?.row.line
    }
    #expect(new([whole], fills) == 0 && new(fills, [whole]) == 0 && line([whole], fills) == nil)
    #expect(new(fills, [fills[0]]) == 1 && line(fills, [fills[0]]) == nil)
    let equal = try make(5, "0.5", "fill of order 7", second: 20)
    let sum = try make(6, "0.75", "fill of order 7", second: 30)
    #expect(new([equal], [fills[0]]) == 1 && new([sum], fills) == 1 && new([whole], [whole]) == 0)
    #expect(line([whole], [fills[0]]) == 2 && line([fills[1]], [whole]) == 2)
    #expect(line([try make(4, "0.5", "all of order 7", second: 1)], [whole]) == 2)
    #expect(line([try make(5, "0.5", "all of order 8", second: 1)], [whole]) == nil)
  }

  @Test func `Other seconds, minutes, coins, types and days are others`() throws {
    let exact = try Make.transaction(1, .buy, "0.5", "10", date: time(8, 30, 27))
    for other in [
      try Make.transaction(2, .buy, "0.5", "10", date: time(8, 30, 28)),
      try Make.transaction(2, .buy, "0.5", "10", date: time(8, 32)),
      try Make.transaction(2, .buy, "0.5", "10", coin: "ethereum", date: time(8, 30)),
      try Make.transaction(2, .receive, "0.5", "10", date: time(8, 30)),
      try Make.transaction(2, .buy, "0.4", "10", date: time(8, 30)),
    ] {
      #expect(twins([other], [exact]).isEmpty, "\(other)")
    }
  }

  @Test func `The same amount on one day, once without a time, is found in either order, in the zone that is chosen`()
    throws
  {
    let day = try Make.transaction(3, .buy, "0.5", "10", date: Make.day(3))
    let timed = try Make.transaction(1, .buy, "0.5", "10", date: time(2, 0, 27))
    #expect(twins([day], [timed]) == [[2, 0]] && twins([timed], [day]) == [[2, 0]])
    #expect(twins([day, try Make.transaction(4, .buy, "0.5", "10", date: Make.day(3))], [timed]) == [[2, 0]])
    #expect(twins([day], [try Make.transaction(1, .buy, "0.4", "10", date: time(2, 0))]).isEmpty)
    #expect(twins([try Make.transaction(3, .buy, "0.5", "10", date: Make.day(2))], [timed]).isEmpty)
    let west = try #require(ClockZone(offset: "-05:00"))
    #expect(CutTimes.twins(of: rows([day]), in: [timed], zone: west).isEmpty)
  }

  @Test func `Transactions that are stored at other hours, and later ones, are an import in another zone`() throws {
    func shifted(_ hours: [Int], _ amounts: [String]) throws -> String? {
      let stored = try (0...2).map { try Make.transaction($0 + 1, .buy, "0.\($0 + 1)", "10", date: time(8 + $0, 0, 7)) }
      let new = try zip(hours, amounts).enumerated().map {
        try Make.transaction($0 + 5, .buy, $1.1, "10", date: time($1.0, 0, 7))
      }
      return ShiftedImport(rows(new)) { _ in stored }?.reason(add: "--add")
    }
    let all = try #require(try shifted([7, 8, 9], ["0.1", "0.2", "0.3"]))
    #expect(
      all.hasPrefix("its 3 transactions are there already, 1 h later") && all.contains("--add records these too"))
    #expect(try shifted([7, 8, 9, 12], ["0.1", "0.2", "0.3", "0.4"])?.hasPrefix("3 of its 4 transactions") == true)
    // An earlier row, and one of another file's day, are new; a third of others and a single row show no other zone.
    #expect(try shifted([5, 7, 8, 9], ["0.9", "0.1", "0.2", "0.3"])?.hasPrefix("3 of its 4 transactions") == true)
    #expect(try shifted([7, 8, 9], ["0.1", "0.4", "0.3"]) == nil)
    #expect(try shifted([7, 9, 9], ["0.1", "0.2", "0.3"]) == nil && shifted([7, 12], ["0.1", "0.4"]) == nil)
  }

  @Test func `Transactions that are stored under a coin that the file lacks are those of another map`() throws {
    func other(_ amounts: [String], _ hours: [Int] = [8, 9]) throws -> Int? {
      let stored = try [8, 9].map {
        try Make.transaction($0, .receive, "0.\($0)", "10", coin: "old", date: time($0, 0, 7))
      }
      let new = try zip(hours, amounts).map {
        try Make.transaction($0, .receive, $1, "20", coin: "new", date: time($0, 0, 7))
      }
      return ShiftedImport.otherCoin(of: rows(new), in: stored)?.count
    }
    #expect(try other(["0.8", "0.9"]) == 2 && other(["0.8", "0.9", "7"], [8, 9, 12]) == 2)
    // One receipt alone, another amount and another hour prove nothing.
    #expect(try other(["0.8"]) == nil && other(["0.8", "0.7"]) == nil && other(["0.8", "0.9"], [8, 10]) == nil)
  }

  @Test func `A transfer that came in soon after the same coins went out is a pair`() throws {
    func pairs(_ received: String, after seconds: Int, label: TransactionLabel = .transfer, new: Int = 2) throws -> Int
    {
      let sent = try Make.transaction(1, .send, "1", nil, date: time(8, 0), label: .transfer)
      let came = try Make.transaction(
        2, .receive, received, "5", date: time(8, 0).adding(.seconds(seconds)), label: label)
      return OwnTransfer.pairs(in: [came, sent], new: [Make.id(new)]).count
    }
    #expect(try pairs("1", after: 600) == 1 && pairs("0.98", after: 600) == 1 && pairs("1", after: 600, new: 1) == 1)
    #expect(try pairs("1", after: -600) == 1, "the clocks of two exchanges differ")
    #expect(try pairs("1.01", after: 600) == 0 && pairs("0.97", after: 600) == 0)
    #expect(try pairs("1", after: 4 * 86_400) == 0 && pairs("1", after: -7200) == 0)
    #expect(try pairs("1", after: 600, label: .reward) == 0 && pairs("1", after: 600, new: 3) == 0)
  }

  @Test func `Each of two equal transfers is in one pair`() throws {
    let sent = try (1...2).map { try Make.transaction($0, .send, "1", nil, date: time(8, $0), label: .transfer) }
    let came = try (3...4).map { try Make.transaction($0, .receive, "1", "5", date: time(9, $0), label: .transfer) }
    let pairs = OwnTransfer.pairs(in: sent + came, new: Set(came.map(\.id)))
    #expect(pairs.map(\.sent) == sent && pairs.map(\.received) == came)
  }
}
