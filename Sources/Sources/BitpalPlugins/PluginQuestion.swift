import BitpalJSON
import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials

/// The messages that the host writes for one query.
struct PluginQuestion: Sendable {
  /// The query that the messages are made from.
  let query: ProviderQuery

  private let object: JSONObject

  /// The `hello` message, with the host's version of the protocol.
  static let hello: JSONObject = ["hello": ["bitpal": .integer(PluginManifest.version)]]

  /// Creates the message of a question.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - symbol: Returns a coin's ticker in lower case.
  ///   - interval: The source's candle width from which the requested one is made; nil for other queries.
  ///   - now: The present time by the host's clock.
  init(_ query: ProviderQuery, symbol: (String) -> String, interval: DeclaredOperation.Interval?, now: Date) {
    self.query = query
    var object: JSONObject = ["ask": .string(query.capability.rawValue)]
    switch query {
    case .quotes(let coins, _):
      object.append("coins", .array(coins.map { .string($0) }))
      object.append("symbols", .array(coins.map { .string(symbol($0)) }))
    case .detail(let coin, _), .line(let coin, _, _), .candles(let coin, _, _, _):
      object.append("coin", .string(coin))
      object.append("symbol", .string(symbol(coin)))
    case .coinList, .top: break
    }
    if let currency = query.currency { object.append("currency", .string(currency)) }
    switch query {
    case .line(_, _, let window), .candles(_, _, let window, _):
      object.append("from", window.isAll ? .null : Self.second(window.start))
      object.append("to", Self.second(window.end.adding(.milliseconds(999))))
    case .quotes, .coinList, .top, .detail: break
    }
    if let interval { object.append("interval", .string(interval.code)) }
    object.append("now", Self.second(now))
    self.object = object
  }

  /// Returns an instant in whole seconds, rounded down for instants from 1970 on.
  private static func second(_ instant: Date) -> JSONValue {
    JSONValue(Date(milliseconds: instant.milliseconds - instant.milliseconds % 1000))
  }

  /// The `plan` message, which asks for the requests.
  var plan: JSONObject { ["plan": .object(object)] }

  /// Returns the `parse` message, which hands over the responses to read.
  func parse(_ exchanges: [HTTPExchange]) -> JSONObject {
    var object = object
    object.append("responses", .array(exchanges.map { .object(Self.response($0.response)) }))
    return ["parse": .object(object)]
  }

  private static func response(_ response: HTTPResponse) -> JSONObject {
    var headers: [String: String] = [:]
    // Headers of the same name are joined with commas (RFC 9110, section 5.3).
    for header in response.headers {
      let name = header.name.lowercased()
      headers[name] = headers[name].map { "\($0), \(header.value)" } ?? header.value
    }
    var object: JSONObject = [
      "status": .integer(response.status),
      "headers": .object(JSONObject(headers.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
    ]
    if let text = String(validating: response.body, as: UTF8.self) {
      object.append("body", .string(text))
    } else {
      object.append("base64", .string(Data(response.body).base64EncodedString()))
    }
    return object
  }
}
