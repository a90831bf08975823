import BitpalModel
import BitpalPortfolio
import Foundation
import Testing

@Suite struct `Values that a file does not state` {
  private let reward = "2024-01-03,,,2,SOL,,,,,reward,,"
  private let swap = "2024-01-04,1,ETH,0.05,BTC,,,,,,,"

  private func options(
    _ rule: MissingValuePolicy? = nil, price: Decimal? = nil, prices: [String: Decimal] = [:]
  ) -> ImportOptions {
    var options = Reading.options(value: rule)
    options.price = price
    options.prices = prices
    return options
  }

  private func words(_ options: ImportOptions, _ rows: String...) throws -> [String] {
    try Reading.words(Reading.transactions(rows[0], rows.count > 1 ? rows[1] : "", options: options))
  }

  @Test func `A price is of one coin, and one for a coin goes before the general rule`() throws {
    #expect(try words(options(price: 95), reward) == ["receive 2 sol @95 reward"])
    #expect(throws: (any Error).self, "the price does not say which coin of the exchange it is for") {
      try words(options(price: 95), reward, swap)
    }
    #expect(
      try words(options(.zero, prices: ["ETH": 2300]), reward, swap) == [
        "receive 2 sol @0 reward", "sell 1 eth @2300 swap", "buy 0.05 btc @46000 swap",
      ])
  }

  @Test func `A transaction without a value can be skipped, both halves of a swap together`() throws {
    #expect(try words(options(.skip, prices: ["SOL": 95]), reward, swap) == ["receive 2 sol @95 reward"])
    let sheet = try Reading.sheet(
      Array("\(Reading.header)\n\(reward)\n\(swap)\n".utf8), by: Reading.specification(), options(.skip))
    #expect(sheet.skipped([:]) == 2)
  }

  @Test func `A swap at zero and a day without a close say what to do instead, and not each other`() throws {
    let zero = try Reading.faults(swap, options: options(.zero))
    #expect(zero.count == 1 && zero[0].contains("--value ETH=PRICE") && zero[0].contains("--value skip"))
    #expect(!zero[0].contains("close"))
    let close = try Reading.faults(reward, options: options(.close))
    #expect(
      close == [
        "2:16: no source has the close of sol on 2024-01-03; --value SOL=PRICE says what one was worth, --value skip leaves it out"
      ])
  }

  @Test func `The reason why a close is missing stands with the row`() throws {
    let sheet = try Reading.sheet(
      Array("\(Reading.header)\n\(reward)\n".utf8), by: Reading.specification(), options(.close))
    do {
      _ = try sheet.transactions(
        ids: ["SOL": "solana"], reasons: ["solana": "the closes of coingecko begin on 2025-01-01"])
      Issue.record("accepted")
    } catch let error {
      #expect(
        error.issues.first?.message.contains("on 2024-01-03: the closes of coingecko begin on 2025-01-01;") == true)
    }
  }

  @Test func `Which row it is does not depend on the price that is given`() throws {
    let ids = try [options(price: 95), options(price: 96), options(.zero)].map {
      try Reading.transactions(reward, options: $0).map(\.transaction.id)
    }
    #expect(Set(ids).count == 1)
  }
}

@Suite struct `Rows of one instant` {
  @Test func `Received amounts come before sent ones, and fees are last`() throws {
    let rows = try Reading.transactions(
      "2025-01-01 10:00:00,0.01,ETH,,,,,,,fee,,", "2025-01-01 10:00:00,0.5,ETH,1500,USD,,,,,,,",
      "2025-01-01 10:00:00,1000,USD,0.51,ETH,,,,,,,", "2025-01-01 10:00:01,10,USD,1,ETH,,,,,,,")
    #expect(
      Reading.words(rows) == [
        "buy 0.51 eth @1960.784313725490196078", "sell 0.5 eth @3000", "send 0.01 eth fee", "buy 1 eth @10",
      ])
    #expect(rows.map(\.line) == [4, 3, 2, 5])
    _ = try PortfolioLedger(rows.map(\.transaction))
  }

  @Test func `Both halves of a swap stay where they are`() throws {
    let rows = try Reading.transactions("2025-01-01 10:00:00,1,ETH,0.05,BTC,0.001,ETH,2000,USD,,,")
    #expect(Reading.words(rows) == ["sell 1 eth @2000 swap", "buy 0.05 btc @40000 swap", "send 0.001 eth fee"])
  }

  @Test func `A date that is one day in every order needs no order`() throws {
    let rows = try Reading.transactions("12/12/2024,1000,USD,0.5,ETH,,,,,,,")
    #expect(rows.map(\.transaction.date) == [Date(utcText: "2024-12-12")])
  }
}

@Suite struct `Money in the SELECT of an import` {
  private func problem(_ columns: String) -> String {
    do throws(BitpalError) {
      _ = try ImportReader(Reading.specification("SELECT line, \"Date\" AS date, \(columns) FROM rows"))
      return "good"
    } catch {
      return error.description
    }
  }

  @Test func `A column that is given twice is refused`() {
    #expect(problem("'buy' AS type, \"In\" AS amount, \"Out\" AS amount").contains("gives the column \"amount\" twice"))
  }

  @Test(
    arguments: [
      "\"In\" * 2 || '' AS amount", "\"In\" / 3 || '' AS amount", "CAST(CAST(\"In\" AS REAL) AS TEXT) AS amount",
      "\"In\" + 0.5 || '' AS amount",
    ])
  func `Floating point is refused, also where the result is a text`(column: String) {
    #expect(problem(column).contains("calculates in floating point"), "\(column)")
  }

  @Test func `The number of decimal places in a text is an integer, not money`() {
    #expect(
      problem("substr(\"In\", 1, length(\"In\") - 1) AS amount, instr(\"Out\", 'x') + 1 || '' AS notes") == "good")
  }

  @Test func `A failed calculation is a fault also where a text stands before it`() throws {
    let select = """
      SELECT line, "Date" AS date, 'buy' AS type, "In coin" AS coin, "In" AS amount, '1' AS price,
        'k ' || decimal_mul("In", "In") AS notes FROM rows
      """
    let faults = try Reading.faults(
      "2025-01-01,,,1234567890123456789012345678.5,ETH,,,,,,,", by: Reading.specification(select))
    #expect(faults.count == 1 && faults[0].contains("notes: "), "\(faults)")
  }
}
