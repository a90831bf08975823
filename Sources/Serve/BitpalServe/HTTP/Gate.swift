import BitpalOutput
import FoundationEssentials

/// The check of a request by its line and headers alone.
///
/// libmicrohttpd accepts requests that other servers read differently (both lengths, two lengths, folded headers),
/// which allows request smuggling past a proxy. So a request that could have a body is never answered, and the
/// connection is closed after a refusal, so that none of its bytes count as another request.
package struct Gate: Sendable {
  /// The names of this server in lower case without a port, in addition to the addresses of this machine.
  private let hosts: Set<String>

  /// Whether any numeric address is accepted in `Host`: true for a server that other machines may reach, which has a
  /// token.
  private let isOpen: Bool

  /// The token that a client must send; nil when none is required.
  private let token: AccessToken?

  /// The proof of the user's browser without a token; nil for a server without the user's data.
  private let owner: OwnerProof?

  /// The origins whose pages may send requests, such as `https://prices.example`; `*` for all.
  private let origins: Set<String>

  /// Creates a gate.
  ///
  /// - Parameters:
  ///   - hosts: Names in addition to `localhost`.
  ///   - isOpen: Whether other machines may reach the server.
  ///   - token: The token that a client must send; nil when none is required.
  ///   - owner: The proof of the user's browser; nil for none.
  ///   - origins: The origins whose pages may send requests; `*` for all.
  package init(
    hosts: [String] = [], isOpen: Bool = false, token: AccessToken? = nil, owner: OwnerProof? = nil,
    origins: [String] = []
  ) {
    self.hosts = Set(hosts.map { $0.lowercased() } + ["localhost"])
    self.isOpen = isOpen
    self.token = token
    self.owner = owner
    self.origins = Set(origins)
  }

  /// The methods of requests for programs; pages also send `POST`.
  package static let methods = ["GET", "HEAD", "OPTIONS"]

  /// Returns the refusal of a request; nil for one that is allowed.
  package func refusal(of head: WebHead) -> WebResponse? {
    if head.version != "HTTP/1.1", head.version != "HTTP/1.0" {
      return Self.refusal(505, "this server speaks HTTP/1.1")
    }
    let texts = [head.method, head.target] + head.headers.flatMap { [$0.name, $0.value] }
    if texts.contains(where: \.hasControls) { return Self.refusal(400, "a control character") }
    if !head.isWhole { return Self.refusal(400, "headers that can be read in two ways") }
    guard Self.methods.contains(head.method) || head.isChange else {
      return Self.refusal(
        405, "this server only answers \(Self.methods.joined(separator: ", "))",
        [WebHeader("Allow", Self.methods.joined(separator: ", "))])
    }
    let lengths = head.values(of: "content-length")
    guard head.values(of: "transfer-encoding").isEmpty, lengths.allSatisfy({ $0 == "0" }), lengths.count < 2 else {
      return Self.refusal(413, "a request has no body here")
    }
    let names = head.values(of: "host")
    guard names.count < 2, head.version == "HTTP/1.0" || names.count == 1, names.allSatisfy(isOurs) else {
      return Self.refusal(ofNameIn: head)
    }
    if head.isChange, !isFromOurPage(head) { return Self.refusal(403, "only a page of this server changes anything") }
    return isOfForeignPage(head) ? Self.refusal(ofForeignPage: head) : nil
  }

  /// Returns whether a request has proved that it is the user's, which allows it to read and change the portfolio and
  /// the watchlist.
  ///
  /// The proof is the token, which ``refusal(to:)`` checks, or without one the cookie of ``OwnerProof``. Without a
  /// token, a request is never the user's when it came through a proxy or uses a name of `--host`.
  func isOwn(_ head: WebHead) -> Bool {
    if token != nil { return true }
    guard let owner, isOfThisMachine(head) else { return false }
    return owner.isProven(by: head)
  }

  /// The ways to prove that a request is the user's.
  enum SignIn: Sendable {
    /// The code of ``OwnerProof``, which is exchanged for the cookie.
    case code

    /// The token, which the server was not started with.
    case token
  }

  /// Returns the way in which the sender of a request can prove to be the user.
  func signIn(for head: WebHead) -> SignIn { owner != nil && isOfThisMachine(head) ? .code : .token }

  /// Returns the cookie for a code, which is used up; nil for a code that is not good.
  func cookie(for code: String, with head: WebHead) -> WebHeader? {
    guard isOfThisMachine(head) else { return nil }
    return owner?.cookie(for: code, port: head.port)
  }

  /// Returns whether a request names an address of this machine and has no header of a proxy.
  private func isOfThisMachine(_ head: WebHead) -> Bool {
    guard !isOpen, let host = head.values(of: "host").first.flatMap(NetworkAddress.host),
      host == "localhost" || NetworkAddress.isLoopback(host)
    else { return false }
    return !head.headers.contains { header in
      ["forwarded", "via", "x-real-ip"].contains(header.key) || header.key.hasPrefix("x-forwarded")
    }
  }

  /// Returns whether a change comes from a page of this server, by the headers of the browser, which no page can forge.
  private func isFromOurPage(_ head: WebHead) -> Bool {
    guard isOwn(head) else { return false }
    let sites = head.values(of: "sec-fetch-site")
    let origins = head.values(of: "origin")
    return sites.allSatisfy { $0 == "same-origin" } && sites.count + origins.count > 0
      && origins.allSatisfy(head.isOrigin)
  }

  /// Returns whether the request comes from a page of another origin; another port of this machine is another origin
  /// (Fetch Metadata).
  private func isOfForeignPage(_ head: WebHead) -> Bool {
    if origins.contains("*") { return false }
    let named = head.values(of: "origin")
    if !named.isEmpty { return !named.allSatisfy { origins.contains($0) || head.isOrigin($0) } }
    return head.values(of: "sec-fetch-site").contains { ["cross-site", "same-site"].contains($0) }
  }

  /// Returns a response that pages of an allowed origin may read; pages themselves are never shared.
  func shared(_ response: WebResponse, with head: WebHead) -> WebResponse {
    guard !origins.isEmpty, response["Cross-Origin-Resource-Policy"] == nil else { return response }
    var response = response
    // Also without an origin: a cache must not give that answer to a page (Fetch, "CORS protocol and HTTP caches").
    response.headers.append(WebHeader("Vary", "Origin"))
    guard let origin = head.values(of: "origin").first, origins.contains("*") || origins.contains(origin) else {
      return response
    }
    response.headers += [
      WebHeader("Access-Control-Allow-Origin", origin), WebHeader("Access-Control-Expose-Headers", Self.exposed),
    ]
    return response
  }

  /// The headers with the age of an answer, its missing parts, and the time of the next request.
  private static let exposed =
    "Age, Cache-Status, ETag, Retry-After, X-Bitpal-Agreement, X-Bitpal-Failed, X-Bitpal-Implausible, "
    + "X-Bitpal-Incomplete, X-Bitpal-Provisional, X-Bitpal-Renamed, X-Bitpal-Source, X-Bitpal-Stale"

  /// Returns the refusal of a request from a page of another origin.
  ///
  /// A user who follows a link gets a page with a link that leads on.
  private static func refusal(ofForeignPage head: WebHead) -> WebResponse {
    let isNavigation =
      head.values(of: "sec-fetch-mode") == ["navigate"] && head.values(of: "sec-fetch-dest") == ["document"]
    guard isNavigation, head.method == "GET", let request = WebRequest(head) else {
      return refusal(403, "this server does not answer pages of that origin")
    }
    return BarePage.response("A link from another site", status: 403) {
      HTML.element(.p) {
        "Another site has a link to this page. "
        HTML.element(.a, [.href(PagePath(of: request))]) { "Open it" }
      }
    }
  }

  /// Returns the refusal of a request that names another server, or none.
  private static func refusal(ofNameIn head: WebHead) -> WebResponse {
    let names = head.values(of: "host")
    guard head.wantsPage, names.count == 1, let name = NetworkAddress.host(of: names[0]) else {
      return refusal(421, "this server does not go by that name (Host)")
    }
    return BarePage.response(
      "Not the name of this server", status: 421, headers: [WebHeader("Connection", "close")]
    ) {
      HTML.element(.p) {
        "This is bitpal serve. It answers at localhost, at 127.0.0.1, and at the names that it was started with, and "
        HTML.element(.b) { HTML(name, limit: 100) }
        " is not one of them: a page elsewhere could have led its name here."
      }
      HTML.element(.p) {
        "If the name is yours, for instance that of a proxy, start the server with "
        HTML.element(.kbd) { HTML("bitpal serve --host \(name)", limit: 120) }
        "."
      }
    }
  }

  /// Returns the refusal of a request without the token; nil with it, and when none is required.
  package func refusal(to head: WebHead) -> WebResponse? {
    guard let token else { return nil }
    let given = head.values(of: "authorization")
    if given.count == 1, let words = given.first?.split(separator: " ", maxSplits: 1), words.count == 2 {
      switch words[0].lowercased() {
      case "bearer" where token.isSame(as: words[1]): return nil
      case "basic" where Self.password(of: words[1]).map(token.isSame) ?? false: return nil
      default: break
      }
    }
    // Clients of CoinGecko have a setting for its key, and none for a token.
    let keys = ["x-cg-demo-api-key", "x-cg-pro-api-key"].flatMap { head.values(of: $0) }
    let parameters =
      WebRequest(head)?.query.filter { ["x_cg_demo_api_key", "x_cg_pro_api_key"].contains($0.name) } ?? []
    if (keys + parameters.map(\.value)).contains(where: { token.isSame(as: $0[...]) }) { return nil }
    // Browsers can ask their user for a password, but not for a bearer token.
    let scheme =
      head.wantsPage
      ? "Basic realm=\"bitpal: any name, the token as password\", charset=\"UTF-8\"" : "Bearer realm=\"bitpal\""
    let headers = [WebHeader("WWW-Authenticate", scheme)]
    guard head.wantsPage else {
      return WebResponse(
        CoinGeckoError.message("this server wants its token: Authorization: Bearer …").text, as: .json, status: 401,
        headers: headers)
    }
    return BarePage.response("This server wants its token", status: 401, headers: headers) {
      HTML.element(.p) {
        "Load the page again, and enter any name, and the token as the password. It stands in the file that the server "
        "was started with ("
        HTML.element(.kbd) { "--token-file" }
        "); only its owner can read that file."
      }
    }
  }

  /// Returns the password of "basic" credentials (RFC 7617); the user name is ignored.
  private static func password(of credentials: Substring) -> String? {
    guard let data = Data(base64Encoded: String(credentials)), let text = String(validating: data, as: UTF8.self),
      let colon = text.firstIndex(of: ":")
    else { return nil }
    return String(text[text.index(after: colon)...])
  }

  private static func refusal(_ status: Int, _ reason: String, _ headers: [WebHeader] = []) -> WebResponse {
    WebResponse(
      CoinGeckoError.message(reason).text, as: .json, status: status,
      headers: [WebHeader("Connection", "close")] + headers)
  }

  /// Returns whether a `Host` names this server; otherwise another site's name may resolve to this address (DNS
  /// rebinding).
  private func isOurs(_ host: String) -> Bool {
    guard var name = NetworkAddress.host(of: host) else { return false }
    // Some resolvers write the root of all names.
    if name.hasSuffix(".") { name.removeLast() }
    if hosts.contains(name) { return true }
    return NetworkAddress.isLoopback(name) || isOpen && NetworkAddress.isNumeric(name)
  }
}

