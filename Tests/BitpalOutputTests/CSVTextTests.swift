import Bitpal
import BitpalJSON
import BitpalModel
import BitpalOutput
import FoundationEssentials
import Testing

@Suite struct `Writing CSV` {
  @Test func `A spreadsheet runs no name of a coin`() {
    let rows: [JSONObject] = [["name": "=HYPERLINK(1)", "change": "-2.5"], ["name": "a\u{200B}b", "change": "-x"]]
    #expect(
      CSVText.text(columns: ["name", "change"], rows: rows) == "name,change\n'=HYPERLINK(1),-2.5\na\u{FFFD}b,'-x\n")
  }

  @Test func `A header, then a line a row; fields are quoted where they must be`() {
    let rows: [JSONObject] = [
      ["name": "Plain", "price": "1.5", "ok": .bool(true)],
      ["name": "a,b", "price": .null, "ok": .bool(false)],
      ["name": "say \"hi\"", "price": .integer(3)],
      ["name": ["x", "y"], "price": "bell\u{7}"],
    ]
    #expect(
      CSVText.text(columns: ["name", "price", "ok"], rows: rows) == """
        name,price,ok
        Plain,1.5,true
        "a,b",,false
        "say ""hi""\",3,
        x y,bell\u{FFFD},

        """)
  }

  private func quotes(_ failing: [String], isOverHTTP: Bool = true) throws -> PricesOutput {
    let coin = try Coin(
      validating: "bitcoin", symbol: "btc", name: "比特币 Bitcoin", currentPrice: Decimal(strict: "96841.30"))
    let quote = Sourced(
      coin, about: AnswerKey(provider: "test", kind: .quote, coin: "bitcoin"), source: "test", fetchedAt: Draw.now)
    var outcomes: [String: Result<Sourced<Coin>, BitpalError>] = ["btc": .success(quote)]
    for name in failing { outcomes[name] = .failure(.noPrice(coin: name, provider: "test")) }
    return PricesOutput(
      QuotesAnswer(failing + ["btc"], outcomes), provider: nil, currency: "usd", isOverHTTP: isOverHTTP)
  }

  @Test func `A sheet has a row for each coin in the order of the question, and no empty price`() throws {
    let rows = try quotes(["=gone"]).sheet.split(separator: "\n")
    #expect(rows.map { $0.prefix { $0 != "," } } == ["id", "'=gone", "bitcoin"])
    #expect(rows[1].hasPrefix("'=gone,,,#N/A,") && rows[1].hasSuffix(",no_price,,"))
    // A command names what failed on standard error instead.
    let printed = try quotes(["gone"], isOverHTTP: false)
    #expect(printed.csv.split(separator: "\n").count == 2 && !printed.csv.contains("error"))
  }

  @Test func `Text is the figure with all digits, or columns of which none is empty`() throws {
    #expect(try quotes([]).plainText == "96841.3")
    let lines = try quotes(["gone"]).plainText.split(separator: "\n")
    #expect(lines.map(\.count).max().map { $0 < 120 } == true && lines.count == 3)
    #expect(lines[0].contains("ID       SYMBOL") && !lines[0].contains("CONVERTED"))
    #expect(lines[1].hasPrefix("gone     -       -") && lines[1].hasSuffix("no_price"))
    #expect(lines[2].contains("  96841.3  "))
  }
}
