import BitpalJSON
import BitpalModel
import BitpalNetwork

extension RelayDialect {
  var reading: JSONReading { JSONReading(provider: descriptor.id) }

  /// Throws the first failure of an answer whose status is not a success.
  ///
  /// - Throws: The `BitpalError` that the answer names, otherwise the one that its status stands for.
  func check(_ response: HTTPResponse, about query: ProviderQuery) throws {
    guard !response.isSuccess else { return }
    throw try errors(in: response, about: query).first?.error ?? unnamed(response)
  }

  /// Returns the failures that an answer lists, each with the coin that it names.
  ///
  /// An unreadable body of a failed request has none.
  ///
  /// - Throws: `BitpalError.unreadable` for an unreadable body of a successful request.
  func errors(in response: HTTPResponse, about query: ProviderQuery) throws -> [(coin: String?, error: BitpalError)] {
    var errors: [(String?, BitpalError)] = []
    do {
      try reading.elements(
        of: "$.errors", in: response.body, expecting: .object,
        members: ["coin": "$.coin", "code": "$.code", "message": "$.message"]
      ) { row in
        let name = try row.string(0)
        let coin = name.map { $0.hasPrefix("id:") ? String($0.dropFirst(3)) : $0 }
        let message = try row.string(2) ?? "without a message"
        errors.append((coin, failure(try row.string(1) ?? "", message, of: coin, response, query)))
      }
    } catch  where !response.isSuccess {
      return []
    }
    return errors
  }

  /// Returns the failure that a code stands for; other codes are failures beyond the server, reported as its refusal.
  private func failure(
    _ code: String, _ message: String, of coin: String?, _ response: HTTPResponse, _ query: ProviderQuery
  ) -> BitpalError {
    let id = descriptor.id
    let coin = coin ?? query.coins.first ?? "?"
    let question = query.currency.map { "\(coin) in \($0)" } ?? "the coin list"
    switch ErrorCode(rawValue: code) {
    case .notFound: return .notFound(coin: coin, provider: id)
    case .noPrice: return .noPrice(coin: coin, provider: id, reason: message)
    case .noData: return .noData(question: "\(question) (\(message))", provider: id)
    case .notRecorded: return .notRecorded(question: question, recording: id, available: [])
    case .unsupported: return .unsupported(query.capability, provider: id, others: [])
    case .unsupportedCurrency: return .unsupportedCurrency(query.currency ?? "?", provider: id, supported: [])
    case .planLimit: return .planLimit(provider: id, reason: message)
    case .rateLimited: return .rateLimited(provider: id, wait: wait(in: response), reason: message)
    case .coolingDown:
      return .coolingDown(provider: id, left: wait(in: response) ?? .seconds(5), last: message)
    case .unreadable: return .unreadable(provider: id, reason: message)
    default: return .refused(provider: id, status: response.isSuccess ? 502 : response.status, reason: message)
    }
  }

  /// Returns the failure of an answer that names none, such as one of the server's gate or of a proxy before it.
  private func unnamed(_ response: HTTPResponse) -> BitpalError {
    var message: String?
    try? reading.members(of: response.body, expecting: .object, ["error": "$.error", "none": "$.none"]) {
      message = try? $0.string("error")
    }
    let start = String(decoding: response.body.prefix(300), as: UTF8.self)
    let reason = message ?? (start.isEmpty ? "without a message" : start.printable(limit: 120))
    switch response.status {
    case 401: return .unauthorized(provider: descriptor.id, reason: reason)
    case 429: return .rateLimited(provider: descriptor.id, wait: wait(in: response), reason: reason)
    default: return .refused(provider: descriptor.id, status: response.status, reason: reason)
    }
  }

  private func wait(in response: HTTPResponse) -> Duration? {
    let seconds = response.headers.first(named: "retry-after").flatMap { Int($0) }
    return seconds.flatMap { $0 >= 0 ? .seconds(min($0, 86_400)) : nil }
  }
}
