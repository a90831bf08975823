import BitpalModel
import ProviderFiles
import Testing

@Suite struct `Mistakes in what a declared provider asks` {
  @Test(arguments: [
    BadDeclaration(
      "a body without a POST, and a cursor without pages",
      #"""
      quotes:
        get: /x/{id}?c={cursor}
        send: { id: "{id}" }
        fields: { price: $.p }
      """#,
      #"""
      mine.yaml:6:18: {cursor} has no meaning here (valid here: {id} {ID} {symbol} {SYMBOL} {currency} {CURRENCY} {key})
          get: /x/{id}?c={cursor}
                         ^
      mine.yaml:7:3: send is the body of a POST; write post: in the place of get:
          send: { id: "{id}" }
          ^
      """#),
    BadDeclaration(
      "two ways to ask",
      #"""
      quotes:
        get: /x/{id}
        post: /y
        send: { id: "{id}" }
        fields: { price: $.p }
      """#,
      #"""
      mine.yaml:6:3: get and post are two ways to ask; use one of them
          get: /x/{id}
          ^
      """#),
    BadDeclaration(
      "a key and an unknown name in a body",
      #"""
      quotes:
        post: /x
        send: { key: "{key}", a: [1, "{coin}"] }
        fields: { price: $.p }
      """#,
      #"""
      mine.yaml:7:17: {key} is only for headers: and for the query of get: or post:
          send: { key: "{key}", a: [1, "{coin}"] }
                        ^
      mine.yaml:7:33: unknown placeholder {coin} (valid here: {id} {ID} {symbol} {SYMBOL} {currency} {CURRENCY})
          send: { key: "{key}", a: [1, "{coin}"] }
                                        ^
      """#),
    BadDeclaration(
      "a text without quotes, and a body that is almost JSON",
      #"""
      quotes:
        post: /x
        send: { id: {id} }
        fields: { price: $.p }
      coin_list:
        post: /y
        send: "{'a': 1}"
        fields: { id: $.a, symbol: $.b, name: $.c }
      """#,
      #"""
      mine.yaml:7:9: {id} is a text and must stand in quotes here
          send: { id: {id} }
                ^
      mine.yaml:11:10: this begins like JSON but is not valid JSON; write it as a mapping, or with double quotes
          send: "{'a': 1}"
                 ^
      """#),
    BadDeclaration(
      "a path by how far back it answers, where nothing goes back",
      #"""
      quotes:
        get: { 90d: /x, max: /y }
        fields: { price: $.p }
      line:
        get: { 90x: /x, 1d: /z }
        time: seconds
        fields: { time: $.t, price: $.p }
      """#,
      #"""
      mine.yaml:6:8: only line and candles go back in time; quotes.get must be one path
          get: { 90x: /x, max: /y }
               ^
      mine.yaml:9:8: line.get lacks max, the path of all there is, like { 90d: /90-days, max: /all }
          get: { 90x: /x, 1d: /z }
               ^
      mine.yaml:9:10: how far back a path answers is a duration like 90d, or max, not "90x"
          get: { 90x: /x, 1d: /z }
                 ^
      """#.replacing("{ 90x: /x, max", with: "{ 90d: /x, max")),
    BadDeclaration(
      "patterns that are none",
      #"""
      line:
        get: /x?a={from:yyyy-mmm}&b={days:yyyy}&c={to:YYYY}
        time: seconds
        fields: { time: $.t, price: $.p }
      candles:
        get: /x?a={days:yyyy}
        intervals: { 1d: 1d }
        time: seconds
        columns: { time: $.t, open: $.o, high: $.h, low: $.l, clos: c }
        each: $
      """#,
      #"""
      mine.yaml:6:24: mmm has no meaning in a time (yyyy yy, M MM MMM MMMM, d dd, H HH, h hh with a, m mm, s ss, S, E EEEE, Z X x; other letters stand between apostrophes)
          get: /x?a={from:yyyy-mmm}&b={days:yyyy}&c={to:YYYY}
                               ^
      mine.yaml:10:13: only {from}, {to} and {date} take a pattern, like {from:yyyyMMdd}
          get: /x?a={days:yyyy}
                    ^
      mine.yaml:13:3: candles.columns lacks the column "close"
          columns: { time: $.t, open: $.o, high: $.h, low: $.l, clos: c }
          ^
      mine.yaml:13:57: unknown key "clos" (did you mean "close"?)
          columns: { time: $.t, open: $.o, high: $.h, low: $.l, clos: c }
                                                                ^
      mine.yaml:14:3: each is for rows, and columns for an array a column; use one of the two
          each: $
          ^
      """#),
    BadDeclaration(
      "coins that are not there, and paths that are none",
      #"""
      only: ids
      error: [$.error, message]
      currency: usd
      quotes:
        get: /x
        next: cursor
        fields: { price: $.p }
      """#,
      #"""
      mine.yaml:5:7: only: ids needs the coins that there are, under ids:
        only: ids
              ^
      mine.yaml:6:18: error must be a path that begins with $, like $.error[0]
        error: [$.error, message]
                         ^
      mine.yaml:7:11: currency must be a path that begins with $, like $.meta.currency
        currency: usd
                  ^
      mine.yaml:10:9: quotes.next must be a path that begins with $, like $.result
          next: cursor
                ^
      """#),
  ])
  func `Each is reported with its place, be it in a request, its pages or its columns`(file: BadDeclaration) throws {
    #expect(try Declared(file.text).complaint == file.complaint)
  }
}
