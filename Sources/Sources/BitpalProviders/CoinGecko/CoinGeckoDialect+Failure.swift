import BitpalJSON
import BitpalModel
import BitpalNetwork

extension CoinGeckoDialect {
  /// The code and text of an error's body, which comes in seven shapes.
  private struct Refusal {
    var code: Int64?
    var message: String?
  }

  var reading: JSONReading { JSONReading(provider: descriptor.id) }

  /// Returns the result of `read`, unless the answer is an error of the source by its status or its body.
  ///
  /// - Throws: The `BitpalError` that the source's error stands for, otherwise the errors of `read`.
  func explained<Answer>(_ response: HTTPResponse, _ query: ProviderQuery, _ read: () throws -> Answer) throws -> Answer
  {
    try check(response, about: query)
    do {
      return try read()
    } catch BitpalError.unreadable(let provider, let reason) {
      let refusal = refusal(in: response)
      guard let message = refusal.message else { throw BitpalError.unreadable(provider: provider, reason: reason) }
      throw failure(refusal.code, message, in: response, about: query)
    }
  }

  /// Throws the failure that the source reports, if it reports one.
  ///
  /// The status alone is not enough: 401 means "bad key" or "your plan does not reach that far", and 10012 means "range
  /// too long" or "too many addresses". A rate limit comes as 429, as 403 with a page of the edge, or as the nine bytes
  /// `Throttled`.
  private func check(_ response: HTTPResponse, about query: ProviderQuery) throws(BitpalError) {
    let start = String(decoding: response.body.prefix(2048), as: UTF8.self)
    if start.hasPrefix("Throttled") || start.hasPrefix("error code: 1015") || response.status == 429
      || response.status == 403 && start.contains("1015")
    {
      throw limited(response)
    }
    guard !response.isSuccess else { return }
    let refusal = refusal(in: response)
    throw failure(
      refusal.code, refusal.message ?? Self.message(for: response, start: start), in: response, about: query)
  }

  /// Returns the failure that an error's code and text stand for.
  private func failure(
    _ code: Int64?, _ message: String, in response: HTTPResponse, about query: ProviderQuery
  ) -> BitpalError {
    let id = descriptor.id
    switch (response.status, code) {
    case (_, 429?):
      return limited(response)
    case (_, 10005?):
      return .planLimit(provider: id, reason: message)
    case (_, 10010?):
      return otherPlan(message, "a paid one: set tier: pro")
    case (_, 10011?):
      return otherPlan(message, "a free one: set tier: demo")
    case (401, let code):
      return code == 10012 || Self.isAboutThePlan(message)
        ? .planLimit(provider: id, reason: message) : .unauthorized(provider: id, reason: message)
    case (400, 10002?), (403, 10002?):
      return .unauthorized(provider: id, reason: message)
    case (200...299, _) where message.contains("not found"), (404, _) where message.contains("not found"):
      return .notFound(coin: query.coins.first ?? "?", provider: id)
    case (400...422, _) where message.contains("invalid vs_currency"):
      return .unsupportedCurrency(query.currency ?? "?", provider: id, supported: [])
    default:
      return .refused(provider: id, status: response.status, reason: message)
    }
  }

  private func otherPlan(_ message: String, _ plan: String) -> BitpalError {
    .unauthorized(
      provider: descriptor.id,
      reason: "\(message) (the key is \(plan) under providers: \(descriptor.id): in config.yaml)"
    )
  }

  /// Returns the failure of a rate limit, with the wait of `Retry-After` in seconds, at most a day.
  private func limited(_ response: HTTPResponse) -> BitpalError {
    let seconds = response.headers.first(named: "retry-after").flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    return .rateLimited(
      provider: descriptor.id, wait: seconds.map { .seconds(min($0, 86_400)) },
      reason: refusal(in: response).message ?? "its limit for this address or key is reached")
  }

  /// Returns whether the message of a 401 without a code is about the plan and not about the key.
  private static func isAboutThePlan(_ message: String) -> Bool {
    ["365 days", "exclusive to", "allowed time range", "plan subscribers"].contains { message.contains($0) }
  }

  /// Returns the code and message of an error's body.
  ///
  /// They stand below `status`, below `error.status` or at the top, and `error` may itself be the message, because the
  /// layers of the service have different formats.
  private func refusal(in response: HTTPResponse) -> Refusal {
    var refusal = Refusal()
    // A body that is not a JSON object has no error message.
    try? reading.rows(
      """
      SELECT coalesce(?1->>'$.status.error_code', ?1->>'$.error.status.error_code', ?1->>'$.error_code') AS code,
        coalesce(?1->>'$.status.error_message', ?1->>'$.error.status.error_message',
          iif(json_type(?1, '$.error') = 'text', ?1->>'$.error', NULL)) AS message
      """, in: response.body, expecting: .object
    ) { row in
      refusal.code = try? row.integer("code")
      refusal.message = row.text("message")
    }
    return refusal
  }

  /// Returns a message for a body without one: its first characters, unless it is a page of the service's proxy.
  private static func message(for response: HTTPResponse, start: String) -> String {
    if response.body.isEmpty { return "without a message" }
    guard response.body.isWebPage else { return start.printable(limit: 120) }
    if start.contains("1020") { return "the edge's firewall turned the request away (error 1020)" }
    return "a web page instead of JSON"
  }
}
