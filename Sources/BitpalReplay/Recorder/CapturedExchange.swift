public import BitpalModel
public import BitpalNetwork

/// A request that was sent, what came back, and the question behind it.
public struct CapturedExchange: Hashable, Sendable {
  /// What was asked over the wire.
  public let request: HTTPRequest

  /// What came back.
  public let response: HTTPResponse

  /// The provider that asked; nil when nobody said.
  public let provider: String?

  /// The question that caused it; nil when nobody said.
  public var query: ProviderQuery? { request.query }

  /// Creates an exchange.
  public init(request: HTTPRequest, response: HTTPResponse, provider: String? = nil) {
    self.request = request
    self.response = response
    self.provider = provider
  }
}
