import BitpalModel
import BitpalOutput
import BitpalPortfolio
import FoundationEssentials
import Testing

@Suite struct `Price directives` {
  @Test func `A tiny price is written out, never with an exponent`() throws {
    let day = try #require(Date(utcText: "2025-01-14"))
    let price = try Decimal(strict: "2.4e-05")
    let directives = PriceDirectives(closes: [.init(day: day, price: price)], commodity: "SHIB", currency: "USD")
    #expect(directives.text(.ledger) == "P 2025-01-14 SHIB 0.000024 USD\n")
    #expect(directives.text(.hledger) == "P 2025-01-14 SHIB 0.000024 USD\n")
    #expect(directives.text(.beancount) == "2025-01-14 price SHIB 0.000024 USD\n")
  }

  @Test func `Prices have as many decimals as are asked for`() throws {
    let day = try #require(Date(utcText: "2025-01-14"))
    let close = Resampling.DailyClose(day: day, price: try Decimal(strict: "96841.325"))
    let directives = PriceDirectives(closes: [close], commodity: "BTC", currency: "USD", digits: 2)
    #expect(directives.text(.ledger) == "P 2025-01-14 BTC 96841.32 USD\n")
  }

  @Test(arguments: [
    ("btc", "BTC", "BTC"), ("1inch", "\"1INCH\"", "X1INCH"), ("usd-coin", "\"USD-COIN\"", "USD-COIN"),
    ("a", "A", "AX"), ("x\"\ny", "XY", "X--Y"), ("", "\"\"", "XX"), ("b.", "\"B.\"", "B.X"), ("ð", "\"Ð\"", "X-X"),
    ("e\u{1B}[2J\u{9B}1m\u{7}", "\"E\u{FFFD}[2J\u{FFFD}1M\u{FFFD}\"", "E--2J-1M-X"),
  ])
  func `A ticker is written so that each program reads it as a name`(symbol: String, ledger: String, beancount: String)
  {
    #expect(LedgerCommodity.name(symbol) == ledger)
    #expect(BeancountCommodity.name(symbol) == beancount)
  }
}
