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

  private var options: JournalOptions { JournalOptions(currency: "usd", symbols: ["bitcoin": "btc"]) }

  private func prices() throws -> [PricePoint] {
    [PricePoint(coinId: "bitcoin", date: Make.now, price: try Make.number("11.25"))]
  }

  @Test(arguments: [JournalFormat.hledger, .ledger])
  func `A sale is booked at the cost it removes, with its gain`(format: JournalFormat) throws {
    #expect(
      try format.journal(transactions(), options: options, prices: prices()) == """
        ; Written by bitpal. Sales are booked at their moving average cost.

        commodity "0X"
          format 1000.0 "0X"
        commodity BTC
          format 1000.0 BTC
        commodity USD
          format 1000.00 USD
        account assets:cash
        account assets:crypto
        account expenses:fees
        account income:gains

        2025-01-01 * buy bitcoin
            ; id: 1a000000-0000-8000-8000-000000000000, time: 2025-01-01T00:00:00Z
            ; note: first
            ; note: second; "line"
            assets:crypto     3 BTC @@ 30 USD
            expenses:fees     0.5 USD
            assets:cash       -30.5 USD

        2025-01-02 * sell bitcoin
            ; id: 2a000000-0000-8000-8000-000000000000, time: 2025-01-02T00:00:00Z
            assets:crypto     -1 BTC @@ 10 USD
            expenses:fees     0.25 USD
            assets:cash       12.25 USD
            income:gains      -2.5 USD

        2025-01-03 * buy 0x
            ; id: 3a000000-0000-8000-8000-000000000000, time: 2025-01-03T00:00:00Z
            assets:crypto     0.1 "0X" @@ 0.7 USD
            assets:cash       -0.7 USD

        P 2025-01-15 BTC 11.25 USD

        """)
  }

  @Test func `Beancount gets commodities it can read`() throws {
    #expect(
      try JournalFormat.beancount.journal(transactions(), options: options, prices: prices()) == """
        ; Written by bitpal. Sales are booked at their moving average cost.

        2025-01-01 open Assets:Cash
        2025-01-01 open Assets:Crypto "NONE"
        2025-01-01 open Expenses:Fees
        2025-01-01 open Income:Gains

        2025-01-01 commodity X0X
          name: "0x"
        2025-01-01 commodity BTC
          name: "bitcoin"

        2025-01-01 * "buy bitcoin"
          id: "1a000000-0000-8000-8000-000000000000"
          time: "2025-01-01T00:00:00Z"
          notes: "first / second; 'line'"
          Assets:Crypto   3 BTC {{30 USD}}
          Expenses:Fees   0.5 USD
          Assets:Cash     -30.5 USD

        2025-01-02 * "sell bitcoin"
          id: "2a000000-0000-8000-8000-000000000000"
          time: "2025-01-02T00:00:00Z"
          Assets:Crypto   -1 BTC {{10 USD}} @@ 12.5 USD
          Expenses:Fees   0.25 USD
          Assets:Cash     12.25 USD
          Income:Gains    -2.5 USD

        2025-01-03 * "buy 0x"
          id: "3a000000-0000-8000-8000-000000000000"
          time: "2025-01-03T00:00:00Z"
          Assets:Crypto   0.1 X0X {{0.7 USD}}
          Assets:Cash     -0.7 USD

        2025-01-15 price BTC 11.25 USD

        """)
  }

  @Test func `A journal has the days of its zone`() throws {
    var options = options
    options.zone = try #require(ClockZone(offset: "-05:00"))
    let (day, time) = (Make.day(1), Make.day(1).withTimeOfDay)
    for format in JournalFormat.allCases {
      let journal = try format.journal(
        [Make.transaction(1, .buy, "1", "1", date: day), Make.transaction(2, .buy, "1", "1", date: time)],
        options: options)
      #expect(journal.contains("2025-01-01 * ") && journal.contains("2024-12-31 * "), "\(journal)")
      #expect(format != .beancount || journal.contains("2024-12-31 open Assets:Cash"), "\(journal)")
    }
  }

  @Test func `Two coins never share a commodity, and the best known keeps the symbol`() throws {
    let long = String(repeating: "very-long-coin-name", count: 3)
    let coins = ["a-b", "a b", "a,b", long + "1", long + "2", "usd", "x", "bitcoin", "other-btc"]
    let options = JournalOptions(currency: "usd", symbols: ["bitcoin": "btc", "other-btc": "btc"])
    for format in JournalFormat.allCases {
      let journal = try format.journal(
        try coins.enumerated().map { try Make.transaction($0 + 1, .buy, "1", "1", coin: $1) }, options: options)
      let lines = journal.split(separator: "\n").filter {
        $0.hasPrefix("commodity ") || $0.contains(" commodity ")
      }
      let names = lines.compactMap { $0.split(separator: "commodity ").last }
      // The ledgers declare the currency as well.
      #expect(Set(names).count == coins.count + (format == .beancount ? 0 : 1), "\(names)")
      #expect(names.contains("BTC"))
      #expect(names.contains(format == .beancount ? "OTHER-BTC" : "\"OTHER-BTC\""))
      if format == .beancount { #expect(!names.contains("USD") && names.allSatisfy { $0.count <= 24 }) }
    }
  }

  @Test func `A transfer without money is booked against an account that names the reason`() throws {
    let journal = try JournalFormat.hledger.journal(
      [
        Make.transaction(1, .receive, "2", "5", label: .reward), Make.transaction(2, .send, "1", nil, label: .fee),
        Make.transaction(3, .send, "0.5", "9", fee: "0.1", label: .gift),
      ], options: JournalOptions(currency: "eur", account: "assets:kraken", digits: 0))
    #expect(journal.contains("    assets:kraken     2 BITCOIN @@ 10 EUR\n    income:rewards    -10 EUR\n"))
    #expect(journal.contains("    assets:kraken     -1 BITCOIN @@ 5 EUR\n    expenses:fees     5 EUR\n"))
    #expect(
      journal.contains(
        """
            assets:kraken     -0.5 BITCOIN @@ 2.5 EUR
            expenses:fees     0.1 EUR
            expenses:gifts    4.5 EUR
            assets:cash       -0.1 EUR
            income:gains      -2 EUR
        """))
    #expect(journal.contains("  format 1000.0 EUR\n"))
  }

  @Test(
    arguments: [
      ("assets:kraken", true, false), ("Assets:Kraken", true, true), ("Assets", true, false), ("", false, false),
      ("a:  b", false, false), ("Assets:kraken", true, false), ("Cash:Kraken", true, false), ("a;b", false, false),
    ])
  func `An account has a name that the program reads`(name: String, ledger: Bool, beancount: Bool) {
    #expect(JournalFormat.ledger.accepts(account: name) == ledger)
    #expect(JournalFormat.beancount.accepts(account: name) == beancount)
  }
}
