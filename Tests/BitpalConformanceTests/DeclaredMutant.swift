import BitpalConformance
import Testing

/// A provider file that does one thing wrong, and the rule that is there for it.
struct DeclaredMutant: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let base: String
  let changes: [(old: String, new: String)]
  let rule: ConformanceRule
  let problem: String

  /// The problem of candles that contradict themselves.
  private static let wrongRows =
    "it threw: mine sent an answer that cannot be read: each row of candles of bitcoin is wrong; the first, "
    + "2025-01-15T10:00:00Z: the "

  init(
    _ description: String, of base: String = single, _ changes: [(String, String)], _ rule: ConformanceRule,
    _ problem: String
  ) {
    testDescription = description
    self.base = base
    self.changes = changes
    self.rule = rule
    self.problem = problem
  }

  /// A source that is asked for one coin at a time.
  static let single = """
    currencies: [usd, eur]
    error: $.error
    errors: { not_found: [unknown coin] }
    quotes:
      get: /price/{id}/{currency}
      time: iso8601
      fields: { price: $.last, time: $.at }
    line:
      get: /line/{id}/{currency}?from={from}&to={to}
      time: seconds
      each: $.points
      fields: { time: "$[0]", price: "$[1]" }
    candles:
      get: /candles/{id}/{currency}?from={from}&to={to}&width={interval}
      intervals: { 15m: 15 }
      time: seconds
      each: $.candles
      fields: { time: "$[0]", open: "$[1]", high: "$[2]", low: "$[3]", close: "$[4]" }
    examples:
      - ask: quotes
        coin: bitcoin
        body: '{"last":96841.32,"at":"2025-01-15T10:29:43Z"}'
        rows: [{ price: 96841.32 }]
      - ask: quotes
        coin: ethereum
        body: '{"last":"3225.55","at":"2025-01-15T10:29:43Z"}'
        rows: [{ price: 3225.55 }]
      - ask: quotes
        coin: nope
        body: '{"error":"unknown coin"}'
        error: not_found
      - ask: line
        coin: bitcoin
        now: 2025-01-15T10:30:00Z
        window: 1h
        body: '{"points":[[1736937000,96510.01],[1736936100,96490.25],[1736935200,96480.75]]}'
        rows: [{}, {}, {}]
      - ask: candles
        coin: bitcoin
        now: 2025-01-15T10:30:00Z
        window: 1h
        width: 15m
        body: '{"candles":[[1736936100,96490.25,96540.5,96480.75,96510.01],[1736935200,96470.5,96515.5,96460.25,96490.25]]}'
        rows: [{}, {}]
    """

  /// A source that answers for several coins at once.
  static let batched = """
    symbols: { bitcoin: BTC, ethereum: ETH }
    quotes:
      get: /prices?of={SYMBOLS}&in={currency}
      batch: 3
      each: $.data
      fields: { symbol: $.sym, price: $.last }
    examples:
      - ask: quotes
        coin: [bitcoin, ethereum]
        body: '{"data":[{"sym":"ETH","last":"3225.55"},{"sym":"BTC","last":"96841.32"}]}'
        rows: [{ id: bitcoin, price: 96841.32 }, { id: ethereum, price: 3225.55 }]
    """

  static let all = [
    DeclaredMutant(
      "gives two coins one ticker, so that the first asked for has the price", of: batched,
      [("ethereum: ETH", "ethereum: BTC")], .order, "ethereum has no price: no coin \"ethereum\" at mine"),
    DeclaredMutant(
      "takes every row of a batch for the same coin", of: batched, [("symbol: $.sym", "id: \"'bitcoin'\"")], .order,
      "bitcoin has no price: mine sent an answer that cannot be read: two rows are of bitcoin"),
    DeclaredMutant(
      "swaps two tickers", of: batched, [("bitcoin: BTC, ethereum: ETH", "bitcoin: ETH, ethereum: BTC")], .numberText,
      "bitcoin costs 3225.55, not 96841.32"),
    DeclaredMutant(
      "asks for bitcoin whatever the coin", [("/price/{id}/", "/price/bitcoin/")], .unknownCoins,
      "a coin that does not exist costs 96841.32"),
    DeclaredMutant(
      "draws bitcoin's line whatever the coin", [("/line/{id}/", "/line/bitcoin/")], .unknownCoins,
      "a coin that does not exist has a line"),
    DeclaredMutant(
      "draws bitcoin's candles whatever the coin", [("/candles/{id}/", "/candles/bitcoin/")], .unknownCoins,
      "a coin that does not exist has candles"),
    DeclaredMutant(
      "asks for dollars whatever the currency", [("/price/{id}/{currency}", "/price/{id}/usd")], .currencies,
      "bitcoin costs 96841.32 in usd and in eur alike"),
    DeclaredMutant(
      "asks for dollars and lists no currencies",
      [("currencies: [usd, eur]\n", ""), ("/price/{id}/{currency}", "/price/{id}/usd")], .currencies,
      "bitcoin has a price in zzz, which is not a currency"),
    DeclaredMutant(
      "draws lines in dollars whatever the currency",
      [("currencies: [usd, eur]\n", ""), ("/line/{id}/{currency}", "/line/{id}/usd")], .currencies,
      "zzz, which is not a currency, has a line"),
    DeclaredMutant(
      "takes the price through a floating-point number",
      [("price: $.last", "price: CAST(row.value->>'$.last' AS REAL)")], .numberText,
      "bitcoin costs nothing, not 96841.32"),
    DeclaredMutant(
      "takes the price through a floating-point number and hides it",
      [("price: $.last", "price: CAST(CAST(row.value->>'$.last' AS REAL) AS TEXT)")], .numberText,
      "when the source sends 96841.320000000001234567, 96841.32 comes out (quotes)"),
    DeclaredMutant(
      "rounds the price", [("price: $.last", "price: \"printf('%.2f', row.value->>'$.last')\"")], .numberText,
      "when the source sends 96841.320000000001234567, 96841.32 comes out (quotes)"),
    DeclaredMutant(
      "takes a line through floating-point numbers",
      [("price: \"$[1]\"", "price: \"CAST(CAST(row.value->>1 AS REAL) AS TEXT)\"")], .numberText,
      "when the source sends 96510.010000000001234567, 96510.01 comes out (line)"),
    DeclaredMutant(
      "takes the low of candles through floating-point numbers",
      [("low: \"$[3]\"", "low: \"CAST(CAST(row.value->>3 AS REAL) AS TEXT)\"")], .numberText,
      "when the source sends 96480.750000000001234567, 96480.75 comes out (candles)"),
    DeclaredMutant(
      "reads a line's time of nine hours east as UTC",
      [("{ time: \"$[0]\", price", "{ time: \"(row.value->>0) + 32400\", price")], .utc,
      "the last of the line of bitcoin is of 2025-01-15 19:30:00Z, after the end"),
    DeclaredMutant(
      "reads a line's time of an hour west as UTC",
      [("{ time: \"$[0]\", price", "{ time: \"(row.value->>0) - 3600\", price")], .utc,
      "the last of the line of bitcoin is of 2025-01-15 09:30:00Z, 1h before the end"),
    DeclaredMutant(
      "reads the candles' time of five hours west as UTC",
      [("{ time: \"$[0]\", open", "{ time: \"(row.value->>0) - 18000\", open")], .utc,
      "the last of the candles of bitcoin is of 2025-01-15 05:15:00Z, 5h 15m before the end"),
    DeclaredMutant(
      "takes seconds for milliseconds", [("time: seconds\n  each: $.points", "time: milliseconds\n  each: $.points")],
      .windows, "none of 3 points lies in the window"),
    DeclaredMutant(
      "takes the high for the close", [("high: \"$[2]\"", "high: \"$[4]\""), ("close: \"$[4]\"", "close: \"$[2]\"")],
      .windows, wrongRows),
    DeclaredMutant(
      "takes the low for the high", [("high: \"$[2]\"", "high: \"$[3]\""), ("low: \"$[3]\"", "low: \"$[2]\"")],
      .windows, wrongRows),
  ]
}
