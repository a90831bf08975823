import BitpalModel
import BitpalPortfolio
import FoundationEssentials
import Testing

@Suite struct `Prices that a journal needs` {
  private func needs(_ journal: JournalNeeds) -> [String] {
    journal.moves.filter { !journal.hasPrice($0) { _ in true } }.map { "\($0.commodity) \($0.day.dayText)" }
  }

  @Test func `Postings of ledger and hledger are read in every form of an amount`() {
    let journal = JournalNeeds(
      """
      ; a comment
      2025-01-02 * Exchange  ; more
          assets:coins     0.5 BTC @ 94000 USD  ; 7 XYZ
          assets:coins     "MY COIN 2" 3 {2 EUR}
          assets:cash     $-47,000.00
          ! assets:more    -1,000.50 EUR = 3 GBP
          assets:rest
      2025/1/3=2025/1/4 (12) Other
      \tassets:gold\t(2 * 3) XAU
          assets:note  ; 5 ABC
      2025.01.05 Third
          assets:coins  ETH 2
      """)
    #expect(!journal.isBeancount)
    #expect(
      needs(journal) == [
        "BTC 2025-01-02", "MY COIN 2 2025-01-02", "$ 2025-01-02", "EUR 2025-01-02", "USD 2025-01-02", "XAU 2025-01-03",
        "ETH 2025-01-05",
      ])
    #expect(journal.commodities == ["BTC", "MY COIN 2", "$", "EUR", "USD", "XAU", "ETH"])
  }

  @Test func `Whatever brings a commodity in counts, also without an amount of its own`() {
    let ledger = JournalNeeds(
      """
      D 1000.00 DOT
      2025-01-02 an assignment and an exchange
          assets:eth    = 3 ETH
          assets:btc    1 BTC @@ 15 SOL  ; date:2025-01-05
          assets:sol
      2025-01-03 the usual commodity
          assets:dot    5
          equity

      commodity XYZ
          format 1000.00 XYZ
      """)
    #expect(
      needs(ledger) == [
        "ETH 2025-01-02", "BTC 2025-01-02", "BTC 2025-01-05", "SOL 2025-01-02", "DOT 2025-01-03",
      ])
    let beancount = JournalNeeds(
      """
      2025-01-01 open Assets:A
      2025-01-02 pad Assets:A Equity:B
      2025-01-05 balance Assets:A  3 ETH
      2025-01-06 balance Assets:C  3 ADA
      2025-01-07 * "x"
        Assets:D  2 BTC {100 USDT}
        Assets:E
      """)
    #expect(needs(beancount) == ["ETH 2025-01-02", "BTC 2025-01-07", "USDT 2025-01-07"])
  }

  @Test func `Rules, forecasts and what is commented out are of no day`() {
    let journal = JournalNeeds(
      """
      = /rent/
          a  1 AAA
      ~ monthly
          a  1 BBB
      comment
      2025-01-02 x
          a  1 CCC
      end comment
      2025-01-03 y
          a  1 DDD
      """)
    #expect(needs(journal) == ["DDD 2025-01-03"])
  }

  @Test func `A day without a year takes the year of the directive above; without one it is reported`() {
    let journal = JournalNeeds(
      """
      01/02 x
          a  1 AAA
      Y2024
      03-04 y
          a  1 BBB
      year 2023
      5/6 z
          a  1 CCC
      apply year 2022
      7/8 w
          a  1 DDD
      end apply year
      9/10 v
          a  1 EEE
      """)
    #expect(needs(journal) == ["BBB 2024-03-04", "CCC 2023-05-06", "DDD 2022-07-08", "EEE 2023-09-10"])
    #expect(journal.undated == [":1"])
  }

  @Test func `A price that is there already is not wanted`() {
    let journal = JournalNeeds(
      """
      P 2025-01-02 BTC 94000 USD
      P 2025/01/03 12:00:00 "MY COIN 2" 1 USD
      2025-01-02 x
          a  1 BTC
          a  1 "MY COIN 2"
      2025-01-03 y
          a  1 BTC
          a  1 "MY COIN 2"
      """)
    #expect(needs(journal) == ["MY COIN 2 2025-01-02", "BTC 2025-01-03"])
  }

  @Test func `Beancount is known by its directives`() {
    let journal = JournalNeeds(
      """
      option "title" "Mine"
      2024-01-01 open Assets:Coins BTC,ETH
      2025-01-02 * "Exchange" "buys 3 XYZ"
        note: "1 ABC"
        Assets:Coins   0.5 BTC {94000 USD}
        ! Assets:Funds   10*2 VTI2 @ 3 USD ; 1 DEF
        Assets:Cash
      2025-01-02 price BTC 94000 USD
      2025-01-03 balance Assets:Coins  1 ETH
        Assets:Coins  1 NOT
      2025-01-04 txn "x"
        Assets:Coins   2 ETH
      include "more.beancount"
      """)
    #expect(journal.isBeancount)
    #expect(needs(journal) == ["VTI2 2025-01-02", "USD 2025-01-02", "ETH 2025-01-04"])
    #expect(journal.includes.map(\.path) == ["more.beancount"])
  }

  @Test func `Line ends of Windows and a byte order mark change nothing`() {
    let text = "2025-01-02 x\n    a  1 BTC\n    b\n\nP 2025-01-02 ETH 2000 EUR\n2025-01-03 y\n    a  1 ETH\n"
    let windows = JournalNeeds(
      "\u{FEFF}" + text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"))
    #expect(needs(windows) == ["BTC 2025-01-02", "ETH 2025-01-03"])
    #expect(windows.prices == JournalNeeds(text).prices)
  }

  @Test func `A date in a comment of a posting has the year of its transaction`() {
    let journal = JournalNeeds("Y2023\n2025-01-02 x\n    a  1 BTC  ; date:1/5\n    b\n1/7 y\n    a  1 ETH\n")
    #expect(needs(journal) == ["BTC 2025-01-02", "BTC 2025-01-05", "ETH 2023-01-07"])
  }

  @Test func `A name without quotes keeps the marks within it`() {
    let journal = JournalNeeds(
      "2025-01-02 x\n    a  9 BRK_B @ 3 EUR\n    b  ETH/USD -1\n    c  (2 * 3) XAU\n    d  $1/2\n")
    #expect(journal.commodities == ["BRK_B", "ETH/USD", "XAU", "$"])
  }

  @Test func `The content of a string of Beancount over several lines is text`() {
    let journal = JournalNeeds(
      """
      2025-01-01 query "q" "
      2025-01-01 * 'x'
        Assets:A  1 ABC
      "
      2025-01-02 * "Payee" "first line
      2025-01-03 * second line"
        Assets:A  1 BTC
        Assets:B
      2025-01-04 commodity ETH
        name: "never closed
      2025-01-05 * "z"
        Assets:A  1 ETH
      """, isBeancount: true)
    #expect(needs(journal) == ["BTC 2025-01-02", "ETH 2025-01-05"])
  }

  @Test func `A price is what all programs read; one that they read differently is unknown`() {
    let ledger = JournalNeeds(
      """
      commodity EUR 1.000,00
      P 2025-01-01 BTC EUR 60.500
      P 2025-01-02 BTC EUR 60.500,25
      P 2025-01-03 BTC USD 0,100
      P 2025-01-04 BTC -1 USD
      P 2025-01-05 BTC 1 234.5 USD
      include more.journal
      """)
    #expect(ledger.prices.map(\.amount) == [60_500, Decimal(string: "60500.25"), nil, nil, Decimal(string: "1234.5")])
    #expect(ledger.prices.map(\.currency) == ["EUR", "EUR", "USD", "USD", "USD"])
    let included = JournalNeeds("P 2025-01-01 BTC EUR 60.500\n", under: ledger.includes[0].declared)
    #expect(included.prices.map(\.amount) == [60_500])
    let beancount = JournalNeeds("2025-01-01 price BTC 120000/2 EUR\n2025-01-02 price BTC 60,500.00 EUR ; x\n")
    #expect(beancount.prices.map(\.amount) == [nil, 60_500])
  }

  @Test func `Included files count as part of it`() {
    var journal = JournalNeeds("include other.journal\n2025-01-02 x\n    a  1 BTC\n")
    journal.add(JournalNeeds("P 2025-01-02 BTC 1 USD\n2025-01-03 x\n    a  1 ETH\n"))
    #expect(journal.includes.map(\.path) == ["other.journal"])
    #expect(needs(journal) == ["ETH 2025-01-03"])
  }

  @Test func `No bytes are too odd`() {
    for text in [
      "", "\r\n", "P", "P 2025-01-02", "2025-01-02", "2025", "  \"", "2025-01-02 x\n  a  \"", "Y", "9/9/9/9",
    ] {
      #expect(needs(JournalNeeds(text)).isEmpty, "\(text)")
      #expect(needs(JournalNeeds(text, isBeancount: true)).isEmpty, "\(text)")
    }
  }

  @Test func `A price counts in the currency in which it is stated, and an exponent is part of its number`() {
    let journal = JournalNeeds(
      "P 2025-01-01 BTC 60000 USD\nP 2025-01-02 BTC nothing\n2025-01-01 x\n    a  1E-6 BTC\n2025-01-02 y\n    a  1.5e+2 BTC\n"
    )
    #expect(journal.commodities == ["BTC"])
    func lacking(in currency: String) -> [String] {
      journal.moves.filter { !journal.hasPrice($0) { $0 == currency } }.map(\.day.dayText)
    }
    #expect(lacking(in: "USD") == [])
    #expect(lacking(in: "EUR") == ["2025-01-01"])
  }

  @Test func `A file of includes alone is what its files are`() {
    var journal = JournalNeeds("; ours\ninclude x\n")
    #expect(journal.hasIncludesAlone && !journal.isBeancount)
    journal.add(JournalNeeds("2025-01-02 open Assets:Cash\n"))
    #expect(journal.isBeancount && !journal.hasIncludesAlone)
  }
}
