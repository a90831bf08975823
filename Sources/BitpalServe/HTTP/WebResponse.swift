import BitpalModel

/// What is answered over HTTP.
package struct WebResponse: Hashable, Sendable {
  package var status: Int
  package var headers: [WebHeader]
  package var body: [UInt8]

  package init(status: Int, headers: [WebHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The kinds of text that are served.
  package enum Kind: String, Sendable {
    case json = "application/json; charset=utf-8"
    case schema = "application/schema+json; charset=utf-8"
    case text = "text/plain; charset=utf-8"
    case svg = "image/svg+xml"

    /// The text format of Prometheus, version 0.0.4.
    case metrics = "text/plain; version=0.0.4; charset=utf-8"
  }

  /// A text.
  package init(_ text: String, as kind: Kind, status: Int = 200, headers: [WebHeader] = []) {
    self.init(status: status, headers: [WebHeader("Content-Type", kind.rawValue)] + headers, body: Array(text.utf8))
  }

  /// The value of the first header of a name.
  package subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The body as text.
  package var text: String { String(decoding: body, as: UTF8.self) }

  /// The same with a tag of its content; without its body for whoever has that already.
  ///
  /// Only answers that say something are tagged, not failures.
  package func tagged(for head: WebHead) -> WebResponse {
    guard status == 200, !body.isEmpty else { return self }
    // Weak, for the same prices may come in another layout one day; half of the digest is far more than enough.
    let tag = "W/\"\(SHA256.hexDigest(of: body).prefix(32))\""
    var response = self
    response.headers.append(WebHeader("ETag", tag))
    let known = head.values(of: "if-none-match").flatMap { $0.split(separator: ",") }
      .map { $0.trimmedOfSpaces }
    guard known.contains(where: { $0 == "*" || $0.weakTag == tag.weakTag }) else { return response }
    response.status = 304
    response.body = []
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
