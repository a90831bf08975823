import LoopbackServer
import Testing

/// Something a source does instead of answering, and what the tool says to it.
struct Fault: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let answer: ServerReply
  let status: Int32
  /// The cause as it is told, without what to do next.
  let cause: String

  init(_ name: String, _ answer: ServerReply, exit status: Int32, _ cause: String) {
    testDescription = name
    self.answer = answer
    self.status = status
    self.cause = cause
  }

  private static let page = "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>"

  private static func row(price: String) -> String {
    #"[{"id":"bitcoin","symbol":"btc","name":"Bitcoin","current_price":\#(price)}]"#
  }

  private static let unreachable = "cannot reach 127.0.0.1: "
  private static let unreadable = "coingecko sent an answer that cannot be read: "
  private static let refused = "coingecko allows no more requests now: "

  /// What ends by itself.
  static let quick: [Fault] = [
    Fault(
      "429", .status(429, headers: [("Retry-After", "60")]), exit: 5,
      refused + "it answered with HTTP 429 (free again in 1m)"),
    Fault(
      "418", .status(418), exit: 5, refused + "it bans this address for a while (HTTP 418) (free again in 1h)"),
    Fault("Throttled", .status(200, "Throttled"), exit: 5, refused + "its limit for this address or key is reached"),
    Fault("503 for ever", .status(503), exit: 4, "coingecko answered with HTTP 503: without a message"),
    Fault("reset", .reset, exit: 4, unreachable + "the connection was reset"),
    Fault("empty", .close, exit: 4, unreachable + "it closed the connection without an answer"),
    Fault(
      "half a body", .halfBody(Array(row(price: "1").utf8)), exit: 4,
      unreachable + "the answer broke off after 34 bytes"),
    Fault("garbage", .garbage, exit: 6, unreadable + "it is not HTTP"),
    Fault(
      "Cloudflare page", .status(403, page), exit: 4, "coingecko answered with HTTP 403: a web page instead of JSON"),
    Fault(
      "Cloudflare page as an answer", .status(200, page), exit: 6,
      unreadable + "it is a web page instead of JSON, as sources send that block an address"),
    Fault(
      "an object instead of a list", .ok(json: #"{"bitcoin":{"usd":1}}"#), exit: 6,
      unreadable + #"it should be a JSON array, but it starts with {"bitcoin":{"usd":1}}"#),
    Fault(
      "a text for a price", .ok(json: row(price: #""1""#)), exit: 6,
      unreadable + #"current_price should be a number, but it is "1""#),
    Fault(
      "half a list", .ok(json: #"[{"id":"bitcoin""#), exit: 6,
      unreadable + #"it is not JSON; it starts with [{"id":"bitcoin""#),
    Fault("price null", .ok(json: row(price: "null")), exit: 1, "coingecko has no price for bitcoin"),
    Fault(
      "price below zero", .ok(json: row(price: "-1")), exit: 1,
      "coingecko has no price for bitcoin: the price of bitcoin is -1, not above zero"),
    Fault("gzip bomb of 200 MiB", .gzipBomb(unpacked: 200 << 20), exit: 6, unreadable + "it is larger than 10 MiB"),
    Fault("endless body", .endlessBody, exit: 6, unreadable + "it is larger than 10 MiB"),
    Fault("endless headers", .endlessHeaders, exit: 6, unreadable + "it has more than 256 headers"),
    Fault("endless header line", .endlessHeaderLine, exit: 6, unreadable + "its headers are larger than 64 KiB"),
    Fault(
      "redirect to a file", .redirect(to: "file:///etc/passwd"), exit: 6,
      unreadable + "it redirects to file://, which is not followed"),
    Fault("redirect to itself", .redirect(to: "/api"), exit: 6, unreadable + "it redirects more than 5 times"),
  ]

  /// What would take longer than anybody waits; its cause is told with the limit of the command.
  static let endless: [Fault] = [
    Fault("silence", .silence(.seconds(60)), exit: 4, "coingecko did not answer within "),
    Fault(
      "a byte every 0.3 s", .drip(Array(repeating: UInt8(ascii: " "), count: 1000), interval: .milliseconds(300)),
      exit: 4,
      "coingecko did not answer within "),
  ]
}
