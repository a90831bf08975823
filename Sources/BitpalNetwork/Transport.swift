/// Carries an HTTP request and brings back the response.
///
/// An HTTP error status is a response, not an error; what throws is not having a response: ``/BitpalModel/BitpalError``
/// `.network`, `.unreadable`, `.timedOut` or `.rateLimited`, and `CancellationError` when the task is cancelled, which
/// also ends the transfer. Nothing may take longer than ``/BitpalModel/Deadline/current``, attempts and waits included.
public protocol Transport: Sendable {
  /// Sends one request.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
