extension BitpalError {
  /// True for failures of the source as a whole: another coin would fail alike, another source or an older answer may
  /// help.
  ///
  /// False for failures of a coin, a question, the settings or the user's own files.
  package var isOfSource: Bool {
    switch self {
    case .rateLimited, .budgetLocked, .unauthorized, .refused, .network, .timedOut, .unreadable: true
    case .notFound, .ambiguous, .noPrice, .notRecorded, .noData, .unsupported, .unsupportedCurrency, .planLimit,
      .offline, .recordingDamaged, .configuration, .untrusted, .usage, .dataFile:
      false
    }
  }
}
