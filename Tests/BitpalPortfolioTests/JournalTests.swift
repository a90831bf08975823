import BitpalModel
import BitpalPortfolio
import Foundation
import Testing

@Suite struct `Journals for plain-text accounting` {
  private func transactions() throws -> [Transaction] {
    [
      try Make.transaction(1, .buy, "3", "10", fee: "0.5", date: Make.day(1), notes: "first\nsecond; \"line\""),
      try Make.transaction(2, .sell, "1", "12.5", fee: "0.25", date: Make.day(2)),
      try Make.transaction(3, .buy, "0.1", "7", coin: "0x", date: Make.day(3)),
    ]
  }

  private func prices() throws -> [PricePoint] {
    [PricePoint(coinId: "bitcoin", date: Make.now, price: try Make.number("11.25"))]
  }

  @Test(arguments: [JournalFormat.hledger, .ledger])
  func `A sale is booked at the cost it removes, with its gain`(format: JournalFormat) throws {
    #expect(
      try format.journal(transactions(), currency: "usd", prices: prices()) == """
        ; Written by bitpal. Sales are booked at their moving average cost.

        2025-01-01 * buy bitcoin
            ; id: 1a000000-0000-8000-8000-000000000000, time: 2025-01-01T00:00:00Z
            ; note: first
            ; note: second; "line"
            assets:crypto     3 "bitcoin" @@ 30 USD
            expenses:fees     0.5 USD
            assets:cash       -30.5 USD

        2025-01-02 * sell bitcoin
            ; id: 2a000000-0000-8000-8000-000000000000, time: 2025-01-02T00:00:00Z
            assets:crypto     -1 "bitcoin" @@ 10 USD
            expenses:fees     0.25 USD
            assets:cash       12.25 USD
            income:gains      -2.5 USD

        2025-01-03 * buy 0x
            ; id: 3a000000-0000-8000-8000-000000000000, time: 2025-01-03T00:00:00Z
            assets:crypto     0.1 "0x" @@ 0.7 USD
            assets:cash       -0.7 USD

        P 2025-01-15 "bitcoin" 11.25 USD

        """)
  }

  @Test func `Beancount gets commodities it can read`() throws {
    #expect(
      try JournalFormat.beancount.journal(transactions(), currency: "usd", prices: prices()) == """
        ; Written by bitpal. Sales are booked at their moving average cost.

        2025-01-01 open Assets:Cash
        2025-01-01 open Assets:Crypto
        2025-01-01 open Expenses:Fees
        2025-01-01 open Income:Gains

        2025-01-01 commodity C0X
          name: "0x"
        2025-01-01 commodity BITCOIN
          name: "bitcoin"

        2025-01-01 * "buy bitcoin"
          id: "1a000000-0000-8000-8000-000000000000"
          time: "2025-01-01T00:00:00Z"
          notes: "first / second; 'line'"
          Assets:Crypto   3 BITCOIN @@ 30 USD
          Expenses:Fees   0.5 USD
          Assets:Cash     -30.5 USD

        2025-01-02 * "sell bitcoin"
          id: "2a000000-0000-8000-8000-000000000000"
          time: "2025-01-02T00:00:00Z"
          Assets:Crypto   -1 BITCOIN @@ 10 USD
          Expenses:Fees   0.25 USD
          Assets:Cash     12.25 USD
          Income:Gains    -2.5 USD

        2025-01-03 * "buy 0x"
          id: "3a000000-0000-8000-8000-000000000000"
          time: "2025-01-03T00:00:00Z"
          Assets:Crypto   0.1 C0X @@ 0.7 USD
          Assets:Cash     -0.7 USD

        2025-01-15 price BITCOIN 11.25 USD

        """)
  }

  @Test func `Two coins never share a commodity`() throws {
    let long = String(repeating: "very-long-coin-name", count: 3)
    let coins = ["a-b", "a_b", "a.b", long + "1", long + "2", "usd", "x"]
    let journal = try JournalFormat.beancount.journal(
      try coins.enumerated().map { try Make.transaction($0 + 1, .buy, "1", "1", coin: $1) }, currency: "usd")
    let names = journal.split(separator: "\n").filter { $0.contains(" commodity ") }.map { $0.split(separator: " ")[2] }
    #expect(Set(names).count == coins.count && !names.contains("USD") && names.allSatisfy { $0.count <= 24 })
  }
}
