import BitpalModel
import BitpalNetwork
import BitpalServe

extension ServeCommand {
  /// Asks the server at the address whether it answers, as the supervisor of a container does.
  ///
  /// - Returns: `answered`, or `partlyAnswered` after the problem was printed: supervisors know the statuses 0 and 1.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for an address of another machine, or without a port.
  func check(_ session: Session) async throws -> ExitStatus {
    guard let address = address.ofThisMachine, address.port > 0 else {
      throw BitpalError.usage(
        "--check asks a server of this machine, at a port", hint: "write it like --listen 127.0.0.1:8642")
    }
    do {
      let transport = CurlTransport(userAgent: BitpalVersion.userAgent)
      let response = try await transport.send(HTTPRequest(url: "http://\(address)/healthz"))
      guard response.status == 200, response.body == Array(PriceServer.healthy.utf8) else {
        throw BitpalError.unreadable(provider: "\(address)", reason: "another program answers there")
      }
    } catch let error as BitpalError {
      session.console.failure(error)
      if case .network = error { session.console.notice("\"bitpal serve\" starts a server there") }
      return .partlyAnswered
    }
    return .answered
  }
}
