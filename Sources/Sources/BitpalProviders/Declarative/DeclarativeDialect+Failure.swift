import BitpalJSON
import BitpalModel
import BitpalNetwork

/// The words of a source about its failure.
private struct Complaint {
  /// The text for messages, at most 200 characters.
  let shown: String

  /// Every text in which the words of `errors:` are looked for, whole and in lower case.
  private let compared: String

  init(_ texts: [String]) {
    shown = texts.first?.printable(limit: 200) ?? ""
    compared = texts.joined(separator: "\n").lowercased()
  }

  /// Returns whether one of the words is a part of the texts, without case.
  func has(_ words: [String]) -> Bool { words.contains { compared.contains($0.lowercased()) } }
}

extension DeclarativeDialect {
  /// Returns the failure of a response whose status is not a success.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - query: The query.
  ///   - json: The body as JSON, if it has another form; nil otherwise.
  func refusal(of response: HTTPResponse, asked query: ProviderQuery, json: [UInt8]? = nil) -> BitpalError {
    let complaint = complaint(in: response) ?? json.flatMap { self.complaint(in: response.with($0)) }
    if let complaint, let meant = meaning(of: complaint, response, query) { return meant }
    if complaint == nil, let meant = ownError(in: response, asked: query) { return meant }
    let message = complaint?.shown
    let reason = message ?? start(of: response, asked: query)
    switch response.status {
    case 418, 429: return limited(response, message ?? "its limit for this address or key is reached")
    case 401: return .unauthorized(provider: descriptor.id, reason: reason)
    case 404 where operations[query.capability]?.namesPeriodAlone == true:
      // The source has no file of that year.
      return noData(query)
    case 404:
      // A page, or the words of a server that knows no such address, are not about the coin.
      guard let coin = query.coins.first,
        message != nil || json != nil || Self.isFormOf(response.body, operations[query.capability])
      else { break }
      return .notFound(coin: coin, provider: descriptor.id)
    case 301...308:
      if let target = response.headers.first(named: "location") {
        return .refused(provider: descriptor.id, status: response.status, reason: "moved to \(target)")
      }
    default: break
    }
    return .refused(provider: descriptor.id, status: response.status, reason: reason)
  }

  /// Returns the source's error in an answer of HTTP 200; nil when there is none.
  func sourceError(in response: HTTPResponse, asked query: ProviderQuery) -> BitpalError? {
    guard let complaint = complaint(in: response) else { return nil }
    return meaning(of: complaint, response, query)
      ?? .refused(provider: descriptor.id, status: response.status, reason: complaint.shown)
  }

  /// Returns the error in plain text of a source; nil unless the file has its meaning.
  ///
  /// In place of JSON, a web page is not plain text, nor is a body that begins as JSON or has more than 500 bytes.
  func ownError(in response: HTTPResponse, asked query: ProviderQuery) -> BitpalError? {
    guard let operation = operations[query.capability] else { return nil }
    guard
      operation.declared.body != .json
        || response.body.count <= 500 && !response.body.isWebPage && !Self.isFormOf(response.body, operation)
    else { return nil }
    return meaning(of: Complaint([String(decoding: response.body.prefix(2000), as: UTF8.self)]), response, query)
  }

  /// Returns the failure that a source's words mean by the file's `errors`; nil for none.
  private func meaning(of complaint: Complaint, _ response: HTTPResponse, _ query: ProviderQuery) -> BitpalError? {
    let meaning = DeclaredAPI.Meaning.allCases.first { complaint.has(api.errors[$0] ?? []) }
    let (id, message) = (descriptor.id, complaint.shown)
    switch meaning {
    case .notFound: return .notFound(coin: query.coins.first ?? "?", provider: id)
    case .noPrice: return .noPrice(coin: query.coins.first ?? "?", provider: id)
    case .noData: return noData(query)
    case .unsupportedCurrency:
      return .unsupportedCurrency(query.currency ?? "?", provider: id, supported: descriptor.currencies)
    case .rateLimited: return limited(response, message)
    case .unauthorized: return .unauthorized(provider: id, reason: message)
    case .planLimit: return .planLimit(provider: id, reason: message)
    case nil: return nil
    }
  }

  /// Returns the failure of a rate limit, with the wait of `Retry-After` in seconds, at most a day.
  private func limited(_ response: HTTPResponse, _ message: String) -> BitpalError {
    let seconds = response.headers.first(named: "retry-after").flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    return .rateLimited(provider: descriptor.id, wait: seconds.map { .seconds(min($0, 86_400)) }, reason: message)
  }

  /// Returns the texts at the `error` paths, of which the first is shown; nil when none leads to a text.
  private func complaint(in response: HTTPResponse) -> Complaint? {
    guard !api.error.isEmpty else { return nil }
    let columns = api.error.map { ":body ->> \(JSONPathText($0.text).sql)" }.joined(separator: ", ")
    var texts: [String] = []
    // A body that is not JSON has no error message at a path.
    try? Sandbox().prepare("SELECT \(columns)").forEach(in: response.body, values: [:]) { row in
      texts = api.error.indices.compactMap { row.text($0) }.filter { !["", "0", "[]", "{}"].contains($0) }
    }
    return texts.isEmpty ? nil : Complaint(texts)
  }

  /// Returns a message for a refusal without one: the beginning of its body, unless that is a web page.
  private func start(of response: HTTPResponse, asked query: ProviderQuery) -> String {
    if response.body.isEmpty { return "without a message" }
    let form = operations[query.capability]?.declared.body ?? .json
    return response.body.isWebPage
      ? "a web page instead of \(form.shownName)"
      : String(decoding: response.body.prefix(600), as: UTF8.self).printable(limit: 120)
  }

  /// Returns whether a body is empty or can be in the form of an operation's answers.
  private static func isFormOf(_ body: [UInt8], _ operation: CompiledOperation?) -> Bool {
    guard operation?.declared.body == .json else { return !body.isWebPage }
    guard let first = body.first(where: { $0 > 0x20 }) else { return true }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

extension HTTPResponse {
  /// Returns the response with another body.
  func with(_ body: [UInt8]) -> HTTPResponse { HTTPResponse(status: status, headers: headers, body: body) }
}
