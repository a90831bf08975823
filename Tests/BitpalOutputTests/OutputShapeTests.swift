import BitpalJSON
import BitpalModel
import BitpalOutput
import FoundationEssentials
import Testing

@Suite struct `The frame of an answer` {
  @Test func `A list of fields makes the object and its schema`() throws {
    let fields: Fields<Coin> = [
      Field("id", .text("The coin's id.")) { $0.id },
      Field("price", .decimal("The price of one coin.")) { $0.currentPrice },
    ]
    let coin = try Coin(validating: "bitcoin", symbol: "btc", name: "Bitcoin", currentPrice: 97_000)
    #expect(JSONValue.object(fields.object(coin)).compact() == #"{"id":"bitcoin","price":"97000"}"#)
    #expect(fields.keys == ["id", "price"])
  }

  @Test func `Every object begins with its schema and ends with its errors, if there are none`() {
    let facts = DoneOutput("watchlist move", about: "bitcoin", ["place": 1, "count": 3])
    #expect(
      JSONValue.object(facts.json).compact()
        == #"{"schema":"bitpal.done/1","done":"watchlist move","subject":"bitcoin","facts":{"place":1,"count":3},"#
        + #""errors":[]}"#)
    #expect(facts.jsonLines == #"{"done":"watchlist move","subject":"bitcoin","place":1,"count":3}"# + "\n")
    #expect(facts.csv == "done,subject,place,count\nwatchlist move,bitcoin,1,3\n")
  }

  @Test func `An answer that failed as a whole says why once, and each fault of a file`() {
    let error = BitpalError.configuration([
      ConfigurationIssue(file: "a.yaml", message: "first"), ConfigurationIssue(file: "a.yaml", message: "second"),
    ])
    let json = ErrorOutput(error).json
    #expect(json.members.map(\.key) == ["schema", "error", "errors"])
    #expect(
      json["errors"] == [
        ["code": "configuration", "message": "a.yaml: first"], ["code": "configuration", "message": "a.yaml: second"],
      ])
    #expect(
      JSONValue.object(ErrorOutput(.usage("no")).json).compact()
        == #"{"schema":"bitpal.error/1","error":{"code":"usage","message":"no"},"errors":[{"code":"usage","message":"no"}]}"#
    )
  }
}
