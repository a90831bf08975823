public import BitpalModel

/// A request, either a GET or a POST with a body, and the question that it asks.
public struct HTTPRequest: Hashable, Sendable {
  /// A header whose value is a key; no description and no recording ever shows it.
  package struct SecretHeader: Hashable, Sendable {
    /// The header's name.
    public let name: String

    /// The text before the key, such as `Bearer `.
    public let prefix: String

    /// The key.
    public let key: Secret

    /// The value that is sent.
    public var value: Secret { Secret(prefix + key.reveal()) }

    /// Creates a secret header.
    public init(_ name: String, _ key: Secret, after prefix: String = "") {
      self.name = name
      self.prefix = prefix
      self.key = key
    }
  }

  /// The absolute URL, already percent-encoded; `keyMark` stands for a key in its query.
  public var url: String

  /// The headers, except those that the transport adds itself (host, accept-encoding, user-agent).
  public var headers: [HTTPHeader]

  /// The body of a POST, in the format of its `content-type`; nil for a GET.
  ///
  /// It contains no key.
  public var body: [UInt8]?

  /// The header that carries the key; nil for none.
  package var secret: SecretHeader?

  /// The key that ``keyMark`` stands for in the URL; nil for none.
  package var queryKey: Secret?

  /// The mark in a URL that stands for a key until the request is sent: `{key}`, percent-encoded.
  package static let keyMark = "%7Bkey%7D"

  /// The URL that is sent, with the key.
  ///
  /// Without a key the mark is removed, and the source's response shows whether it accepts that.
  var wireURL: Secret {
    Secret(url.replacing(Self.keyMark, with: URLText.encoded(queryKey?.reveal() ?? "")))
  }

  /// The keys in the request, which no output may show.
  package var keys: [Secret] { [secret?.key, queryKey].compactMap(\.self) }

  /// The question that the request asks, for recordings and tests; nil when it is unknown.
  public var query: ProviderQuery?

  /// The requested page of the answer, from 1.
  public var page = 1

  /// The number of tokens of its source's budget that it costs.
  package var weight = 1

  /// The character set of the answer where that declares none; nil for UTF-8.
  package var charset: String?

  /// Whether connections to this machine and to private networks are refused, whatever address the host's name has.
  ///
  /// Behind a proxy it has no effect, because the proxy makes the connection.
  package var refusesPrivateAddresses = false

  /// The method: `POST` with a body, otherwise `GET`.
  public var method: String { body == nil ? "GET" : "POST" }

  /// Creates a request.
  package init(
    url: String, headers: [HTTPHeader] = [], body: [UInt8]? = nil, secret: SecretHeader? = nil, queryKey: Secret? = nil,
    query: ProviderQuery? = nil
  ) {
    self.url = url
    self.headers = headers
    self.body = body
    self.secret = secret
    self.queryKey = queryKey
    self.query = query
  }

  /// The request as a `curl` command for a shell, without its key.
  package var curlCommand: String {
    var words = ["curl", "--compressed"]
    for header in headers { words += ["-H", ShellWord.quoted("\(header.name): \(header.value)")] }
    if let secret { words += ["-H", ShellWord.quoted("\(secret.name): …")] }
    if let body { words += ["--data-raw", ShellWord.quoted(String(decoding: body, as: UTF8.self))] }
    words.append(ShellWord.quoted(url.replacing(Self.keyMark, with: "…")))
    let command = words.joined(separator: " ")
    // A redirect may have put the key into the URL.
    return keys.isEmpty ? command : Redaction(keys).text(command)
  }
}

/// One header of a request or a response.
public struct HTTPHeader: Hashable, Sendable {
  /// The name; comparisons ignore case.
  public let name: String

  /// The value, without surrounding white space.
  public let value: String

  /// Creates a header.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension [HTTPHeader] {
  /// Returns the value of the first header with a name, in any case; nil when there is none.
  public func first(named name: String) -> String? {
    first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
