import BitpalModel

extension ErrorCode {
  /// The HTTP status of a failure.
  ///
  /// 4xx means that another question may be answered, 5xx that the same question may be answered later.
  var status: Int {
    switch self {
    case .notFound, .noPrice, .notRecorded, .noData: 404
    case .usage, .unsupportedCurrency: 422
    case .ambiguous: 409
    case .planLimit: 403
    case .rateLimited: 429
    case .unsupported: 501
    case .unauthorized, .refused, .network, .unreadable, .plugin, .sourcesDisagree: 502
    case .coolingDown, .offline: 503
    case .timedOut: 504
    case .recordingDamaged, .configuration, .untrusted, .dataFile: 500
    }
  }
}

extension BitpalError {
  /// The HTTP status of the failure: that of its code, and 503 where the source itself asked for a pause, because 429
  /// would blame the client.
  var status: Int {
    switch self {
    case .rateLimited: 503
    case .allFailed(let causes): causes.decisive?.status ?? code.status
    default: code.status
    }
  }

  /// The `Retry-After` header; empty when no wait is known.
  var retryHeaders: [WebHeader] {
    secondsToWait.map { [WebHeader("Retry-After", "\($0)")] } ?? []
  }

  /// The `Refresh` header, with which a browser loads the page again after the wait, at most an hour; empty when no
  /// wait is known.
  var refreshHeaders: [WebHeader] {
    secondsToWait.map { [WebHeader("Refresh", "\(min($0, 3600))")] } ?? []
  }

  private var secondsToWait: Int64? {
    let wait: Duration? = if case .coolingDown(_, let left, _) = self { left } else { retryAfter }
    return wait.map { max(1, $0.roundedUp.components.seconds) }
  }
}

extension BitpalError {
  /// Converts any error; an error of another type counts as an unreadable answer of this program.
  init(of error: any Error) {
    self = error as? BitpalError ?? .unreadable(provider: "bitpal", reason: "\(error)")
  }
}
