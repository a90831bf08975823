import BitpalProviders

/// A rule for every provider, with its reason.
public enum ConformanceRule: String, CaseIterable, Sendable {
  case description
  case emptyInput = "empty input"
  case order
  case unknownCoins = "unknown coins"
  case batchLimits = "batch limits"
  case unsupported = "unsupported capabilities"
  case currencies
  case numberText = "number text"
  case utc = "times in UTC"
  case windows
  case errorMapping = "error mapping"
  case cancellation
  case givenClock = "no clock but the given one"

  /// The requirement, as a sentence.
  public var demand: String {
    switch self {
    case .description: "the descriptor has an id, a name, a cache identity and capabilities"
    case .emptyInput: "quotes of no coins are an empty batch"
    case .order: "the order in which coins are asked for changes nothing"
    case .unknownCoins:
      "every coin asked for is in the answer, an unknown one as a failure beside the others, and without a chart"
    case .batchLimits: "more coins than one request takes are all accounted for, and no request names too many"
    case .unsupported: "a capability that is not in the descriptor throws .unsupported"
    case .currencies:
      "a currency that does not exist gives failures, never prices, and another currency gives other prices"
    case .numberText: "a price has every digit that the source sent"
    case .utc: "stamps are instants in UTC: the last point of a series is near the end of its window"
    case .windows:
      "series are sorted, without duplicates, and reach into the window; candles have low ≤ open, close ≤ high, most of them as sent"
    case .errorMapping: "HTTP statuses and unreadable bodies become the failures that callers act on"
    case .cancellation: "a cancelled task ends with CancellationError, or with an answer that was there already"
    case .givenClock: "the same responses give the same answers, whatever the time of day"
    }
  }

  /// The reason for the rule.
  public var reason: String {
    switch self {
    case .description: "answers are cached, shown and credited by them"
    case .emptyInput: "a request that asks nothing costs budget, and some sources answer it with everything"
    case .order: "sources answer in an order of their own; a price under another coin's name is worse than none"
    case .unknownCoins: "one mistyped coin must not cost the prices of all others, and no answer is not zero"
    case .batchLimits: "sources cut long lists silently"
    case .unsupported: "callers then name the providers that have it"
    case .currencies: "sources fall back to dollars without a word"
    case .numberText: "money that went through a Double has lost digits"
    case .utc: "a stamp in local time shifts every chart by hours"
    case .windows: "statistics, resampling and drawing rely on it"
    case .errorMapping: "only a rate limit is waited for, only a failing source is answered from the cache"
    case .cancellation: "Ctrl-C and a closed view must free the connection"
    case .givenClock: "replay, --now and tests depend on it"
    }
  }
}

/// The result of one rule.
public struct ConformanceResult: Hashable, Sendable {
  /// The outcome of a check.
  public enum Outcome: Hashable, Sendable {
    /// The provider keeps the rule.
    case passed

    /// The provider breaks the rule; the observation.
    case failed(String)

    /// The rule could not be checked; the reason.
    case skipped(String)
  }

  /// The rule.
  public let rule: ConformanceRule

  /// The outcome of the check.
  public let outcome: Outcome

  /// Whether the provider breaks the rule.
  public var isBroken: Bool { if case .failed = outcome { true } else { false } }

  /// Whether the rule could not be checked.
  public var isSkipped: Bool { if case .skipped = outcome { true } else { false } }

  /// The observation, or the reason why the rule could not be checked; nil when the provider keeps it.
  public var detail: String? {
    switch outcome {
    case .passed: nil
    case .failed(let text), .skipped(let text): text
    }
  }
}
