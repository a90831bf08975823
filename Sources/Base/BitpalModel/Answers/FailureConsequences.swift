/// The consequences of a failure; see ``ErrorCode/consequences`` for the table.
package struct FailureConsequences: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The source as a whole has failed: another coin would fail in the same way.
  ///
  /// The failure counts towards a cool-down.
  ///
  /// A failure without this consequence concerns a coin, a question, the settings or the user's own files.
  package static let isOfSource = FailureConsequences(rawValue: 1 << 0)

  /// The next provider is asked, because it may have the answer.
  package static let fallsBack = FailureConsequences(rawValue: 1 << 1)

  /// An older answer may be served instead (stale-if-error, RFC 5861).
  ///
  /// A source that no longer has a coin has answered, so no older answer replaces that. A coin without a price, or with
  /// an impossible one, and a series without a row where there were some, are faults of the source.
  package static let staleIfError = FailureConsequences(rawValue: 1 << 2)

  /// Other requests for the same question are not sent: within the same time they would fail in the same way.
  package static let abortsBatch = FailureConsequences(rawValue: 1 << 3)

  /// The coin's name may be a ticker, which the coin list can resolve.
  package static let mayBeTicker = FailureConsequences(rawValue: 1 << 4)

  /// A shorter window may have an answer where this one had none.
  package static let mayHaveShorterRange = FailureConsequences(rawValue: 1 << 5)

  /// The source has answered and works again: earlier failures no longer count.
  package static let provesSourceHealthy = FailureConsequences(rawValue: 1 << 6)

  /// Another attempt gives the same answer until the user changes something.
  package static let isLasting = FailureConsequences(rawValue: 1 << 7)
}

extension ErrorCode {
  /// The consequences of each failure: the one table, with a row for every code.
  ///
  /// `exit` is the status of a command that failed with nothing else: 1 for a coin, 2 for the command line, 3 for the
  /// settings, 4 for the source, 5 for the budget, 6 for data that cannot be read, 7 for the user's files,
  /// 8 for sources that disagree.
  package var consequences: (exit: Int32, then: FailureConsequences) {
    switch self {
    // The answer of a source about a coin or a question.
    case .notFound: (1, [.fallsBack, .mayBeTicker, .provesSourceHealthy, .isLasting])
    case .noPrice: (1, [.fallsBack, .staleIfError, .provesSourceHealthy])
    case .noData: (1, [.fallsBack, .staleIfError, .mayHaveShorterRange, .provesSourceHealthy])
    case .notRecorded: (1, [.fallsBack, .mayBeTicker, .mayHaveShorterRange, .isLasting])
    case .planLimit: (4, [.fallsBack, .mayHaveShorterRange])

    // Questions that a provider cannot answer.
    case .unsupported: (1, [.fallsBack, .isLasting])
    case .unsupportedCurrency: (1, [.fallsBack, .isLasting])

    // The source as a whole.
    case .unauthorized: (4, [.isOfSource, .fallsBack, .staleIfError, .abortsBatch])
    case .rateLimited: (5, [.isOfSource, .fallsBack, .staleIfError, .abortsBatch])
    case .timedOut: (4, [.isOfSource, .fallsBack, .staleIfError, .abortsBatch])
    case .refused: (4, [.isOfSource, .fallsBack, .staleIfError])
    case .network: (4, [.isOfSource, .fallsBack, .staleIfError])
    case .unreadable: (6, [.isOfSource, .fallsBack, .staleIfError])

    case .plugin: (6, [.isOfSource, .fallsBack, .staleIfError, .abortsBatch])

    // The source is not asked, so this is not another failure of it.
    case .coolingDown: (4, [.fallsBack, .staleIfError])

    // Every source was asked.
    case .sourcesDisagree: (8, [])

    // Only the user can fix these.
    case .ambiguous: (1, .isLasting)
    case .offline: (4, [])
    case .usage: (2, .isLasting)
    case .configuration: (3, .isLasting)
    case .untrusted: (3, .isLasting)
    case .recordingDamaged: (6, [])
    case .dataFile: (7, [])
    }
  }
}

extension BitpalError {
  /// Returns whether a consequence follows from the failure.
  ///
  /// One failure among those of several providers suffices, with two exceptions. A failure is lasting only if each of
  /// them is. The coin's name is in doubt only if each of them is lasting: a source that was limited, cooling down or
  /// unreachable may have the coin.
  package func has(_ consequence: FailureConsequences) -> Bool {
    guard case .allFailed(let causes) = self else { return code.consequences.then.contains(consequence) }
    let isLasting = causes.allSatisfy { $0.error.has(.isLasting) }
    switch consequence {
    case .isLasting: return isLasting
    case .mayBeTicker: return isLasting && causes.contains { $0.error.has(.mayBeTicker) }
    default: return causes.contains { $0.error.has(consequence) }
    }
  }

  /// Whether at least one of several sources may deny the coin because of its name; see
  /// ``FailureConsequences/mayBeTicker``.
  package var mayBeAboutName: Bool {
    guard case .allFailed(let causes) = self else { return has(.mayBeTicker) }
    return causes.contains { $0.error.has(.mayBeTicker) }
  }

  /// Whether the source as a whole has failed: see ``FailureConsequences/isOfSource``.
  package var isOfSource: Bool { has(.isOfSource) }
}
