import BitpalModel
import BitpalPortfolio
import Foundation
import Testing

@Suite struct `The outline of an import` {
  private func outline(_ text: String) throws -> Outline {
    try ImportOutline(Array(text.utf8), name: "t.csv", id: "mine").outline
  }

  private func fields(_ outline: Outline) -> [String] {
    outline.fields.map { "\($0.name) \($0.source)" }.sorted()
  }

  @Test func `Amount, price and total are those that multiply, whatever else their names say`() throws {
    let outline = try outline(
      "Date,Transaction Type,BTC Amount,BTC Price,Currency Pair,Fiat Amount (excl. fees),Fiat Currency,Fee\n"
        + "2024-09-15T14:23:17Z,Sell,0.02800000,92000.00,BTC/CHF,2576.00,CHF,0.00\n"
        + "2024-07-22T09:41:06Z,Buy,0.03000000,95000.00,BTC/CHF,2850.00,CHF,2.45\n")
    #expect(
      fields(outline) == [
        "amount BTC Amount", "currency Fiat Currency", "date Date", "fee Fee", "price BTC Price",
        "total Fiat Amount (excl. fees)", "type Transaction Type",
      ])
    #expect(outline.text.contains("'TODO' AS coin") && outline.points.contains("coin: which column it is"))
  }

  @Test func `A day is not the date where the time stands beside it, and a coin is not the currency`() throws {
    let outline = try outline(
      "Date,Time,Type,Currency,Amount,Quote Currency,Quote Price\n2024-01-01,10:30:00.250,buy,ETH,0.01,EUR,2000\n")
    #expect(fields(outline) == ["type Type"])
    #expect(outline.points.contains { $0.hasPrefix("date:") } && outline.points.contains { $0.hasPrefix("currency:") })
  }

  @Test func `Columns without a name do not hide the header`() throws {
    let outline = try outline("Date,Type,Coin,,Quantity,Price\n2024-01-01,buy,BTC,x,0.01,40000\n")
    #expect(outline.text.contains("header: [\"Date\", \"Type\", \"Coin\", \"c3\", \"Quantity\", \"Price\"]"))
    #expect(fields(outline) == ["coin Coin", "date Date", "type Type"])
  }

  @Test func `A status column is a TODO, and so is a sign that contradicts the type`() throws {
    let status = try outline(
      "Date,Type,Asset,Quantity,Price,Total,Status\n2024-01-01,Buy,BTC,0.01,40000,400,Completed\n2024-01-02,Buy,BTC,0.02,40000,800,Cancelled\n"
    )
    #expect(
      status.text.contains(
        "CASE WHEN ifnull(\"Status\", '') IN ('Cancelled') THEN 'TODO' WHEN ifnull(\"Status\", '') IN ('Completed') THEN CASE \"Type\" WHEN 'Buy' THEN 'buy' ELSE 'Type: ' || ifnull(\"Type\", 'empty') END ELSE 'Status: ' || ifnull(\"Status\", 'empty') END AS type"
      ))
    #expect(status.points.contains { $0.hasPrefix("\"Status\": what becomes of \"Cancelled\"") })
    let signs = try outline(
      "Date,Type,Asset,Quantity,Price,Total\n2024-01-01,Buy,BTC,0.01,40000,400\n2024-01-02,Buy,BTC,-0.01,40000,-400\n")
    #expect(
      signs.text.contains("'TODO' AS amount") && signs.points.contains { $0.contains("the sign of \"Quantity\"") })
    let types = try outline(
      "#,PAIR,AMOUNT,PRICE,SUM,DATE\n1,BTC/USD,0.05,10000,500,2021-08-18\n2,BTC/USD,-0.03,10200,306,2021-08-19\n")
    #expect(types.text.contains("CASE WHEN \"AMOUNT\" LIKE '-%' THEN 'sell' ELSE 'buy' END AS type"))
  }

  @Test func `The type is the column whose values are all words for it, and an exchange rate is not a price`() throws {
    let bittrex = try outline("Transaction,Order Type,Quantity\nBought,Limit,1\nSold,Limit,2\n")
    #expect(fields(bittrex) == ["type Transaction"])
    let german = try outline(
      "Datum;Typ;Wert;Wechselkurs;Gebühren;Stück;Notiz\n2020-12-04T19:52;Kauf;990,86;0,8241;0,64;42;\n2020-12-22T11:32;Kauf;1\u{A0}275,00;;0,00;15;\n"
    )
    #expect(fields(german) == ["date Datum", "fee Gebühren", "notes Notiz", "type Typ"])
    #expect(german.text.contains("decimal: comma") && german.text.contains("'TODO' AS price"))
  }

  @Test func `A file without a doubt is an import that runs and conserves`() throws {
    let csv =
      "Date,Side,Coin,Quantity,Price,Total,Fee,Currency\n2024-01-01 10:00:00,BUY,BTC,0.01,40000,400,1.5,EUR\n2024-01-02 10:00:00,SELL,BTC,0.01,41000,410,0,EUR\n"
    let outline = try outline(csv)
    #expect(outline.points == ["write examples"])
    let lines = outline.text.components(separatedBy: "\n")
    func block(_ key: String) -> String {
      lines.drop { $0 != "\(key): |" }.dropFirst().prefix { $0.hasPrefix("  ") }.joined(separator: "\n")
    }
    var specification = ImportSpecification(id: "mine", name: "mine", select: DeclaredText(block("select")))
    specification.movements = DeclaredText(block("movements"))
    specification.headers = [["Date", "Side", "Coin", "Quantity", "Price", "Total", "Fee", "Currency"]]
    let sheet = try Reading.sheet(Array(csv.utf8), by: specification, Reading.options("eur"))
    #expect(
      try Reading.words(sheet.transactions(ids: ["BTC": "btc"])) == [
        "buy 0.01 btc @40000 fee 1.5", "sell 0.01 btc @41000",
      ])
    #expect(sheet.sums.map(\.unit) == ["EUR"])
  }

  @Test func `A TODO is a fault with the name of its field`() throws {
    let select = "SELECT line, \"Date\" AS date, 'buy' AS type, 'TODO' AS coin, \"In\" AS amount FROM rows"
    #expect(
      try Reading.faults("2025-01-01,,,1,USD,,,,,,,", "2025-01-01,,,1,USD,,,,,,,", by: Reading.specification(select))
        == [
          "2:1: coin: the import file says TODO; fill it in there, see docs/imports.md (and in 1 more)"
        ])
  }

  @Test func `A file without rows, and one without a header, is reported`() {
    #expect(throws: BitpalError.self) { _ = try outline("Date,Amount\n") }
    #expect(throws: BitpalError.self) { _ = try outline("1,2\n3,4\n") }
    #expect {
      _ = try outline("Da\u{13}te,Type,Coin\n2025-01-15,buy,BTC\n")
    } throws: { error in
      "\(error)".hasPrefix("t.csv:1: the column Da")
    }
  }
}
