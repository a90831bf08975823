import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

/// The messages that the host writes for a question.
struct PluginQuestion: Sendable {
  /// The question behind it.
  let query: ProviderQuery

  private let object: JSONObject

  /// `hello`, in the version that is spoken here.
  static let hello: JSONObject = ["hello": ["bitpal": .integer(PluginManifest.version)]]

  /// - Parameters:
  ///   - query: The question.
  ///   - symbol: A coin's ticker in lower case.
  ///   - interval: The candle width that the source has for the one that is wanted.
  ///   - now: The host's clock.
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
    case .coinList: break
    }
    if let currency = query.currency { object.append("currency", .string(currency)) }
    switch query {
    case .line(_, _, let window), .candles(_, _, let window, _):
      object.append("from", window.isAll ? .null : Self.second(window.start))
      object.append("to", Self.second(window.end.adding(.milliseconds(999))))
    case .quotes, .coinList, .detail: break
    }
    if let interval { object.append("interval", .string(interval.code)) }
    object.append("now", Self.second(now))
    self.object = object
  }

  /// An instant as every language reads it: in whole seconds.
  private static func second(_ instant: Date) -> JSONValue {
    JSONValue(Date(milliseconds: instant.milliseconds - instant.milliseconds % 1000))
  }

  /// The message that asks for the requests.
  var plan: JSONObject { ["plan": .object(object)] }

  /// Returns the message that asks to read the responses.
  func parse(_ exchanges: [HTTPExchange]) -> JSONObject {
    var object = object
    object.append("responses", .array(exchanges.map { .object(Self.response($0.response)) }))
    return ["parse": .object(object)]
  }

  private static func response(_ response: HTTPResponse) -> JSONObject {
    var headers: [String: String] = [:]
    // Of several with one name all are told, as they could have stood in one.
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
