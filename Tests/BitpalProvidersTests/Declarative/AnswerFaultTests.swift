import BitpalModel
import ProviderFiles
import Testing

/// A declared operation, an answer that does not fit it, and what is said.
struct BadAnswer: CustomTestStringConvertible {
  let testDescription: String
  let text: String
  let body: String
  let complaint: String

  init(_ testDescription: String, _ text: String, _ body: String, _ complaint: String) {
    self.testDescription = testDescription
    self.text = text
    self.body = body
    self.complaint = complaint
  }
}

@Suite struct `Answers that do not fit a declaration` {
  private static let fields = "quotes:\n  get: /x/{id}\n  each: $.result\n  fields: { price: \"$.c[0]\" }\n"

  @Test(arguments: [
    BadAnswer(
      "no JSON", fields, "<html>busy</html>",
      #"""
      mine sent an answer that cannot be read: it is not JSON; it starts with <html>busy</html> (mine.yaml:7)
      """#),
    BadAnswer(
      "nothing at all", fields, "",
      #"""
      mine sent an answer that cannot be read: it is empty (mine.yaml:7)
      """#),
    BadAnswer(
      "each matches nothing", fields, #"{"error":[],"data":{"a":1}}"#,
      #"""
      mine sent an answer that cannot be read: $.result matches nothing; the body has error, data (mine.yaml:7)
      """#),
    BadAnswer(
      "each leads past the rows", fields, #"{"result":{"time":"2025-01-15","c":["1"]}}"#,
      #"""
      mine sent an answer that cannot be read: $.result does not contain rows with paths; $.result has \#
      time, c (mine.yaml:7)
      """#),
    BadAnswer(
      "a field matches nothing", fields, #"{"result":{"XBT":{"a":["1"],"b":["2"]}}}"#,
      #"""
      mine sent an answer that cannot be read: price: $.c[0] matches nothing; the row has a, b (mine.yaml:8)
      """#),
    BadAnswer(
      "a price that is no number", fields, #"{"result":{"XBT":{"c":["1,5"]}}}"#,
      #"""
      mine sent an answer that cannot be read: price should be a number, but it is "1,5" (mine.yaml:7)
      """#),
    BadAnswer(
      "a price of zero", fields, #"{"result":{"XBT":{"c":["0.00"]}}}"#,
      #"""
      mine has no price for bitcoin: the price of bitcoin is 0, not above zero
      """#),
    BadAnswer(
      "a price of null", fields, #"{"result":{"XBT":{"c":[null]}}}"#,
      #"""
      mine has no price for bitcoin
      """#),
    BadAnswer(
      "two rows for one coin", fields, #"{"result":{"A":{"c":["1"]},"B":{"c":["2"]}}}"#,
      #"""
      mine sent an answer that cannot be read: it has several rows, and no row says whose it is; map id, or symbol with {SYMBOL} in get or with all: true (mine.yaml:7)
      """#),
    BadAnswer(
      "no rows", fields, #"{"result":{}}"#,
      #"""
      mine has no price for bitcoin: the answer is empty
      """#),
    BadAnswer(
      "a floating-point price",
      #"""
      quotes:
        get: /x/{id}
        select: SELECT :body->>'$.p' AS price
      """#, #"{"p":355.40}"#,
      #"""
      mine sent an answer that cannot be read: price came as the floating-point number 355.4, which may have \#
      lost digits; write -> instead of ->> (mine.yaml:7)
      """#),
    BadAnswer(
      "no rows of a SELECT",
      #"""
      quotes:
        get: /x/{id}
        select: SELECT value AS price FROM json_each(:body, '$.rows')
      """#, #"{"data":[1,2],"ok":true}"#,
      #"""
      mine sent an answer that cannot be read: the SELECT gives no rows; the body has data, ok (mine.yaml:7)
      """#),
    BadAnswer(
      "a SELECT without end",
      #"""
      quotes:
        get: /x/{id}
        select: |
          WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
          SELECT max(x) AS price FROM n
      """#, "{}",
      #"""
      mine sent an answer that cannot be read: the SELECT was stopped: it takes too many steps; does a \#
      recursive query have an end? (mine.yaml:8)
      """#),
    BadAnswer(
      "JSON text as a name",
      #"""
      quotes:
        get: /x/{id}
        select: SELECT :body->'$.p' AS price, :body->'$.n' AS name
      """#, #"{"p":1,"n":"Bit"}"#,
      #"""
      mine sent an answer that cannot be read: name came as the JSON text "Bit"; write ->> instead of -> (mine.yaml:7)
      """#),
    BadAnswer(
      "floating point in arithmetic",
      #"""
      quotes:
        get: /x/{id}
        fields: { price: "decimal_add(row.value->>'$.o', row.value->'$.p')" }
      """#, #"{"p":1,"o":1.5}"#,
      #"""
      mine sent an answer that cannot be read: decimal_add was given a floating-point number; write -> \#
      instead of ->> (mine.yaml:7)
      """#),
  ])
  func `A quote says what is there instead`(answer: BadAnswer) throws {
    let query = ProviderQuery.quotes(coins: ["bitcoin"], currency: "usd")
    #expect(try Declared(answer.text).failure(of: query, body: answer.body) == answer.complaint)
  }

  @Test func `A repeated id makes an answer unreadable`() throws {
    let file = try Declared("quotes:\n  get: /x?ids={ids}\n  batch: 5\n  each: $\n  fields: { id: $.i, price: $.p }\n")
    let query = ProviderQuery.quotes(coins: ["bitcoin", "ethereum"], currency: "usd")
    #expect(
      try file.failure(of: query, body: #"[{"i":"bitcoin","p":1},{"i":"bitcoin","p":2}]"#)
        == "mine sent an answer that cannot be read: two rows are of bitcoin (mine.yaml:8)\nno coin \"ethereum\" at mine"
    )
  }

  @Test(arguments: [
    (
      #"[[1736937000000,1]]"#,
      #"mine sent an answer that cannot be read: time should be seconds since 1970, but it is 1736937000000 (mine.yaml:8)"#
    ),
    (
      #"[["yesterday",1]]"#,
      #"mine sent an answer that cannot be read: time should be seconds since 1970, but it is "yesterday" (mine.yaml:8)"#
    ), ("[]", #"mine has no data for the line of bitcoin"#),
    ("[[1736937000,null]]", #"mine has no data for the line of bitcoin"#),
    (
      #"[{"t":1}]"#,
      #"mine sent an answer that cannot be read: time: $[0] matches nothing; the row has t (mine.yaml:9)"#
    ),
  ])
  func `A line says what is wrong with its times and prices`(body: String, complaint: String) throws {
    let file = try Declared(
      "line:\n  get: /x/{id}\n  time: seconds\n  each: $\n  fields: { time: \"$[0]\", price: \"$[1]\" }\n")
    let query = ProviderQuery.line(coin: "bitcoin", currency: "usd", window: Declared.window(.seconds(3600)))
    #expect(try file.failure(of: query, body: body) == complaint)
  }

  @Test(arguments: [
    (200, #"{"oops":"Unknown coin xyz"}"#, #"no coin "bitcoin" at mine"#),
    (200, #"{"oops":"slow DOWN please"}"#, #"mine allows no more requests now: slow DOWN please"#),
    (200, #"{"oops":"the cat is on the keyboard"}"#, #"mine answered with HTTP 200: the cat is on the keyboard"#),
    (503, "<html>x</html>", #"mine answered with HTTP 503: a web page instead of JSON"#),
    (429, "", #"mine allows no more requests now: its limit for this address or key is reached"#),
    (404, "{}", #"no coin "bitcoin" at mine"#),
    (401, #"{"oops":"who are you"}"#, #"mine refuses the key: who are you"#),
  ])
  func `The source's own words are given their meaning`(status: Int, body: String, complaint: String) throws {
    let file = try Declared(
      "error: $.oops\nerrors: { not_found: [unknown coin], rate_limited: [slow down] }\n" + Self.fields)
    let query = ProviderQuery.quotes(coins: ["bitcoin"], currency: "usd")
    #expect(try file.failure(of: query, body: body, status: status) == complaint)
  }
}
