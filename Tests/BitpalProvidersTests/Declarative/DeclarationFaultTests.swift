import BitpalModel
import ProviderFiles
import Testing

/// A provider file with mistakes, and everything that is said about it.
struct BadDeclaration: CustomTestStringConvertible {
  let testDescription: String
  let text: String
  let complaint: String

  init(_ testDescription: String, _ text: String, _ complaint: String) {
    self.testDescription = testDescription
    self.text = text
    self.complaint = complaint
  }
}

@Suite struct `Mistakes in a declared provider` {
  @Test(arguments: [
    BadDeclaration(
      "an unknown key",
      #"""
      quotes:
        get: /x/{id}
        feilds: { price: $.p }
      """#,
      #"""
      mine.yaml:5:1: quotes lacks fields (or select), which say where the columns are
        quotes:
        ^
      mine.yaml:7:3: unknown key "feilds" (did you mean "fields"?)
          feilds: { price: $.p }
          ^
      """#),
    BadDeclaration(
      "an unknown placeholder",
      #"""
      quotes:
        get: /x/{coin}
        fields: { price: $.p }
      """#,
      #"""
      mine.yaml:6:11: unknown placeholder {coin} (valid here: {id} {ID} {symbol} {SYMBOL} {currency} {CURRENCY} {key})
          get: /x/{coin}
                  ^
      """#),
    BadDeclaration(
      "a placeholder without a meaning there",
      #"""
      coin_list:
        get: /x/{id}
        fields: { id: $.a, symbol: $.b, name: $.c }
      """#,
      #"""
      mine.yaml:6:11: {id} has no meaning here (valid here: {key})
          get: /x/{id}
                  ^
      """#),
    BadDeclaration(
      "the key in a path",
      #"""
      quotes:
        get: /x/{key}/{id}?a=b
        fields: { price: $.p }
      """#,
      #"""
      mine.yaml:6:8: {key} belongs behind the ? of quotes.get, or in headers:
          get: /x/{key}/{id}?a=b
               ^
      """#),
    BadDeclaration(
      "a missing column",
      #"""
      candles:
        get: /x/{id}
        intervals: { 1d: d }
        time: seconds
        fields: { time: $.t, open: $.o, high: $.h, low: $.l }
      """#,
      #"""
      mine.yaml:9:3: candles.fields lacks the column "close"
          fields: { time: $.t, open: $.o, high: $.h, low: $.l }
          ^
      """#),
    BadDeclaration(
      "an unknown column",
      #"""
      quotes:
        get: /x/{id}
        fields: { pric: $.p, price: $.p }
      """#,
      #"""
      mine.yaml:7:13: unknown key "pric" (did you mean "price"?)
          fields: { pric: $.p, price: $.p }
                    ^
      """#),
    BadDeclaration(
      "a missing column of a SELECT",
      #"""
      quotes:
        get: /x/{id}
        select: SELECT :body->'$.p' AS prise
      """#,
      #"""
      mine.yaml:7:11: the SELECT lacks the column "price" (it has: prise); write  … AS price
          select: SELECT :body->'$.p' AS prise
                  ^
      mine.yaml:7:11: unknown column "prise" (did you mean "price"?)
          select: SELECT :body->'$.p' AS prise
                  ^
      """#),
    BadDeclaration(
      "SQL that is none, in a block",
      #"""
      quotes:
        get: /x/{id}
        select: |
          SELECT row.value->'$.p' AS price
          FORM json_each(:body) AS row
      """#,
      #"""
      mine.yaml:9:5: this is not SQL that SQLite can read: near "FORM": syntax error
            FORM json_each(:body) AS row
            ^
      """#),
    BadDeclaration(
      "SQL that is none, in one line",
      #"""
      quotes:
        get: /x/{id}
        select: "SELECT :body->'$.p' AS price FROM json_each(:body"
      """#,
      #"""
      mine.yaml:7:12: this is not SQL that SQLite can read: incomplete input
          select: "SELECT :body->'$.p' AS price FROM json_each(:body"
                   ^
      """#),
    BadDeclaration(
      "SQL that is none, in a field",
      #"""
      quotes:
        get: /x/{id}
        fields: { price: "upper(nope)" }
      """#,
      #"""
      mine.yaml:7:27: this is not SQL that SQLite can read: no such column: nope
          fields: { price: "upper(nope)" }
                                  ^
      """#),
    BadDeclaration(
      "a path that is none",
      #"""
      quotes:
        get: /x/{id}
        fields: { price: "$.a[x]" }
      """#,
      #"""
      mine.yaml:7:21: this is not a path; write one like $.result.price, $.rows[0] or $."a key"
          fields: { price: "$.a[x]" }
                            ^
      """#),
    BadDeclaration(
      "a write",
      #"""
      quotes:
        get: /x/{id}
        select: CREATE TABLE t AS SELECT 1 AS price
      """#,
      #"""
      mine.yaml:7:11: a provider's SELECT may only read JSON; CREATE is not allowed
          select: CREATE TABLE t AS SELECT 1 AS price
                  ^
      """#),
    BadDeclaration(
      "an attempt to attach",
      #"""
      quotes:
        get: /x/{id}
        select: ATTACH 'x.db' AS x
      """#,
      #"""
      mine.yaml:7:11: a provider's SELECT may only read JSON; ATTACH is not allowed
          select: ATTACH 'x.db' AS x
                  ^
      """#),
    BadDeclaration(
      "a pragma",
      #"""
      quotes:
        get: /x/{id}
        select: SELECT name AS price FROM pragma_database_list
      """#,
      #"""
      mine.yaml:7:11: a provider's SELECT may only read JSON; a table other than json_each and json_tree is not \#
      allowed
          select: SELECT name AS price FROM pragma_database_list
                  ^
      """#),
    BadDeclaration(
      "a second statement",
      #"""
      quotes:
        get: /x/{id}
        select: SELECT :body AS price; ATTACH 'x' AS y
      """#,
      #"""
      mine.yaml:7:34: a provider's SELECT may only read JSON; a second statement is not allowed
          select: SELECT :body AS price; ATTACH 'x' AS y
                                         ^
      """#),
    BadDeclaration(
      "a clock",
      #"""
      quotes:
        get: /x/{id}
        select: SELECT datetime('now') AS price
      """#,
      #"""
      mine.yaml:7:18: a provider's SELECT may only read JSON; the function datetime is not allowed
          select: SELECT datetime('now') AS price
                         ^
      """#),
    BadDeclaration(
      "an extension",
      #"""
      quotes:
        get: /x/{id}
        select: SELECT load_extension('x') AS price
      """#,
      #"""
      mine.yaml:7:18: a provider's SELECT may only read JSON; the function load_extension is not allowed
          select: SELECT load_extension('x') AS price
                         ^
      """#),
    BadDeclaration(
      "an unknown parameter",
      #"""
      quotes:
        get: /x/{id}
        select: SELECT :body->:coin AS price
      """#,
      #"""
      mine.yaml:7:25: unknown parameter :coin (valid here: :body :id :ID :symbol :SYMBOL :currency :CURRENCY :key)
          select: SELECT :body->:coin AS price
                                ^
      """#),
    BadDeclaration(
      "no time",
      #"""
      line:
        get: /x/{id}
        fields: { time: $.t, price: $.p }
      """#,
      #"""
      mine.yaml:5:1: line lacks time: seconds, milliseconds, iso8601 or a pattern (how its time column is written)
        line:
        ^
      """#),
    BadDeclaration(
      "a batch without ids",
      #"""
      quotes:
        get: /x/{ids}
        batch: 10
        fields: { price: $.p }
      """#,
      #"""
      mine.yaml:8:20: no row says whose it is; map id or symbol, because one answer is of several coins
          fields: { price: $.p }
                           ^
      """#),
    BadDeclaration(
      "all coins, and a SELECT about one",
      #"""
      quotes:
        get: /x
        all: true
        select: SELECT 1 AS price, :SYMBOL AS symbol
      """#,
      #"""
      mine.yaml:8:11: :SYMBOL is one coin, but one answer is of several; map id or symbol instead
          select: SELECT 1 AS price, :SYMBOL AS symbol
                  ^
      """#),
    BadDeclaration(
      "a character set that is not read",
      #"""
      quotes: { get: /x, encoding: moon, fields: { price: $.p } }
      """#,
      #"""
      mine.yaml:5:30: quotes.encoding is moon, a character set that is not read
        quotes: { get: /x, encoding: moon, fields: { price: $.p } }
                                     ^
      """#),
    BadDeclaration(
      "a batch that is not asked for",
      #"""
      quotes:
        get: /x
        batch: 10
        fields: { id: $.i, price: $.p }
      """#,
      #"""
      mine.yaml:6:8: with batch, quotes.get must hold {ids} or {SYMBOLS}; where one answer has all coins, write all: true
          get: /x
               ^
      """#),
    BadDeclaration(
      "several intervals that are not asked for",
      #"""
      candles:
        get: /x/{id}
        intervals: { 1d: d, 1x: y, 1h: h }
        time: seconds
        fields: { time: $.t, open: $.o, high: $.h, low: $.l, close: $.c }
      """#,
      #"""
      mine.yaml:6:8: with several intervals, candles.get must hold {interval}
          get: /x/{id}
               ^
      mine.yaml:7:23: a candle width is a duration like 1m, 4h or 1d, not "1x"
          intervals: { 1d: d, 1x: y, 1h: h }
                              ^
      """#),
    BadDeclaration(
      "nothing to ask",
      #"""
      website: https://example.com
      """#,
      #"""
      mine.yaml:3:7: a provider of kind http needs an operation: quotes, coin_list, detail, line or candles
        kind: http
              ^
      """#),
    BadDeclaration(
      "an example without a body",
      #"""
      quotes:
        get: /x/{id}
        fields: { price: $.p }
      examples:
        - { ask: quotes, coin: bitcoin, rows: [{ prise: 1 }] }
      """#,
      #"""
      mine.yaml:9:5: this example lacks body (or body_file)
          - { ask: quotes, coin: bitcoin, rows: [{ prise: 1 }] }
            ^
      """#),
    BadDeclaration(
      "brackets without quotes",
      #"""
      quotes:
        get: /x/{id}
        fields: { price: $.c[0] }
      """#,
      #"""
      mine.yaml:7:23: a text with "[" in it needs quotes here, like "$.a[0]" or "$.{id}.a"
          fields: { price: $.c[0] }
                              ^
      """#),
    BadDeclaration(
      "headers",
      #"""
      headers: { X-Key: "{key} please", "a b": c, Host: x, transfer-encoding: y, Content-Length: 5 }
      quotes:
        get: /x/{id}
        fields: { price: $.p }
      """#,
      #"""
      mine.yaml:5:19: {key} must stand at the end of a header, like  Bearer {key}
        headers: { X-Key: "{key} please", "a b": c, Host: x, transfer-encoding: y, Content-Length: 5 }
                          ^
      mine.yaml:5:35: a header's name is made of letters, digits and -
        headers: { X-Key: "{key} please", "a b": c, Host: x, transfer-encoding: y, Content-Length: 5 }
                                          ^
      mine.yaml:5:45: the header Host is the transport's own and cannot be set
        headers: { X-Key: "{key} please", "a b": c, Host: x, transfer-encoding: y, Content-Length: 5 }
                                                    ^
      mine.yaml:5:54: the header transfer-encoding is the transport's own and cannot be set
        headers: { X-Key: "{key} please", "a b": c, Host: x, transfer-encoding: y, Content-Length: 5 }
                                                             ^
      mine.yaml:5:76: the header Content-Length is the transport's own and cannot be set
        y: "{key} please", "a b": c, Host: x, transfer-encoding: y, Content-Length: 5 }
                                                                    ^
      """#),
    BadDeclaration(
      "a path that climbs",
      #"""
      quotes:
        get: /x/../../{id}?y=..
        fields: { price: $.p }
      """#,
      #"""
      mine.yaml:6:8: quotes.get must not climb with . or ..; it follows base_url
          get: /x/../../{id}?y=..
               ^
      """#),
    BadDeclaration(
      "common table expressions that double, twenty times over",
      "quotes:\n  get: /x/{id}\n  select: WITH a0(x) AS (SELECT 1)"
        + (1...20).map { ", a\($0)(x) AS (SELECT p.x FROM a\($0 - 1) p, a\($0 - 1))" }.joined()
        + " SELECT x AS price FROM a20",
      #"""
      mine.yaml:7:11: it takes too long to compile; does a WITH name the one before it more than once?
          select: WITH a0(x) AS (SELECT 1), a1(x) AS (SELECT p.x FROM a0 p, a0), a2(x) AS (SELECT p.x FROM a…
                  ^
      """#),
  ])
  func `Each is reported with its place, before anything is fetched`(file: BadDeclaration) throws {
    #expect(try Declared(file.text).complaint == file.complaint)
  }
}
