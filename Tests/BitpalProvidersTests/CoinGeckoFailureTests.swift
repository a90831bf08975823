import BitpalModel
import BitpalNetwork
import BitpalProviders
import Testing

@Suite struct `How CoinGecko complains` {
  private static let cloudflare =
    "<!DOCTYPE html><html><head><title>Access denied</title></head><body>Error 1015: rate limited</body></html>"

  @Test(arguments: [
    (404, #"{"error":"coin not found"}"#, BitpalError.notFound(coin: "x", provider: "coingecko")),
    (
      404, #"{"error":"Incorrect path. Please check https://example.com"}"#,
      .refused(provider: "coingecko", status: 404, reason: "Incorrect path. Please check https://example.com")
    ),
    (
      422, #"{"error":"Missing parameter vs_currency"}"#,
      .refused(provider: "coingecko", status: 422, reason: "Missing parameter vs_currency")
    ),
    (400, #"{"error":"invalid vs_currency"}"#, .unsupportedCurrency("usd", provider: "coingecko", supported: [])),
    (
      429, #"{"status":{"error_code":429,"error_message":"You've exceeded the Rate Limit."}}"#,
      .rateLimited(provider: "coingecko", wait: nil, reason: "You've exceeded the Rate Limit.")
    ),
    (
      401, #"{"status":{"error_code":10002,"error_message":"API Key Missing"}}"#,
      .unauthorized(provider: "coingecko", reason: "API Key Missing")
    ),
    (
      401,
      #"{"error":{"status":{"timestamp":"t","error_code":10012,"error_message":"Your request exceeds the allowed time range."}}}"#,
      .planLimit(provider: "coingecko", reason: "Your request exceeds the allowed time range.")
    ),
    (
      401, #"{"status":{"error_message":"interval=daily is exclusive to paid plan subscribers"}}"#,
      .planLimit(provider: "coingecko", reason: "interval=daily is exclusive to paid plan subscribers")
    ),
    (
      400, #"{"timestamp":"t","error_code":10012,"status":{"error_message":"too many contract addresses"}}"#,
      .refused(provider: "coingecko", status: 400, reason: "too many contract addresses")
    ),
    (
      403, #"{"status":{"error_code":10005,"error_message":"paid only"}}"#,
      .planLimit(provider: "coingecko", reason: "paid only")
    ),
    (
      400, #"{"status":{"error_code":10011,"error_message":"wrong host"}}"#,
      .unauthorized(
        provider: "coingecko",
        reason: "wrong host (the key is a free one: set tier: demo under providers: coingecko: in config.yaml)")
    ),
    (
      400, #"{"status":{"error_code":10010,"error_message":"wrong host"}}"#,
      .unauthorized(
        provider: "coingecko",
        reason: "wrong host (the key is a paid one: set tier: pro under providers: coingecko: in config.yaml)")
    ),
    (
      403, #"{"status":{"error_code":403,"error_message":"Please set a User-Agent"}}"#,
      .refused(provider: "coingecko", status: 403, reason: "Please set a User-Agent")
    ),
    (
      500, #"{"status":500,"error":"Internal Server Error"}"#,
      .refused(provider: "coingecko", status: 500, reason: "Internal Server Error")
    ),
    (
      429, "Throttled",
      .rateLimited(provider: "coingecko", wait: nil, reason: "its limit for this address or key is reached")
    ),
    (
      200, "Throttled",
      .rateLimited(provider: "coingecko", wait: nil, reason: "its limit for this address or key is reached")
    ),
    (
      403, "error code: 1015",
      .rateLimited(provider: "coingecko", wait: nil, reason: "its limit for this address or key is reached")
    ),
    (
      403, cloudflare,
      .rateLimited(provider: "coingecko", wait: nil, reason: "its limit for this address or key is reached")
    ),
    (
      403, "<html>error code 1020</html>",
      .refused(provider: "coingecko", status: 403, reason: "the edge's firewall turned the request away (error 1020)")
    ),
    (502, "<html>bad</html>", .refused(provider: "coingecko", status: 502, reason: "a web page instead of JSON")),
    (503, "", .refused(provider: "coingecko", status: 503, reason: "without a message")),
    (503, "\u{1B}[31mdown", .refused(provider: "coingecko", status: 503, reason: "\u{FFFD}[31mdown")),
  ])
  func `Each shape of complaint has its meaning`(status: Int, body: String, error: BitpalError) {
    let response = HTTPResponse(status: status, body: Array(body.utf8))
    #expect(throws: error) { try CoinGeckoDialect().detail("x", currency: "usd", from: response) }
  }

  @Test(
    arguments: [
      ("119", Duration.seconds(119)), ("0", .zero), ("-5", nil), ("soon", nil), ("99999999999", .seconds(86_400)),
    ] as [(String, Duration?)])
  func `Retry-After in seconds is passed on, nonsense is not`(value: String, wait: Duration?) {
    let response = HTTPResponse(status: 429, headers: [HTTPHeader("retry-after", value)])
    let error = BitpalError.rateLimited(
      provider: "coingecko", wait: wait, reason: "its limit for this address or key is reached")
    #expect(throws: error) { try CoinGeckoDialect().coinList(from: response) }
  }
}
