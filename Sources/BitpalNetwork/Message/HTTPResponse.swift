/// What came back: status, headers and the whole decoded body.
public struct HTTPResponse: Hashable, Sendable {
  /// The HTTP status, 100…599.
  public let status: Int

  /// The headers, in the order received.
  public let headers: [HTTPHeader]

  /// The body after content decoding (gzip and the like).
  public let body: [UInt8]

  /// Creates a response.
  public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The same response without the secrets that its headers or its body say.
  func redacted(_ redaction: Redaction) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: headers.map { HTTPHeader($0.name, redaction.text($0.value)) },
      body: redaction.bytes(body))
  }

  /// True for 200…299.
  public var isSuccess: Bool { (200...299).contains(status) }
}
