import BitpalModel
import BitpalNetwork
import FoundationEssentials

/// The HAR file and the bodies that a set of exchanges becomes; pure, so the same exchanges give the same bytes.
struct HARDocument {
  /// What the recording says of itself.
  struct About {
    let recordedAt: Date
    let note: String?
    let provider: String?
    let command: [String]
  }

  /// The HAR file.
  let har: String

  /// The files beside it, by their name in `bodies/`.
  let bodies: [(name: String, bytes: [UInt8])]

  /// The response headers that have a meaning when replayed; all others change from day to day.
  static func isKept(_ header: HTTPHeader) -> Bool {
    let name = header.name.lowercased()
    return ["content-type", "retry-after", "location"].contains(name) || name.hasPrefix("x-ratelimit-")
  }

  init(_ exchanges: [CapturedExchange], about: About, redaction: Redaction) {
    var files = BodyFiles()
    let entries = exchanges.map { exchange in
      Self.entry(exchange, about: about, redaction: redaction, files: &files)
    }
    var own: [(String, HARText)] = [("recorded_at", .string(about.recordedAt.iso8601))]
    if let note = about.note { own.append(("note", .string(note))) }
    if let provider = about.provider { own.append(("provider", .string(provider))) }
    if !about.command.isEmpty {
      own.append(("command", .array(about.command.map { .string(redaction.text($0)) })))
    }
    let text = HARText.object([
      (
        "log",
        .object([
          ("version", .string("1.2")),
          ("creator", .object([("name", .string("bitpal")), ("version", .string(BitpalVersion.current))])),
          ("_bitpal", .object(own)),
          ("entries", .array(entries)),
        ])
      )
    ]).text
    har = text
    bodies = files.files
  }

  private static func entry(
    _ exchange: CapturedExchange, about: About, redaction: Redaction, files: inout BodyFiles
  ) -> HARText {
    let url = redaction.text(withoutUser(exchange.request.url))
    let body = redaction.bytes(exchange.response.body)
    let type = redaction.text(exchange.response.headers.first(named: "content-type") ?? "")
    let file = files.add(body, of: exchange, type: type, redaction: redaction)
    var entry: [(String, HARText)] = [
      ("startedDateTime", .string(about.recordedAt.iso8601)),
      ("time", .integer(0)),
      (
        "request",
        .object([
          ("method", .string("GET")), ("url", .string(url)), ("httpVersion", .string("HTTP/1.1")),
          ("cookies", .array([])),
          ("headers", headers(exchange.request.headers, redaction)),
          ("queryString", .array(pairs(of: url).map { row($0.name, $0.value) })),
          ("headersSize", .integer(-1)), ("bodySize", .integer(0)),
        ])
      ),
      (
        "response",
        .object([
          ("status", .integer(exchange.response.status)),
          ("statusText", .string(reasons[exchange.response.status] ?? "")), ("httpVersion", .string("HTTP/1.1")),
          ("cookies", .array([])),
          ("headers", headers(exchange.response.headers.filter(isKept), redaction)),
          (
            "content",
            .row([
              ("size", .integer(body.count)), ("mimeType", .string(type.isEmpty ? "x-unknown" : type)),
              ("_file", .string("bodies/" + file)), ("_sha256", .string(SHA256.hexDigest(of: body))),
            ])
          ),
          ("redirectURL", .string("")), ("headersSize", .integer(-1)), ("bodySize", .integer(-1)),
        ])
      ),
      ("cache", .object([])),
      ("timings", .row([("send", .integer(0)), ("wait", .integer(0)), ("receive", .integer(0))])),
    ]
    var own: [(String, HARText)] = []
    if let provider = exchange.provider, provider != about.provider { own.append(("provider", .string(provider))) }
    if let query = exchange.query { own.append(("query", RecordedQuery.text(of: query, redaction: redaction))) }
    if !own.isEmpty { entry.append(("_bitpal", .object(own))) }
    return .object(entry)
  }

  private static func headers(_ headers: [HTTPHeader], _ redaction: Redaction) -> HARText {
    .array(headers.map { row($0.name.lowercased(), redaction.text($0.value)) })
  }

  private static func row(_ name: String, _ value: String) -> HARText {
    .row([("name", .string(name)), ("value", .string(value))])
  }

  /// Names and values of the query, decoded, as HAR wants them.
  private static func pairs(of url: String) -> [(name: String, value: String)] {
    RequestURL(url).query.map { (RequestURL.decoded($0.name), RequestURL.decoded($0.value ?? "")) }
  }

  /// A name and password in a URL are a secret whoever knows them.
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
