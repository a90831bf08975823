import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

/// A reader of the requests that a plugin plans, which checks them against the rules.
struct PluginRequests {
  let hello: PluginManifest
  let limits: PluginLimits

  /// The hosts that the provider file names, in lower case.
  let hosts: Set<String>

  /// Whether requests may go to hosts of this machine and of private networks.
  let mayAskPrivateHosts: Bool

  /// The key, if one is set.
  let key: Secret?

  /// The hosts that may get the key, in lower case.
  let keyHosts: Set<String>

  /// Returns the requests in an array at a path of the message, at least one.
  ///
  /// - Throws: ``PluginFault/broken(_:)`` with the first rule that they break.
  func read(_ message: PluginMessage, at path: String) throws(PluginFault) -> [HTTPRequest] {
    let plans = try message.rows(
      """
      SELECT value ->> '$.url', value ->> '$.method', value ->> '$.body', value ->> '$.sign.text',
        value ->> '$.sign.hash', value ->> '$.sign.encoding', value ->> '$.sign' IS NOT NULL
      FROM json_each(:body, '\(path)')
      """
    ) { row in (0..<7).map { row.text($0) } }
    guard !plans.isEmpty else { throw .broken("plans no request") }
    guard plans.count <= limits.requests else {
      throw .broken("plans \(plans.count) requests; \(limits.requests) can be sent for a question")
    }
    let headers = try message.rows(
      """
      SELECT request.key, header.key, header.value, header.type
      FROM json_each(:body, '\(path)') AS request, json_each(request.value, '$.headers') AS header
      """
    ) { row in (0..<4).map { row.text($0) ?? "" } }
    var requests: [HTTPRequest] = []
    for (index, cells) in plans.enumerated() {
      let own = headers.filter { $0[0] == "\(index)" }
      guard own.allSatisfy({ $0[3] == "text" }) else {
        throw .broken("plans a header whose value is not text")
      }
      let plan = Plan(
        url: cells[0] ?? "", method: cells[1]?.uppercased() ?? (cells[2] == nil ? "GET" : "POST"), body: cells[2],
        headers: own.map { HTTPHeader($0[1], $0[2]) },
        sign: cells[6] == "1" ? Plan.Sign(text: cells[3], hash: cells[4], encoding: cells[5]) : nil)
      requests.append(try request(plan))
    }
    return requests
  }

  /// A request as the plugin wrote it.
  private struct Plan {
    let url: String
    let method: String
    let body: String?
    let headers: [HTTPHeader]
    let sign: Sign?

    struct Sign {
      let text: String?
      let hash: String?
      let encoding: String?
    }
  }

  private func request(_ plan: Plan) throws(PluginFault) -> HTTPRequest {
    let host = try host(of: plan.url)
    guard ["GET", "POST"].contains(plan.method) else {
      throw .broken("plans a \(plan.method.printable(limit: 20)); only GET and POST are sent")
    }
    guard plan.method == "POST" || plan.body == nil else { throw .broken("plans a GET with a body") }
    let texts = [plan.url] + plan.headers.map(\.value)
    let wantsKey = hello.keyHeader != nil || plan.sign != nil || texts.contains { $0.contains(Self.keyMark) }
    // A request without a key is sent all the same, because the source's answer says whether it needs one.
    let key = wantsKey ? try self.key(for: host) : nil
    var signature: String?
    if let sign = plan.sign { signature = try self.signature(sign, key) }
    guard signature != nil || !texts.contains(where: { $0.contains(Self.signatureMark) }) else {
      throw .broken("has {signature} in a request without sign")
    }
    let (headers, secret) = try headers(of: plan, key: key, signature: signature)
    let url = plan.url.replacing(Self.keyMark, with: HTTPRequest.keyMark)
      .replacing(Self.signatureMark, with: URLText.encoded(signature ?? ""))
    var request = HTTPRequest(
      url: url, headers: headers, body: plan.method == "POST" ? Array((plan.body ?? "").utf8) : nil, secret: secret,
      queryKey: url.contains(HTTPRequest.keyMark) ? key : nil)
    // A name server must not lead a public host name to a private address (DNS rebinding).
    request.refusesPrivateAddresses = !BaseURL.isPrivate(host)
    return request
  }

