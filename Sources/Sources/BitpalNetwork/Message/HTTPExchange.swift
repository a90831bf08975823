/// A request and its response.
public struct HTTPExchange: Hashable, Sendable {
  /// The request.
  public let request: HTTPRequest

  /// The response.
  public let response: HTTPResponse

  /// Creates an exchange.
  public init(request: HTTPRequest, response: HTTPResponse) {
    self.request = request
    self.response = response
  }
}
