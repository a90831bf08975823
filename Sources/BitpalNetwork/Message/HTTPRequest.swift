public import BitpalModel

/// A GET request: what to ask, and by when an answer must be there.
public struct HTTPRequest: Hashable, Sendable {
  /// A header whose value is a key; no description and no recording ever shows it.
  public struct SecretHeader: Hashable, Sendable {
    /// The header's name.
    public let name: String

    /// What stands before the key, such as `Bearer `.
    public let prefix: String

    /// The key.
    public let key: Secret

    /// What is sent.
    public var value: Secret { Secret(prefix + key.reveal()) }

    /// Creates a secret header.
    public init(_ name: String, _ key: Secret, after prefix: String = "") {
      self.name = name
      self.prefix = prefix
      self.key = key
    }
  }

  /// The absolute URL, already percent-encoded.
  public var url: String

  /// The headers, without those that the transport adds itself (host, accept-encoding, user-agent).
  public var headers: [HTTPHeader]

  /// The header that carries the key, if there is one.
  public var secret: SecretHeader?

  /// The instant on the time source's monotonic clock by which the answer must be there, all attempts and waits included;
  /// nil for the transport's own limit.
  public var deadline: Duration?

  /// Creates a request.
  public init(
    url: String, headers: [HTTPHeader] = [], secret: SecretHeader? = nil, deadline: Duration? = nil
  ) {
    self.url = url
    self.headers = headers
    self.secret = secret
    self.deadline = deadline
  }

  /// The request as a command that can be run, without its key.
  public var curlCommand: String {
    var words = ["curl", "--compressed"]
    for header in headers { words += ["-H", ShellWord.quoted("\(header.name): \(header.value)")] }
    if let secret { words += ["-H", ShellWord.quoted("\(secret.name): …")] }
    words.append(ShellWord.quoted(url))
    let command = words.joined(separator: " ")
    // A redirect may have put the key into the URL.
    return secret.map { Redaction([$0.key]).text(command) } ?? command
  }
}
