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

  /// The kinds of text that are served.
  package enum Kind: String, Sendable {
    case json = "application/json; charset=utf-8"
    case schema = "application/schema+json; charset=utf-8"
    case text = "text/plain; charset=utf-8"
    case svg = "image/svg+xml"
    case csv = "text/csv; charset=utf-8"
    case html = "text/html; charset=utf-8"
    case style = "text/css; charset=utf-8"
    case script = "text/javascript; charset=utf-8"
    case events = "text/event-stream"

    /// The text format of Prometheus, version 0.0.4.
    case metrics = "text/plain; version=0.0.4; charset=utf-8"
  }

  /// A text.
  package init(_ text: String, as kind: Kind, status: Int = 200, headers: [WebHeader] = []) {
    self.init(status: status, headers: [WebHeader("Content-Type", kind.rawValue)] + headers, body: Array(text.utf8))
  }

  /// The value of the first header of a name.
  package subscript(name: String) -> String? {
    let key = name.lowercased()
    return headers.first { $0.key == key }?.value
  }

  /// The body as text.
  package var text: String { String(decoding: body, as: UTF8.self) }

  /// The same with a tag of its content.
  ///
  /// Only answers that say something are tagged, not failures.
  package var tagged: WebResponse {
    guard status == 200, !body.isEmpty else { return self }
    var response = self
    // Weak, for the same prices may come in another layout one day; half of the digest is far more than enough.
    response.headers.append(WebHeader("ETag", "W/\"\(SHA256.hexDigest(of: body).prefix(32))\""))
    return response
  }

  /// Returns the same with status 304 to a client that has it already.
  ///
  /// The body stays for its length alone, which a 304 may tell (RFC 9110, 8.6): the library below does not send it.
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
  /// Without spaces and tabs around it, which headers may have.
  var trimmedOfSpaces: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }

  /// A tag without the mark of a weak one, which makes no difference to whether content has changed (RFC 9110, 8.8.3.2).
  fileprivate var weakTag: String { hasPrefix("W/") ? String(dropFirst(2)) : String(self) }
}