/// The access token that a client must send; it is never printed.
package struct AccessToken: Sendable {
  private let bytes: [UInt8]

  package init(_ token: String) {
    bytes = Array(token.utf8)
  }

  /// Compares in constant time, which does not depend on the number of equal bytes.
  func isSame(as other: some StringProtocol) -> Bool {
    let other = Array(other.utf8)
    var difference = UInt(bitPattern: other.count ^ bytes.count)
    for (index, byte) in bytes.enumerated() {
      difference |= UInt(byte ^ (index < other.count ? other[index] : 0))
    }
    return difference == 0
  }
}

extension WebHead {
  /// Whether the client accepts HTML, as browsers do.
  var wantsPage: Bool { values(of: "accept").contains { $0.contains("text/html") } }

  /// The port in `Host`; 80 when it has none.
  var port: String {
    let host = values(of: "host").first ?? ""
    return host.last == "]" ? "80" : host.lastIndex(of: ":").map { String(host[host.index(after: $0)...]) } ?? "80"
  }

  /// Returns whether an origin is this server's, over http or, behind a proxy with TLS, over https.
  fileprivate func isOrigin(_ origin: String) -> Bool {
    values(of: "host").contains { origin == "http://\($0)" || origin == "https://\($0)" }
  }

  /// Whether the request is one of the changes that pages can make.
  fileprivate var isChange: Bool {
    method == Route.Method.post.rawValue && PageRoutes.changes.contains { target.hasPrefix("/\($0)/") }
  }

  /// Whether the parsed headers are all bytes that were sent.
  ///
  /// libmicrohttpd 0.9.75 adds the second line of a folded header to the *name* of the first, ends a value at a NUL,
  /// and accepts a line feed as the end of a line. Each changes the number of bytes: a header is its name, a colon, an
  /// optional space, its value and two bytes of line end.
  fileprivate var isWhole: Bool {
    guard headers.allSatisfy({ !$0.name.isEmpty && $0.name.utf8.allSatisfy(\.isOfToken) }) else { return false }
    guard let size else { return true }
    let line = method.utf8.count + target.utf8.count + version.utf8.count + 4
    let most = headers.reduce(line + 2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    return (most - headers.count...most).contains(size)
  }
}

extension UInt8 {
  /// Whether the byte is allowed in a header's name (RFC 9110, section 5.6.2).
  fileprivate var isOfToken: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: Array("!#$%&'*+-.^_`|~".utf8).contains(self)
    }
  }
}

extension String {
  /// Whether the text has a control character other than a tab.
  fileprivate var hasControls: Bool { utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F } }
}
