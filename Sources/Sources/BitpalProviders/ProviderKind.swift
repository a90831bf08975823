import BitpalJSON
package import BitpalModel
package import BitpalNetwork

/// A kind of provider file: what it reads from the file, and the provider that is made of it.
///
/// A kind is one type in a folder of its own, and a line in ``ProviderKinds/all``. Only ``init(_:)`` and one of
/// ``dialect(of:key:in:)`` and ``provider(of:in:)`` are always its own; the rest has defaults for a source on the web.
package protocol ProviderKind: Equatable, Sendable {
  /// The name of the kind in provider files.
  static var name: String { get }

  /// The keys of its files beyond those that every provider file may have.
  static var keys: ProviderKindKeys { get }

  /// Whether its providers answer from files on this machine.
  static var isLocal: Bool { get }

  /// Whether `base_url` may begin with `http://` on any host.
  static var mayUsePlainHTTP: Bool { get }

  /// Reads the keys of a file, or of overrides for one.
  ///
  /// It is nil where a required key is missing or wrong; missing ones are reported by the caller, others here.
  init?(_ file: ProviderFileReader)

  /// The base URL of requests that a file without one has; nil for none.
  var usualBaseURL: String? { get }

  /// The path below the base URL that shows whether the source can be reached; nil where nothing does.
  var probePath: String? { get }

  /// The request budgets of a file without any.
  var usualBudgets: [RateLimit] { get }

  /// The hosts that are known to be the source's own, to which its key may be sent.
  var ownHosts: [String] { get }

  /// The policy of retries.
  var retryPolicy: RetryPolicy { get }

  /// The plan of the source, where it has several.
  var plan: String? { get }

  /// Whether the source answers only with a key.
  var needsKey: Bool { get }

  /// The recording or file of prices on this machine that answers; nil for a provider that asks a source.
  var localPath: String? { get }

  /// The examples of the provider's file; nil for a kind without examples.
  var examples: [DeclaredExample]? { get }

  /// Returns the kind as it is when a key is set.
  func withKey() -> Self

  /// Returns the kind with what the settings decide about programs: the files of the trusted folder, and whether this
  /// machine and private networks may be asked.
  func allowed(_ files: TrustedFiles?, mayAskPrivateHosts: Bool) -> Self

  /// Returns the dialect of a provider, and adds the budgets that a program names to a specification without any.
  ///
  /// - Throws: `BitpalError` for a file that is wrong, or a kind whose providers send no requests.
  func dialect(
    of specification: inout ProviderSpecification, key: Secret?, in environment: ProviderEnvironment
  ) throws -> any Dialect

  /// Returns a transport that adds to each request what the kind needs.
  func transport(_ base: any Transport) -> any Transport

  /// Returns the provider that a file describes.
  ///
  /// - Throws: `BitpalError` when its recording or its key cannot be read, or its file is wrong.
  func provider(
    of specification: ProviderSpecification, in environment: ProviderEnvironment
  ) throws -> any PriceProvider

  /// Returns the descriptor of a provider as it is listed.
  ///
  /// - Throws: The errors of ``provider(of:in:)``.
  func descriptor(
    of specification: ProviderSpecification, in environment: ProviderEnvironment
  ) throws -> ProviderDescriptor

  /// Returns the recording or examples on which a provider can be tried without a network.
  ///
  /// - Throws: The errors of ``provider(of:in:)``.
  func fixtures(
    of specification: ProviderSpecification, in environment: ProviderEnvironment
  ) throws -> OfflineFixtures
}

/// The keys that only provider files of some kinds have.
package struct ProviderKindKeys: Sendable {
  /// The keys that a file may have.
  package var own: [String]

  /// The keys that a file must have, beside `id`, `name` and `kind`.
  package var required: [String]

  /// The keys of every provider file that this kind has no use for, and why.
  package var useless: [(key: String, reason: String)]

  /// Whether overrides in settings are checked before the file is known.
  package var areCheckedAlone: Bool

  /// Creates the keys of a kind; by default it has none.
  package init(
    own: [String] = [], required: [String] = [], useless: [(key: String, reason: String)] = [],
    areCheckedAlone: Bool = true
  ) {
    self.own = own
    self.required = required
    self.useless = useless
    self.areCheckedAlone = areCheckedAlone
  }
}

