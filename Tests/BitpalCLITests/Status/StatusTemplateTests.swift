import Bitpal
import BitpalModel
import Foundation
import Testing

@testable import bitpal

@Suite struct `Status lines` {
  private func text(_ template: String, stale: Duration? = nil) throws -> String {
    let coin = try Sample.coin("bitcoin", "btc", "Bit\u{1B}coin", "96841.328675354258", change: "0.54708")
    return try StatusTemplate(template).text(
      Sample.sourced(coin, stale: stale), currency: "usd", age: .seconds(75))
  }

  @Test(
    arguments: [
      (StatusTemplate.usual, "BTC 96,841.33 +0.55%"), ("{id}={price}{currency}", "bitcoin=96,841.33USD"),
      ("{name} {age}", "Bit�coin 1m 15s"), ("{{}} {{price}", "{}} {price}"), ("", ""), ("plain", "plain"),
      ("{symbol} {stale}", "BTC"),
    ])
  func `A template is filled in`(template: String, expected: String) throws {
    #expect(try text(template) == expected)
  }

  @Test func `An old price says so, in its own place or at the end`() throws {
    #expect(try text("{symbol} {price}", stale: .seconds(75)) == "BTC 96,841.33 (stale, 1m 15s old)")
    #expect(try text("{stale}: {price}", stale: .seconds(75)) == "stale, 1m 15s old: 96,841.33")
    #expect(try text("{price} {age}", stale: .seconds(75)) == "96,841.33 1m 15s (stale, 1m 15s old)")
  }

  @Test func `A price that is not known yet, an unknown coin and a converted price are marked whatever the template`()
    throws
  {
    let usual = try StatusTemplate(StatusTemplate.usual)
    #expect(usual.text(missing: "btc", isPending: true, currency: "usd") == "BTC …")
    #expect(usual.text(missing: "nosuch", isPending: false, currency: "usd") == "NOSUCH ?")
    let short = try StatusTemplate("{symbol} {change}")
    #expect(short.text(missing: "nosuch", isPending: false, currency: "usd") == "NOSUCH ?")
    let coin = try Sample.coin("bitcoin", "btc", "Bitcoin", "50000")
    let quote = Sample.sourced(coin)
    let converted = Sourced(
      coin, about: quote.about, source: "coingecko", fetchedAt: quote.fetchedAt, freshness: .fresh,
      conversion: Conversion(from: "eur", price: 40000, rate: 1.25, rateSource: "ecb", rateTime: Sample.instant))
    #expect(usual.text(converted, currency: "usd", age: .seconds(5)) == "BTC ≈50,000 -")
    let waybar = try view([converted]).waybar
    #expect(waybar.contains("(5s old, converted from EUR by ecb ("))
  }

  @Test(
    arguments: [
      (
        "{prize}",
        "--template: unknown field {prize}; did you mean {price}? there are: "
          + "{id} {symbol} {name} {price} {currency} {change} {arrow} {age} {stale}"
      ), ("{price", "--template: a { has no }; a brace itself is written {{"),
    ])
  func `A bad template is refused with what there is`(template: String, message: String) {
    let error = #expect(throws: BitpalError.self) { try StatusTemplate(template) }
    #expect(error?.description == message)
  }

  private func view(_ quotes: [Sourced<Coin>], failures: [CoinFailure] = []) throws -> StatusView {
    StatusView(
      answer: QuotesAnswer(quotes: quotes, failures: failures), currency: "usd",
      template: try StatusTemplate(StatusTemplate.usual), now: Sample.instant.addingTimeInterval(5))
  }

  @Test(arguments: [
    ("0.006", "+0.01% ▲", "up"), ("0.004", "0.00% →", "fresh"), ("0", "0.00% →", "fresh"),
    ("-0.004", "0.00% →", "fresh"), ("-0.006", "-0.01% ▼", "down"),
  ])
  func `A change that is shown as zero goes neither up nor down`(change: String, expected: String, style: String) throws
  {
    let quote = Sample.sourced(try Sample.coin("a", "a", "A", "1", change: change))
    let text = try StatusTemplate("{change} {arrow}").text(quote, currency: "usd", age: .zero)
    #expect(text == expected)
    #expect(try view([quote]).waybar.hasSuffix(#""class":"\#(style)"}"#))
  }

  @Test func `Waybar gets text, tooltip and class in one line, without markup of others`() throws {
    let up = Sample.sourced(try Sample.coin("a", "a", "A & <b>", "1.5", change: "2"))
    let down = Sample.sourced(try Sample.coin("b", "b", "B", "2", change: "-2"))
    let old = Sample.sourced(try Sample.coin("c", "c", "C", "3"), stale: .seconds(90))
    #expect(
      try view([up]).waybar
        == #"{"text":"A 1.5 +2.00%","tooltip":"A &amp; &lt;b&gt; 1.5 USD +2.00% (5s old)","class":"up"}"#)
    #expect(try view([down]).waybar.hasSuffix(#""class":"down"}"#))
    #expect(try view([up, down]).waybar.hasSuffix(#""class":"fresh"}"#))
    #expect(
      try view([old]).waybar
        == #"{"text":"C 3 - (stale, 1m 30s old)","tooltip":"C 3 USD (stale, 1m 30s old)","class":"stale"}"#)
    let missing = CoinFailure(coin: "x", error: .noPrice(coin: "x", provider: "p"))
    let partly = try view([up], failures: [missing]).waybar
    #expect(partly.hasPrefix(#"{"text":"A 1.5 +2.00%  X ?","#))
    #expect(partly.hasSuffix(#"(5s old)\nx: p has no price for x","class":"error"}"#))
  }
}
