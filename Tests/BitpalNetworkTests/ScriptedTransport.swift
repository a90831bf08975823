import BitpalModel
import BitpalNetwork
import TestSupport

/// Answers what the test wrote down, in order; the last for ever.
final class ScriptedTransport: Transport {
  private let script: [Result<HTTPResponse, BitpalError>]
  private let requests = Locked<[HTTPRequest]>([])

  /// The deadline in force at each request.
  let deadlines = Notes<Duration?>()

  init(_ script: [Result<HTTPResponse, BitpalError>]) {
    self.script = script
  }

  /// How often it was asked.
  var count: Int { requests.withLock { $0.count } }

  var seen: [HTTPRequest] { requests.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    deadlines.add(Deadline.current)
    let number = requests.withLock { requests in
      requests.append(request)
      return requests.count
    }
    return try script[min(number, script.count) - 1].get()
  }
}
