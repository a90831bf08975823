/// A request and what came back.
public struct HTTPExchange: Hashable, Sendable {
  /// What was asked.
  public let request: HTTPRequest

  /// What came back.
  public let response: HTTPResponse

  /// Creates an exchange.
  public init(request: HTTPRequest, response: HTTPResponse) {
    self.request = request
    self.response = response
  }
}
