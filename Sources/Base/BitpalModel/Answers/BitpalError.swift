/// The reason why a question has no answer, with a stable code.
///
/// ``code`` is for programs, ``message`` for people, and ``hint`` is the next step.
public indirect enum BitpalError: Error, Hashable, Sendable {
  /// No coin has that id, alias or symbol; `suggestion` is the nearest known name.
  case notFound(coin: String, provider: String, suggestion: String? = nil)

  /// More than one coin has that symbol; `prices` are the cached prices of the candidates.
  case ambiguous(symbol: String, candidates: [CoinListItem], prices: CandidatePrices? = nil)

  /// The source knows the coin but sent no usable price; `reason` is the cause, if known.
  case noPrice(coin: String, provider: String, reason: String? = nil)

  /// The recording has no answer to the question; `available` lists its answers of that kind, the nearest first, and
  /// `append` is the command that adds the answer to a recording that was made by a command.
  case notRecorded(question: String, recording: String, available: [String], append: String? = nil)

  /// The source answered, but has no data in the requested window.
  case noData(question: String, provider: String)

  /// The provider lacks the capability; `others` have it.
  case unsupported(Capability, provider: String, others: [String])

  /// The source does not answer in the currency; `supported` are its currencies, where known.
  case unsupportedCurrency(String, provider: String, supported: [String])

  /// Our own budget for the source is used: `used` requests of `limit`. `wait` is the time until a request is allowed,
  /// where known; `keyVariable` is the variable for a key that would raise the limit, where none is set.
  case budgetUsed(provider: String, used: Int, limit: RateLimit, wait: Duration?, keyVariable: String? = nil)

  /// The source allows no more requests; `wait` is the time until the next attempt is allowed, where known.
  case rateLimited(provider: String, wait: Duration?, reason: String)

  /// The budget cannot be counted, so no request may be sent: another process has locked its file.
  case budgetLocked(provider: String, path: String)

  /// The source is not asked for a while after a failure; `last` is the message of the last one.
  case coolingDown(provider: String, left: Duration, last: String)

  /// The source refuses the key or wants one.
  case unauthorized(provider: String, reason: String)

  /// The source's plan does not allow the question, although the key may be valid; `others` have older data.
  case planLimit(provider: String, reason: String, others: [String] = [])

  /// The source answered with that HTTP status and with its own message as the reason.
  case refused(provider: String, status: Int, reason: String)

  /// The source could not be reached; `isFinal` is true if another attempt within the same minute is useless: a name
  /// that does not resolve, a certificate that is not trusted. `isSent` is false if the request certainly never left
  /// this machine.
  case network(host: String, reason: String, isFinal: Bool = false, isSent: Bool = true)

  /// The time limit passed; a limit of zero or less means that it had passed before the source was asked.
  case timedOut(provider: String, limit: Duration)

  /// Fewer sources than needed agree on the price of a coin.
  case sourcesDisagree(coin: String, Agreement)

  /// Every provider of a list was asked and failed; the failures are in the order of the requests.
  case allFailed([ProviderFailure])

  /// Nothing is cached for the question and fetching is forbidden.
  case offline(question: String)

  /// The source's answer cannot be read; `reason` names the place in the answer, where known.
  case unreadable(provider: String, reason: String)

  /// The plugin broke a rule of the protocol, or ended; `reason` completes a sentence that begins with its name.
  case plugin(provider: String, reason: String)

  /// A recording's file is missing, damaged or points outside its folder.
  case recordingDamaged(file: String, entry: Int?, reason: String)

  /// The settings or a provider file are wrong; one issue per fault, all faults of a file at once.
  case configuration([ConfigurationIssue])

  /// The settings found in the working folder are not trusted, or have changed since; `withheld` names the data that
  /// they cannot use: `portfolio`, `keys`, `providers/kraken.yaml`.
  case untrusted(file: String, hasChanged: Bool, withheld: [String])

  /// The command line is wrong; `hint` shows a correct one.
  case usage(String, hint: String? = nil)

  /// A file of the user's cannot be read or written.
  case dataFile(path: String, reason: String)
}

extension BitpalError {
  /// The stable name of the failure.
  public var code: ErrorCode {
    switch self {
    case .notFound: .notFound
    case .ambiguous: .ambiguous
    case .noPrice: .noPrice
    case .notRecorded: .notRecorded
    case .noData: .noData
    case .unsupported: .unsupported
    case .unsupportedCurrency: .unsupportedCurrency
    case .budgetUsed, .rateLimited, .budgetLocked: .rateLimited
    case .coolingDown: .coolingDown
    case .unauthorized: .unauthorized
    case .planLimit: .planLimit
    case .refused: .refused
    case .network: .network
    case .timedOut: .timedOut
    case .sourcesDisagree: .sourcesDisagree
    case .allFailed(let causes): causes.decisive?.code ?? .noData
    case .offline: .offline
    case .unreadable: .unreadable
    case .plugin: .plugin
    case .recordingDamaged: .recordingDamaged
    case .configuration: .configuration
    case .untrusted: .untrusted
    case .usage: .usage
    case .dataFile: .dataFile
    }
  }
}

extension BitpalError {
  /// The time until the next attempt is useful; nil where that is unknown or no time helps.
  public var retryAfter: Duration? {
    switch self {
    case .budgetUsed(_, _, _, let wait, _), .rateLimited(_, let wait, _): wait
    case .allFailed(let causes): causes.compactMap(\.error.retryAfter).min()
    default: nil
    }
  }
}

extension BitpalError {
  /// The currencies of a source that lacks the requested one, empty where they are unknown; nil for a failure with
  /// another cause.
  package var supportedCurrencies: [String]? {
    switch self {
    case .unsupportedCurrency(_, _, let supported): supported
    // A recording, or the cache, may have the same in another currency.
    case .notRecorded, .offline: []
    case .allFailed(let causes): causes.lazy.compactMap(\.error.supportedCurrencies).first
    default: nil
    }
  }

  /// Returns this failure combined with that of another provider that was asked after it.
  package func followed(by other: BitpalError) -> BitpalError { .allFailed(causes + other.causes) }

  /// The failure of each provider.
  private var causes: [ProviderFailure] {
    if case .allFailed(let causes) = self { return causes }
    let provider: String =
      switch self {
      case .notFound(_, let id, _), .noPrice(_, let id, _), .noData(_, let id), .unsupported(_, let id, _),
        .unsupportedCurrency(_, let id, _), .budgetUsed(let id, _, _, _, _), .rateLimited(let id, _, _),
        .budgetLocked(let id, _), .coolingDown(let id, _, _), .unauthorized(let id, _), .planLimit(let id, _, _),
        .refused(let id, _, _), .timedOut(let id, _), .unreadable(let id, _), .plugin(let id, _),
        .notRecorded(_, let id, _, _):
        id
      default: ""
      }
    return [ProviderFailure(provider: provider, error: self)]
  }
}