  /// Returns the headers of a request, with the one that carries the key apart.
  private func headers(
    of plan: Plan, key: Secret?, signature: String?
  ) throws(PluginFault) -> ([HTTPHeader], HTTPRequest.SecretHeader?) {
    var secret = hello.keyHeader.flatMap { name in key.map { HTTPRequest.SecretHeader(name, $0) } }
    var headers: [HTTPHeader] = []
    for header in plan.headers {
      guard RequestHeader.isName(header.name), !RequestHeader.isTransports(header.name) else {
        throw .broken("plans the header \(header.name.printable(limit: 40)), which no provider can set")
      }
      let value = header.value.replacing(Self.signatureMark, with: signature ?? "")
      guard RequestHeader.isValue(value) else {
        throw .broken("plans the header \(header.name) with what is not printable ASCII")
      }
      guard value.contains(Self.keyMark) else {
        headers.append(HTTPHeader(header.name, value))
        continue
      }
      // A key in the middle of a value could not be removed from a recording.
      guard value.hasSuffix(Self.keyMark), secret == nil else {
        throw .broken("has {key} elsewhere than once at the end of a header")
      }
      if let key {
        secret = HTTPRequest.SecretHeader(header.name, key, after: String(value.dropLast(Self.keyMark.count)))
      }
    }
    return (headers, secret)
  }

  /// The placeholder of the key in a planned request; that of the signature follows.
  private static let keyMark = "{key}"
  private static let signatureMark = "{signature}"

  /// Returns the host of a URL, in lower case.
  ///
  /// - Throws: ``PluginFault/broken(_:)`` for a URL that is too long, not a URL, not https, or of a host that the
  ///   provider file does not name or may not name.
  private func host(of url: String) throws(PluginFault) -> String {
    let shown = url.printable(limit: 100)
    guard url.utf8.count <= limits.url else { throw .broken("plans a URL of \(url.utf8.count) bytes") }
    let (path, query) = (url.prefix { $0 != "?" }, url.drop { $0 != "?" })
    guard let base = BaseURL(String(path)), query.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !query.contains("#")
    else { throw .broken("plans the URL \(shown), which is none, or not percent-encoded") }
    guard base.isSecure || base.isLoopback else { throw .broken("plans \(shown), which is not https") }
    guard hosts.contains(base.host) else {
      throw .broken(
        "plans a request to \(base.host.printable(limit: 60)), a host that its provider file does not name under hosts")
    }
    guard mayAskPrivateHosts || !BaseURL.isPrivate(base.host) else {
      throw .broken(
        "plans a request to \(base.host.printable(limit: 60)), which is this machine or of a private network; only a "
          + "provider file of your own can name that under hosts")
    }
    return base.host
  }

  /// Returns the key; nil when none is set.
  ///
  /// - Throws: ``PluginFault/broken(_:)`` when the host is neither in `key_hosts` nor this machine.
  private func key(for host: String) throws(PluginFault) -> Secret? {
    guard let key else { return nil }
    guard keyHosts.contains(host) || BaseURL("https://\(host)")?.isLoopback == true else {
      throw .broken(
        "wants the key to be sent to \(host); list that host under key_hosts in the provider file to allow it")
    }
    return key
  }

  /// Returns the signature of a text with the key: HMAC with SHA-256 (RFC 2104), in hexadecimal or base64.
  ///
  /// - Throws: ``PluginFault/broken(_:)`` without a text, or for another hash or encoding.
  private func signature(_ sign: Plan.Sign, _ key: Secret?) throws(PluginFault) -> String {
    guard let text = sign.text else { throw .broken("wants a signature of no text") }
    guard sign.hash ?? "sha256" == "sha256" else {
      throw .broken("wants a signature with \(sign.hash?.printable(limit: 20) ?? ""); there is sha256")
    }
    let code = SHA256.authenticationCode(of: Array(text.utf8), key: Array((key?.reveal() ?? "").utf8))
    switch sign.encoding ?? "hex" {
    case "hex": return code.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    case "base64": return Data(code).base64EncodedString()
    case let other: throw .broken("wants a signature in \(other.printable(limit: 20)); there are hex and base64")
    }
  }
}