/// The kinds of provider files.
package enum ProviderKinds {
  /// All kinds; of a key that several have, the first is named in messages.
  package static let all: [any ProviderKind.Type] = [
    DeclaredKind.self, CoinGeckoKind.self, RecordedKind.self, FileKind.self, PluginKind.self, RelayKind.self,
  ]
}

extension ProviderKind {
  package static var keys: ProviderKindKeys { ProviderKindKeys() }
  package static var isLocal: Bool { false }
  package static var mayUsePlainHTTP: Bool { false }
  package var usualBaseURL: String? { nil }
  package var probePath: String? { nil }

  /// The strictest known budget, because the source is unknown.
  package var usualBudgets: [RateLimit] { CoinGeckoDialect.budgets(.public) }
  package var ownHosts: [String] { [] }
  package var retryPolicy: RetryPolicy { RetryPolicy() }
  package var plan: String? { nil }
  package var needsKey: Bool { false }
  package var localPath: String? { nil }
  package var examples: [DeclaredExample]? { nil }

  /// Returns the kind itself, because a key changes nothing.
  package func withKey() -> Self { self }

  /// Returns the kind itself, because it starts no program.
  package func allowed(_ files: TrustedFiles?, mayAskPrivateHosts: Bool) -> Self { self }

  /// Returns the transport itself.
  package func transport(_ base: any Transport) -> any Transport { base }

  /// Throws, because a provider that sends no requests has no dialect.
  ///
  /// - Throws: `BitpalError.configuration`.
  package func dialect(
    of specification: inout ProviderSpecification, key: Secret?, in environment: ProviderEnvironment
  ) throws -> any Dialect {
    throw BitpalError.configuration([
      ConfigurationIssue(
        file: specification.file ?? "provider \(specification.id)",
        message: "a provider that sends no requests cannot read a recording")
    ])
  }

  /// Returns the provider of the dialect over the network.
  ///
  /// - Throws: `BitpalError` when its key cannot be read, or its file is wrong.
  package func provider(
    of specification: ProviderSpecification, in environment: ProviderEnvironment
  ) throws -> any PriceProvider {
    let key = try environment.key(specification)
    var specification = specification
    // A key implies a plan with a key, also where generated settings do not name one.
    if key != nil { specification.kind = specification.kind.withKey() }
    let dialect = try specification.kind.dialect(of: &specification, key: key, in: environment)
    let transport = specification.kind.transport(try environment.transport(specification, key))
    var provider = DialectProvider(
      dialect: dialect, transport: transport, time: environment.time, timeLimit: specification.timeout,
      trace: environment.trace)
    provider.descriptor.budgets = specification.budgets
    provider.descriptor.republishes = specification.facts.republished
    return provider
  }

  /// Returns the descriptor of the provider.
  ///
  /// - Throws: The errors of ``provider(of:in:)``.
  package func descriptor(
    of specification: ProviderSpecification, in environment: ProviderEnvironment
  ) throws -> ProviderDescriptor {
    try provider(of: specification, in: environment).descriptor
  }

  /// Returns the dialect, to be tried on generated answers in its format.
  ///
  /// - Throws: The errors of ``dialect(of:key:in:)``.
  package func fixtures(
    of specification: ProviderSpecification, in environment: ProviderEnvironment
  ) throws -> OfflineFixtures {
    var specification = specification
    return .dialect(try dialect(of: &specification, key: nil, in: environment))
  }

  /// Returns whether another kind is the same with equal properties.
  func isEqual(to other: any ProviderKind) -> Bool { (other as? Self) == self }
}
