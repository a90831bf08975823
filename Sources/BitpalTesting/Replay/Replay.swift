import BitpalModel
public import BitpalProviders

/// What a test with the trait `.replay(…)` works with.
///
///     @Test(.replay("btc-week"))
///     func `The alarm rings`() async throws {
///       let answer = try await Replay.provider().quotes(["bitcoin"], currency: "usd")
///       …
///     }
public enum Replay {
  /// There is no recording, because the test has no trait.
  public struct NotReplaying: Error, CustomStringConvertible {
    /// What to add.
    public var description: String { "this test replays nothing: give it a trait, @Test(.replay(\"NAME\"))" }
  }

  @TaskLocal static var current: ReplayTransport?

  /// The transport over the test's recording.
  ///
  /// - Throws: ``NotReplaying``.
  public static func transport() throws -> ReplayTransport {
    guard let current else { throw NotReplaying() }
    return current
  }

  /// A clock that stands at the instant of the recording.
  ///
  /// - Throws: ``NotReplaying``.
  public static func time() throws -> ManualTime {
    ManualTime(try transport().recordedAt)
  }

  /// A provider over the test's recording, CoinGecko unless another dialect is given.
  ///
  /// - Throws: ``NotReplaying``.
  public static func provider(_ dialect: (any Dialect)? = nil) throws -> any PriceProvider {
    DialectProvider(dialect: dialect ?? CoinGeckoDialect(), transport: try transport(), time: try time())
  }
}
