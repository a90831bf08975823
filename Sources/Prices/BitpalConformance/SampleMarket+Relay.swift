import BitpalModel
import BitpalNetwork
import FoundationEssentials

/// The answers of the same market behind another server of bitpal.
extension SampleMarket {
  /// Returns the answer of that server; nil for a URL that is not one of its paths.
  func relayed(_ url: String) -> HTTPResponse? {
    guard let path = url.components(separatedBy: "/v1/").dropFirst().first else { return nil }
    guard path.contains("currency=usd") else {
      return Self.failure(422, "unsupported_currency", "unknown currency")
    }
    if path.hasPrefix("price") { return prices(path) }
    guard path.hasPrefix("chart/id%3Aone?") else { return Self.failure(404, "not_found", "no such coin") }
    let isLine = path.contains("type=line")
    let points = Self.stamps.map { stamp -> String in
      let time = Date(milliseconds: stamp).iso8601
      return isLine
        ? #"{"time":"\#(time)","price":"1.53125"}"#
        : #"{"time":"\#(time)","open":"1.015625","high":"2.03125","low":"0.5078125","close":"1.53125"}"#
    }
    let candle = isLine ? "null" : #""30m""#
    return Self.object(
      200, "chart",
      #""coin":"one","candle":\#(candle),"points":[\#(points.joined(separator: ","))],\#(Self.provenance)"#)
  }

  private func prices(_ path: String) -> HTTPResponse {
    let names = path.components(separatedBy: "coins=").dropFirst().first?.prefix { $0 != "&" } ?? ""
    let asked = names.split(separator: ",").map { String($0.dropFirst("id%3A".count)) }
    let rows = Self.coins.reversed().filter { asked.contains($0.0) }.map { id, price in
      let digits = (try? Decimal(strict: price))?.plainText ?? price
      return #"{"id":"\#(id)","symbol":"\#(id)","name":"\#(id)","price":"\#(digits)",\#(Self.provenance)}"#
    }
    let known = Set(Self.coins.map(\.0))
    let errors = asked.filter { !known.contains($0) }.map {
      #"{"coin":"id:\#($0)","code":"not_found","message":"no such coin"}"#
    }
    return Self.object(
      rows.isEmpty ? 404 : 200, "prices", #""prices":[\#(rows.joined(separator: ","))]"#,
      errors: errors.joined(separator: ","))
  }

  private static let provenance =
    #""source":"sample","fetched_at":"\#(instant.iso8601)","stale_reason":null,"converted":null"#

  private static func object(_ status: Int, _ name: String, _ members: String, errors: String = "") -> HTTPResponse {
    let body = #"{"schema":"bitpal.\#(name)/1","currency":"usd",\#(members),"errors":[\#(errors)]}"#
    return HTTPResponse(status: status, body: Array(body.utf8))
  }

  private static func failure(_ status: Int, _ code: String, _ message: String) -> HTTPResponse {
    object(status, "error", #""error":null"#, errors: #"{"code":"\#(code)","message":"\#(message)"}"#)
  }
}
