public import Bitpal
import BitpalModel
public import BitpalProviders
import BitpalReplay
import FoundationEssentials
import Glibc
public import Testing

/// A trait that runs a test, or each test of a suite, over a recording: `@Test(.replay("btc-week"))`.
///
/// A request that the recording does not have fails where it is sent and fails the test again at its end, so that code
/// which ignores errors cannot hide it.
public struct ReplayTrait: TestTrait, SuiteTrait, TestScoping {
  /// The treatment of recorded requests that a test never makes.
  public enum Unused: Sendable {
    /// They have no effect.
    case allowed

    /// They fail the test.
    case reported
  }

  let name: String
  let mode: ReplayMode
  let unmatched: UnmatchedRequests
  let unused: Unused
  let provider: String
  let file: String

  /// A Boolean value indicating whether the trait of a suite applies to each of its tests; each has a playback of its
  /// own.
  public var isRecursive: Bool { true }

  /// Opens the recording for the test, and records its misses as issues at the end.
  ///
  /// - Throws: `BitpalError` when the recording cannot be opened or saved, or the errors of the test.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let transport = try ReplayTransport(
      Self.path(of: name, near: file), mode: Self.mode(else: mode), unmatched: unmatched, provider: provider)
    try await Replay.$current.withValue(transport) { try await function() }
    for miss in transport.misses { Issue.record(Comment(rawValue: miss.description)) }
    let rest = transport.unused
    if case .reported = unused, !rest.isEmpty {
      Issue.record(
        "\(rest.count) answers were not asked for, of \(name):\n\(rest.prefix(10).joined(separator: "\n"))")
    }
    try transport.save()
  }

  /// Returns the path of a recording, searched in `Fixtures` and `Recordings` beside the test's file and in the folders
  /// above it.
  static func path(of name: String, near file: String) -> String {
    if name.hasPrefix("/") { return name }
    var folder = file
    var places: [String] = []
    while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
      folder = String(folder[..<slash])
      places += ["Fixtures", "Recordings"].map { "\(folder)/\($0)/\(name)" }
      // The folders above the package do not belong to it.
      if access(folder + "/Package.swift", F_OK) == 0 { break }
    }
    return places.first { access($0, F_OK) == 0 } ?? places.first ?? name
  }

  private static func mode(else mode: ReplayMode) -> ReplayMode {
    ProcessInfo.processInfo.environment[ReplayMode.variable].flatMap(ReplayMode.init(rawValue:)) ?? mode
  }
}

extension Trait where Self == ReplayTrait {
  /// Replays a recording: `Fixtures/NAME` or `Recordings/NAME`, beside the test's file or in a folder above it, up to
  /// the package.
  ///
  /// - Parameters:
  ///   - name: The folder of the recording.
  ///   - mode: The mode of recording; the environment variable `BITPAL_REPLAY` overrides it.
  ///   - unmatched: The treatment of requests that the recording does not have.
  ///   - unused: Whether recorded requests that are never made fail the test.
  ///   - provider: The id of the provider, for a new recording.
  ///   - file: The file beside which the search for the recording begins.
  public static func replay(
    _ name: String, mode: ReplayMode = .none, unmatched: UnmatchedRequests = .strict,
    unused: ReplayTrait.Unused = .allowed, provider: String = "coingecko", file: String = #filePath
  ) -> ReplayTrait {
    ReplayTrait(name: name, mode: mode, unmatched: unmatched, unused: unused, provider: provider, file: file)
  }
}

/// The recording of a test with the trait `.replay(…)`.
///
///     @Test(.replay("btc-week"))
///     func `The alarm rings`() async throws {
///       let answer = try await Replay.provider().quotes(["bitcoin"], currency: "usd")
///       …
///     }
public enum Replay {
  /// The error of a test without the trait, which has no recording.
  public struct NotReplaying: Error, CustomStringConvertible {
    /// The message, with the trait to add.
    public var description: String { "this test replays nothing: give it a trait, @Test(.replay(\"NAME\"))" }
  }

  @TaskLocal static var current: ReplayTransport?

  /// Returns the transport over the test's recording.
  ///
  /// - Throws: ``NotReplaying`` for a test without the trait.
  public static func transport() throws -> ReplayTransport {
    guard let current else { throw NotReplaying() }
    return current
  }

  /// Returns a clock that stands at the instant of the recording.
  ///
  /// - Throws: ``NotReplaying`` for a test without the trait.
  public static func time() throws -> ManualTime {
    ManualTime(try transport().recordedAt)
  }

  /// Returns a provider over the test's recording, of CoinGecko unless another dialect is given.
  ///
  /// - Throws: ``NotReplaying`` for a test without the trait.
  public static func provider(_ dialect: (any Dialect)? = nil) throws -> any PriceProvider {
    DialectProvider(dialect: dialect ?? CoinGeckoDialect(), transport: try transport(), time: try time())
  }

  /// Returns a service over the test's recording, of CoinGecko unless another dialect is given.
  ///
  /// - Throws: ``NotReplaying`` for a test without the trait.
  public static func service(_ dialect: (any Dialect)? = nil) throws -> PriceService {
    PriceService(of: try provider(dialect), time: try time())
  }
}
