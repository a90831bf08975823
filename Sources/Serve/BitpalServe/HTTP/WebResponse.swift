import BitpalModel

/// An answer over HTTP.
package struct WebResponse: Sendable {
  package var status: Int
  package var headers: [WebHeader]
  package var body: [UInt8]

  /// The stream that is sent instead of ``body``, for as long as the client stays.
  package var stream: WebStream?

  package init(status: Int, headers: [WebHeader] = [], body: [UInt8] = [], stream: WebStream? = nil) {
    self.status = status
    self.headers = headers
    self.body = body
    self.stream = stream
  }

  /// The media types that are served.
  package enum Kind: String, Sendable {
    case json = "application/json; charset=utf-8"
    case schema = "application/schema+json; charset=utf-8"
    case text = "text/plain; charset=utf-8"
    case svg = "image/svg+xml"
    case png = "image/png"
    case manifest = "application/manifest+json"
    case csv = "text/csv; charset=utf-8"
    case html = "text/html; charset=utf-8"
    case style = "text/css; charset=utf-8"
    case script = "text/javascript; charset=utf-8"
    case events = "text/event-stream"

    /// Prometheus' text format, version 0.0.4.
    case metrics = "text/plain; version=0.0.4; charset=utf-8"
  }

  /// Creates a response with a text and its media type.
  package init(_ text: String, as kind: Kind, status: Int = 200, headers: [WebHeader] = []) {
    self.init(Array(text.utf8), as: kind, status: status, headers: headers)
  }

  /// Creates a response with bytes and their media type.
  init(_ body: [UInt8], as kind: Kind, status: Int = 200, headers: [WebHeader] = []) {
    self.init(status: status, headers: [WebHeader("Content-Type", kind.rawValue)] + headers, body: body)
  }

  /// Returns the value of the first header with a name, in any case; nil when there is none.
  package subscript(name: String) -> String? {
    let key = name.lowercased()
    return headers.first { $0.key == key }?.value
  }

  /// The body as text.
  package var text: String { String(decoding: body, as: UTF8.self) }

  /// The response with an `ETag` of its content.
  ///
  /// Only responses with status 200 and a body get one.
  package var tagged: WebResponse {
    guard status == 200, !body.isEmpty else { return self }
    var response = self
    // The tag is weak, because the same prices may get another layout later; half of the digest suffices.
    response.headers.append(WebHeader("ETag", "W/\"\(SHA256.hexDigest(of: body).prefix(32))\""))
    return response
  }

  /// Returns the response, with status 304 for a client that has it already.
  ///
  /// The body remains only for its length, which a 304 may state (RFC 9110, section 8.6): libmicrohttpd does not send
  /// it.
  package func unlessKnown(to head: WebHead) -> WebResponse {
    guard let tag = self["ETag"] else { return self }
    let known = head.values(of: "if-none-match").flatMap { $0.split(separator: ",") }
      .map { $0.trimmedOfSpaces }
    guard known.contains(where: { $0 == "*" || $0.weakTag == tag.weakTag }) else { return self }
    var response = self
    response.status = 304
    response.headers.removeAll { $0.name == "Content-Type" }
    return response
  }
}

extension StringProtocol {
  /// The text without surrounding spaces and tabs.
  var trimmedOfSpaces: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }

  /// The tag without the mark of a weak one, which does not matter for this comparison (RFC 9110, section 8.8.3.2).
  fileprivate var weakTag: String { hasPrefix("W/") ? String(dropFirst(2)) : String(self) }
}
