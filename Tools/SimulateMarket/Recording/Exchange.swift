import BitpalJSON
import BitpalModel
import BitpalReplay

/// One request, its answer, and the query that caused it.
struct Exchange {
  enum Body {
    case json(JSONValue)
    case text(String)
  }

  static let base = "https://api.coingecko.com/api/v3"

  let query: JSONValue
  let path: String
  let parameters: [(name: String, value: String)]
  var status = 200
  var extraHeader: (name: String, value: String)?

  /// The name of the stored body.
  let file: String
  let body: Body

  /// The body as it went over the wire.
  var wireBytes: [UInt8] {
    switch body {
    case .json(let value): Array(value.compact(.html).utf8)
    case .text(let text): Array(text.utf8)
    }
  }

  /// The body as it is stored: the same tokens, one a line.
  var storedBytes: [UInt8] {
    switch body {
    case .json: JSONLayout.pretty(wireBytes) ?? wireBytes
    case .text(let text): Array(text.utf8)
    }
  }

  /// The entry of HAR 1.2.
  var entry: JSONValue {
    let bytes = wireBytes
    return [
      "startedDateTime": .string(Moment.iso8601(Moment.now)),
      "time": 0,
      "request": [
        "method": "GET",
        "url": .string(url),
        "httpVersion": "HTTP/2",
        "cookies": [],
        "headers": [
          Self.pair("accept", "application/json"), Self.pair("user-agent", "bitpal/0.1"),
        ],
        "queryString": .array(parameters.map { Self.pair($0.name, $0.value) }),
        "headersSize": -1,
        "bodySize": 0,
      ],
      "response": [
        "status": .integer(status),
        "statusText": .string(Self.reason[status] ?? ""),
        "httpVersion": "HTTP/2",
        "cookies": [],
        "headers": .array(
          [Self.pair("content-type", contentType)] + (extraHeader.map { [Self.pair($0.name, $0.value)] } ?? [])),
        "content": [
          "size": .integer(bytes.count),
          "mimeType": .string(contentType),
          "_file": .string("bodies/" + file),
          "_sha256": .string(SHA256.hexDigest(of: bytes)),
        ],
        "redirectURL": "",
        "headersSize": -1,
        "bodySize": -1,
      ],
      "cache": [:],
      "timings": ["send": 0, "wait": 0, "receive": 0],
      "_bitpal": ["query": query],
    ]
  }

  private var url: String {
    let query = parameters.map { $0.name + "=" + $0.value }.joined(separator: "&")
    return Self.base + path + (query.isEmpty ? "" : "?" + query)
  }

  private var contentType: String {
    switch body {
    case .json: "application/json; charset=utf-8"
    case .text: "text/html; charset=UTF-8"
    }
  }

  private static let reason = [200: "OK", 403: "Forbidden", 404: "Not Found", 429: "Too Many Requests"]

  private static func pair(_ name: String, _ value: String) -> JSONValue {
    ["name": .string(name), "value": .string(value)]
  }
}
