public import BitpalNetwork

/// Records every response that another transport brings back.
///
/// It belongs next to the wire, below retries, so that each attempt is an exchange of its own. A request without a
/// response leaves nothing to record.
public struct RecordingTransport: Transport {
  private let base: any Transport
  private let provider: String
  private let recorder: ExchangeRecorder

  /// Wraps a transport.
  public init(_ base: any Transport, provider: String, recorder: ExchangeRecorder) {
    self.base = base
    self.provider = provider
    self.recorder = recorder
  }

  /// Sends the request and keeps what comes back.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await base.send(request)
    recorder.add(CapturedExchange(request: request, response: response, provider: provider))
    return response
  }
}
