import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

/// A HAR file and its bodies, made from a set of exchanges; pure, so the same exchanges give the same bytes.
struct HARDocument {
  /// The metadata of the recording.
  struct About {
    let recordedAt: Date
    let note: String?
    let provider: String?
    let command: [String]

    /// The commands that were added afterwards.
    var appended: [[String]] = []
  }

  /// The existing contents of a recording, which remain unchanged.
  struct Existing {
    /// The entries, as JSON text.
    var entries: [String] = []

    /// The body files, by their name in `bodies/`.
    var bodies: [(name: String, bytes: [UInt8])] = []
  }

  /// The text of the HAR file.
  let har: String

  /// The body files, by their name in `bodies/`.
  let bodies: [(name: String, bytes: [UInt8])]

  /// Returns whether a response header is recorded; all others have no effect on a replay, and change from day to day.
  static func isKept(_ header: HTTPHeader) -> Bool {
    let name = header.name.lowercased()
    return ["content-type", "retry-after", "location"].contains(name) || name.hasPrefix("x-ratelimit-")
  }

  init(_ exchanges: [CapturedExchange], after existing: Existing = Existing(), about: About, redaction: Redaction) {
    var files = BodyFiles(files: existing.bodies)
    let added = exchanges.map { exchange in
      Self.entry(exchange, about: about, redaction: redaction, files: &files)
    }
    var own: JSONObject = ["recorded_at": JSONValue(about.recordedAt)]
    if let note = about.note { own.append("note", .string(note)) }
    if let provider = about.provider { own.append("provider", .string(provider)) }
    if !about.command.isEmpty {
      own.append("command", Self.words(about.command, redaction))
    }
    if !about.appended.isEmpty {
      own.append("appended", .array(about.appended.map { Self.words($0, redaction) }))
    }
    let document: JSONValue = [
      "log": [
        "version": "1.2", "creator": ["name": "bitpal", "version": .string(BitpalVersion.current)],
        "_bitpal": .object(own), "entries": .array(existing.entries.map(JSONValue.written) + added),
      ]
    ]
    har = document.indented(.plain)
    bodies = files.files
  }

  private static func entry(
    _ exchange: CapturedExchange, about: About, redaction: Redaction, files: inout BodyFiles
  ) -> JSONValue {
    let url = redaction.text(withoutUser(exchange.request.url))
    let body = redaction.bytes(exchange.response.body)
    let type = redaction.text(exchange.response.headers.first(named: "content-type") ?? "")
    let file = files.add(body, of: exchange, type: type, redaction: redaction)
    let sent = exchange.request.body.map { redaction.text(String(decoding: $0, as: UTF8.self)) }
    var request: JSONObject = [
      "method": .string(exchange.request.method), "url": .string(url), "httpVersion": "HTTP/1.1", "cookies": [],
      "headers": headers(exchange.request.headers, redaction),
      "queryString": .array(pairs(of: url).map { row($0.name, $0.value) }),
      "headersSize": -1, "bodySize": .integer(sent?.utf8.count ?? 0),
    ]
    if let sent {
      let type = exchange.request.headers.first(named: "content-type") ?? "text/plain"
      request.append("postData", ["mimeType": .string(type), "text": .string(sent)])
    }
    var entry: JSONObject = [
      "startedDateTime": JSONValue(about.recordedAt),
      "time": 0,
      "request": .object(request),
      "response": [
        "status": .integer(exchange.response.status), "statusText": .string(reasons[exchange.response.status] ?? ""),
        "httpVersion": "HTTP/1.1", "cookies": [],
        "headers": headers(exchange.response.headers.filter(isKept), redaction),
        "content": .line([
          "size": .integer(body.count), "mimeType": .string(type.isEmpty ? "x-unknown" : type),
          "_file": .string("bodies/" + file), "_sha256": .string(SHA256.hexDigest(of: body)),
        ]),
        "redirectURL": "", "headersSize": -1, "bodySize": -1,
      ],
      "cache": [:],
      "timings": .line(["send": 0, "wait": 0, "receive": 0]),
    ]
    var own: JSONObject = [:]
    if let provider = exchange.provider, provider != about.provider { own.append("provider", .string(provider)) }
    if let query = exchange.query { own.append("query", .object(RecordedQuery.json(of: query, redaction: redaction))) }
    if exchange.request.page > 1 { own.append("page", .integer(exchange.request.page)) }
    if !own.members.isEmpty { entry.append("_bitpal", .object(own)) }
    return .object(entry)
  }

  private static func words(_ words: [String], _ redaction: Redaction) -> JSONValue {
    .array(words.map { .string(redaction.text($0)) })
  }

  private static func headers(_ headers: [HTTPHeader], _ redaction: Redaction) -> JSONValue {
    .array(headers.map { row($0.name.lowercased(), redaction.text($0.value)) })
  }

  private static func row(_ name: String, _ value: String) -> JSONValue {
    .line(["name": .string(name), "value": .string(value)])
  }

  /// Returns the decoded names and values of the query, as HAR requires.
  private static func pairs(of url: String) -> [(name: String, value: String)] {
    RequestURL(url).query.map { (RequestURL.decoded($0.name), RequestURL.decoded($0.value ?? "")) }
  }

  /// Returns a URL without its user name and password, which are always a secret.
  private static func withoutUser(_ url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return url }
    return String(url[..<scheme.upperBound] + url[url.index(after: at)...])
  }

  private static let reasons = [
    200: "OK", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    418: "I'm a teapot", 429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway",
    503: "Service Unavailable", 504: "Gateway Timeout",
  ]
}

/// The files of bodies, with recognizable names.
struct BodyFiles {
  private(set) var files: [(name: String, bytes: [UInt8])]

  /// Adds a body; an equal body of the same name is stored once.
  ///
  /// - Returns: The name of its file.
  mutating func add(_ body: [UInt8], of exchange: CapturedExchange, type: String, redaction: Redaction) -> String {
    let isJSON = type.contains("json") || [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(body.first)
    let suffix = isJSON ? "json" : type.contains("html") ? "html" : "txt"
    let status = exchange.response.status == 200 ? "" : "-\(exchange.response.status)"
    let stem = Self.plain(redaction.text(Self.words(of: exchange)).lowercased() + status)
    var name = "\(stem).\(suffix)"
    var number = 1
    while let other = files.first(where: { $0.name == name }) {
      if other.bytes == body { return name }
      number += 1
      name = "\(stem)-\(number).\(suffix)"
    }
    files.append((name, body))
    return name
  }

  private static func words(of exchange: CapturedExchange) -> String {
    switch exchange.query {
    case .quotes(let coins, let currency):
      coins.count <= 3
        ? "quotes-\(coins.joined(separator: "-"))-\(currency)" : "quotes-\(coins.count)-coins-\(currency)"
    case .coinList: "coin-list"
    case .top(let currency): "top-\(currency)"
    case .detail(let coin, _): "detail-\(coin)"
    case .line(let coin, let currency, let window): "line-\(coin)-\(currency)-\(window.length.unitText)"
    case .candles(let coin, let currency, let window, _): "candles-\(coin)-\(currency)-\(window.length.unitText)"
    case nil: "body" + RequestURL(exchange.request.url).path.replacing("/", with: "-")
    }
  }

  /// Returns a file name of at most 80 characters that every file system accepts.
  private static func plain(_ words: String) -> String {
    let kept = words.utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): byte
      default: UInt8(ascii: "_")
      }
    }
    return String(decoding: kept.prefix(80), as: UTF8.self)
  }
}
