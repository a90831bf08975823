public import BitpalModel

/// A GET, or a POST with a body: what to ask over the wire, and which question that asks.
public struct HTTPRequest: Hashable, Sendable {
  /// A header whose value is a key; no description and no recording ever shows it.
  public struct SecretHeader: Hashable, Sendable {
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

  /// The absolute URL, already percent-encoded; a key in its query is only there as ``keyMark``.
  public var url: String

  /// The headers, without those that the transport adds itself (host, accept-encoding, user-agent).
  public var headers: [HTTPHeader]

  /// The body of a POST, as its `content-type` says; nil for a GET.
  ///
  /// It contains no key.
  public var body: [UInt8]?

  /// The header that carries the key, if there is one.
  public var secret: SecretHeader?

  /// The key that ``keyMark`` stands for in the URL, if there is one.
  public var queryKey: Secret?

  /// The mark in a URL in the place of a key that only the wire sees: `{key}`, percent-encoded.
  public static let keyMark = "%7Bkey%7D"

  /// The URL as it goes over the wire.
  ///
  /// Where no key is set nothing takes its place, and the source says what it thinks of that.
  var wireURL: Secret {
    Secret(url.replacing(Self.keyMark, with: URLText.encoded(queryKey?.reveal() ?? "")))
  }

  /// All that must not be seen of what is sent.
  package var keys: [Secret] { [secret?.key, queryKey].compactMap(\.self) }

  /// The question that it asks, for recordings and tests; nil when it is unknown.
  public var query: ProviderQuery?

  /// The page of the answer that it asks for, from 1.
  public var page = 1

  /// Whether the connection must not go to this machine or a private network, whatever address the host's name has.
  ///
  /// Behind a proxy the proxy makes the connection, and decides.
  package var refusesPrivateAddresses = false

  /// `GET`, or `POST` where there is a body.
  public var method: String { body == nil ? "GET" : "POST" }

  /// Creates a request.
  public init(
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

  /// The request as a command that can be run, without its key.
  public var curlCommand: String {
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
  /// The name; compared without case.
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
  /// The value of the first header of that name, whatever its case.
  public func first(named name: String) -> String? {
    first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
