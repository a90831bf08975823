import BitpalConfig
import BitpalModel
import BitpalProviders
import TestSupport
import Testing

@testable import BitpalGuess

@Suite struct `A provider file guessed from what a POST was answered with` {
  private static let quote = #"{"data":{"price":96841.32}}"#
  private static let candles =
    #"{"t":[1736764200,1736850600,1736937000],"o":[5,6,7],"h":[6,7,8],"l":[4,5,6],"c":[5.5,null,7]}"#

  private func guess(_ sent: String, _ body: String = quote) throws -> ProviderGuess {
    try ProviderGuess(
      SampleAnswer(body: Array(body.utf8), url: "https://moonbase.example/v1/prices", sent: sent), id: "mine")
  }

  /// What the file says of its only operation; its example is checked.
  private func operation(of guess: ProviderGuess) throws -> DeclaredOperation {
    let folder = try TemporaryFolder()
    try folder.write(guess.text, to: "mine.yaml")
    let specification = try ProviderCatalog(settings: Settings(providersDirs: [folder.path])).specification(for: "mine")
    for outcome in try ExampleCheck(specification).run() { #expect(outcome.problem == nil, "\(guess.text)") }
    return try #require(specification.declared?.operations[guess.capability])
  }

  @Test(arguments: [
    (
      #"{"coin": "bitcoin", "vs": "usd", "deep": {"pair": ["BTC-USD", 1.50, null, true]}, "note": "it's \"x\""}"#,
      #"{"coin": "{id}", "vs": "{currency}", "deep": {"pair": ["{SYMBOL}-{CURRENCY}", 1.50, null, true]}, "note": "it's \"x\""}"#
    ),
    ("coin=bitcoin&in=USD&x=", "coin={id}&in={CURRENCY}&x="),
    ("<coin>bitcoin</coin>", "<coin>bitcoin</coin>"),
  ])
  func `has placeholders where it names the coin and the currency`(sent: String, written: String) throws {
    let operation = try operation(of: try guess(sent))
    #expect(operation.get.text == "/prices" && operation.send?.text == written)
  }

  @Test(arguments: [
    (#"{"ids":["bitcoin","ethereum"],"in":"usd"}"#, #"{"ids":{ids},"in":"{currency}"}"#),
    (#"{"ids": [ "BTC" ]}"#, #"{"ids": {SYMBOLS}}"#), ("ids=bitcoin,ethereum", "ids={ids}"),
  ])
  func `asks for several coins at once where it did`(sent: String, written: String) throws {
    let body = #"[{"id":"bitcoin","symbol":"btc","price":96841.32},{"id":"ethereum","symbol":"eth","price":3225.5}]"#
    let operation = try operation(of: try guess(sent, body))
    #expect(operation.send?.text == written && operation.batch == 50)
  }

  @Test func `asks for candles by time and width, in an array for each column`() throws {
    let sent = #"{"coin":"bitcoin","interval":"1d","from":1736850600,"end":1736937000000,"ids":["bitcoin"],"limit":2}"#
    let guess = try guess(sent, Self.candles)
    let operation = try operation(of: guess)
    #expect(
      operation.send?.text
        == #"{"coin":"{id}","interval":"{interval}","from":{from},"end":{to_ms},"ids":["{id}"],"limit":2}"#)
    #expect(operation.intervals.map(\.code) == ["1d"])
    guard case .columns(let fields) = operation.rows else {
      Issue.record("\(guess.text)")
      return
    }
    #expect(fields.map(\.source.text) == ["$.t", "$.o", "$.h", "$.l", "$.c"])
  }

  @Test(arguments: [#"{"a":{"api_key":"x"}}"#, "coin=bitcoin&token=abc"])
  func `is not made of one with a key in it, which could not be sent`(sent: String) {
    #expect {
      try guess(sent)
    } throws: { ($0 as? BitpalError)?.message.hasSuffix(" looks like a key, and none can stand in a body") == true }
  }
}
