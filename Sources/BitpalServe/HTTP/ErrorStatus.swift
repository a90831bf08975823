import BitpalModel

extension ErrorCode {
  /// The status that tells a client what a failure means for it: the one table.
  ///
  /// 4xx says that another question may be answered, 5xx that the same one may be later.
  var status: Int {
    switch self {
    case .notFound, .noPrice, .notRecorded, .noData: 404
    case .usage, .unsupportedCurrency: 422
    case .ambiguous: 409
    case .planLimit: 403
    case .rateLimited: 429
    case .unsupported: 501
    case .unauthorized, .refused, .network, .unreadable, .plugin: 502
    case .coolingDown, .offline: 503
    case .timedOut: 504
    case .recordingDamaged, .configuration, .untrusted, .dataFile: 500
    }
  }
}

extension BitpalError {
  /// The header that says when to ask again; none where that is not known.
  var retryHeaders: [WebHeader] {
    secondsToWait.map { [WebHeader("Retry-After", "\($0)")] } ?? []
  }

  /// Has a browser load the page again when the source is free; nothing where that is not known.
  var refreshHeaders: [WebHeader] {
    secondsToWait.map { [WebHeader("Refresh", "\(min($0, 3600))")] } ?? []
  }

  private var secondsToWait: Int64? {
    let wait: Duration? = if case .coolingDown(_, let left, _, _) = self { left } else { retryAfter }
    return wait.map { max(1, $0.roundedUp.components.seconds) }
  }
}

extension BitpalError {
  /// Whatever was thrown; what is none of ours is a fault of this program.
  init(of error: any Error) {
    self = error as? BitpalError ?? .unreadable(provider: "bitpal", reason: "\(error)")
  }
}
