/// Standard output or standard error cannot be written.
struct OutputError: Error, Equatable, Sendable {
  /// The system's own words.
  let reason: String
}
