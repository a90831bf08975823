import Foundation
import LoopbackServer
import Testing

extension Attacks {
  /// Bodies that a source should not send.
  @Suite struct `A malicious source crashes nothing and speaks to no terminal` {
    /// A body for every endpoint, by what is wrong with it.
    private static let bodies: [(name: String, body: String)] = {
      func quote(_ fields: String) -> String { #"[{"id":"bitcoin","symbol":"btc","name":"Bitcoin",\#(fields)}]"# }
      func detail(_ fields: String) -> String {
        #"{"id":"bitcoin","symbol":"btc","name":"Bitcoin","market_data":{\#(fields)}}"#
      }
      let digits = String(repeating: "7", count: 5000)
      let evil = "\u{1B}]0;x\u{7}\u{9B}31m\u{202E}\u{200B}\u{FEFF}\u{E0041}=cmd|' /C calc'!A0"
      let escaped = evil.unicodeScalars.map { scalar in
        scalar.value > 0xFFFF
          ? "\\udb40\\udc41"
          : "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
            + String(scalar.value, radix: 16)
      }.joined()
      return [
        ("nothing", ""), ("white space", " \n\t"), ("a word", "null"), ("a text", #""bitcoin""#), ("a number", "1"),
        ("NUL", "[\u{0}]"), ("a mark of order", "\u{FEFF}[]"), ("half a pair", #"["\ud800"]"#),
        ("depth", String(repeating: "[", count: 200_000)),
        ("closed depth", String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)),
        ("depth in a field", quote(#""current_price":\#(String(repeating: #"{"a":"#, count: 3000))1"#)),
        ("5,000 digits", quote(#""current_price":\#(digits)"#)),
        ("5,000 decimals", quote(#""current_price":0.\#(digits)"#)),
        ("a huge exponent", quote(#""current_price":1e999999999"#)),
        ("a tiny exponent", quote(#""current_price":1e-999999999"#)),
        ("below zero", quote(#""current_price":-0.0"#)), ("NaN", quote(#""current_price":NaN"#)),
        ("a comment", "[/* x */]"), ("a comma too many", "[1,]"), ("hexadecimal", quote(#""current_price":0xFF"#)),
        ("every key twice", quote(#""current_price":1,"current_price":2,"id":"ark""#)),
        ("a row of nulls", "[null,null]"), ("a row of numbers", "[1,2,3]"), ("rows in rows", "[[[1]]]"),
        ("an id that is a number", #"[{"id":5}]"#),
        ("years to come", quote(#""last_updated":"9999999-01-01T00:00:00Z""#)),
        ("a time below zero", #"{"prices":[[-9223372036854775808,1],[9223372036854775807,2],[1e300,3]]}"#),
        ("a line of texts", #"{"prices":[["a","b"],[{},[]],[true,false],[1736899200000,"1"]]}"#),
        ("a million points", #"{"prices":[\#(Array(repeating: "[1,1]", count: 300_000).joined(separator: ","))]}"#),
        ("odd candles", "[[1736899200000,1,0,2,1],[1736899200000,null,1,1,1],[1],[],[1,2,3,4,5,6,7]]"),
        (
          "a detail of another coin",
          #"{"id":"ark","symbol":"ark","name":"Ark","market_data":{"current_price":{"usd":1}}}"#
        ),
        ("an error in place of a detail", #"{"error":"coin not found"}"#),
        ("figures of every type", detail(#""current_price":{"usd":1},"market_cap":{"usd":"x"},"total_supply":[1]"#)),
        ("names for a terminal", quote(#""current_price":1"#).replacingOccurrences(of: "Bitcoin", with: escaped)),
        (
          "a detail for a terminal",
          detail(#""current_price":{"usd":1}"#).replacingOccurrences(of: "Bitcoin", with: escaped)
        ),
        ("a list for a terminal", #"[{"id":"bit\#(escaped)","symbol":"\#(escaped)","name":"\#(escaped)"}]"#),
        (
          "marks without end",
          quote(#""current_price":1"#).replacingOccurrences(
            of: "Bitcoin", with: "B" + String(repeating: "\\u0301", count: 5000))
        ),
        ("a page", "<!DOCTYPE html><title>Just a moment...</title>"),
        (
          "60,000 coins",
          "[" + (0..<60_000).map { #"{"id":"c\#($0)","symbol":"c","name":"C"}"# }.joined(separator: ",") + "]"
        ),
      ]
    }()

    private static let commands = [
      "price bitcoin ethereum --spark", "price bitcoin --format csv", "price bitcoin --format json", "coin bitcoin",
      "chart bitcoin --range 1W", "chart bitcoin --range 1W --type candle --rows",
      "history bitcoin --on 2025-01-14 --format ledger --now 2025-01-15T10:30Z", "search bit",
      "generate complete -- price bit",
    ]

    @Test(arguments: bodies.map(\.name)) func `whatever it sends`(name: String) throws {
      let body = try #require(Self.bodies.first { $0.name == name }?.body)
      let server = try MarketServer(.ok(json: body))
      let live = try LiveWorld(server.url)
      for command in Self.commands {
        let outcome = try live.world.attack("bitpal \(command)", ["COINGECKO_API_KEY": LiveWorld.key])
        if command.hasSuffix("json") {
          // JSON carries text as it is, escaped.
          #expect(outcome.status < 8, "\(command): \(outcome.status)")
        } else {
          expectSafe(outcome, command)
        }
      }
    }

    @Test(arguments: [
      #""current_price":\#(String(repeating: "9", count: 63))"#, #""current_price":"12""#, #""current_price":true"#,
      #""current_price":{}"#, #""current_price":[]"#, #""current_price":1e400"#,
      #""current_price":1,"last_updated":"garbage""#, #""current_price":1,"name":7"#, #""current_price":null"#,
      #""current_price":-1"#,
    ])
    func `and one odd row costs no other coin its price`(fields: String) throws {
      let row = #"{"id":"\#("ethereum")","symbol":"eth","name":"Ethereum",\#(fields)}"#
      func good(_ id: String) -> String { #"{"id":"\#(id)","symbol":"x","name":"X","current_price":67187.3358936566}"# }
      let server = try MarketServer(.ok(json: "[\(good("bitcoin")),\(row),{\"id\":5},7,\(good("solana"))]"))
      let live = try LiveWorld(server.url)
      let outcome = try live.run("bitpal price bitcoin ethereum solana --format csv")
      let ids = outcome.output.split(separator: "\n").dropFirst().map { $0.prefix { $0 != "," } }
      #expect(ids.contains("bitcoin") && ids.contains("solana"))
      #expect(outcome.status == (ids.contains("ethereum") ? 0 : 1), "\(outcome.errors)")
    }
  }
}
