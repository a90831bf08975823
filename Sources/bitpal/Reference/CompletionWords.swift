/// The words a completion script asks the tool for.
enum CompletionWords: String, CaseIterable, Sendable {
  /// The aliases, and the coins of the cached list.
  case coins
  case providers
  case ranges
}
