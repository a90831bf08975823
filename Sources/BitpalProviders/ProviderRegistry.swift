public import BitpalModel
public import BitpalNetwork
import BitpalReplay

/// Builds providers out of specifications: the one place that knows every kind.
public struct ProviderRegistry: Sendable {
  /// What a provider may need from outside.
  public struct Environment: Sendable {
    /// The clock for deadlines.
    public let time: any TimeSource

    /// Who is told what happens.
    public let trace: Trace

    /// The key of a provider, if one is set and may be sent to its host.
    public let key: @Sendable (ProviderSpecification) throws -> Secret?

    /// The way to the network for a provider.
    public let transport: @Sendable (ProviderSpecification, Secret?) throws -> any Transport

    /// The specification of another provider, for recordings of it.
    public let specification: @Sendable (String) throws -> ProviderSpecification

    /// The ticker of a coin (bitcoin → btc) for providers that ask by it; nil when nobody knows.
    public let symbol: @Sendable (ProviderSpecification, String) -> String?

    /// Creates an environment.
    public init(
      time: any TimeSource, trace: Trace, key: @escaping @Sendable (ProviderSpecification) throws -> Secret?,
      transport: @escaping @Sendable (ProviderSpecification, Secret?) throws -> any Transport,
      specification: @escaping @Sendable (String) throws -> ProviderSpecification,
      symbol: @escaping @Sendable (ProviderSpecification, String) -> String? = { _, _ in nil }
    ) {
      self.symbol = symbol
      self.time = time
      self.trace = trace
      self.key = key
      self.transport = transport
      self.specification = specification
    }
  }

  private let environment: Environment

  /// Creates a registry.
  public init(environment: Environment) {
    self.environment = environment
  }

  /// The provider that the specification describes.
  ///
  /// - Throws: `BitpalError` when its recording or its key cannot be read, or its kind is not available.
  public func provider(_ specification: ProviderSpecification) throws -> any PriceProvider {
    switch specification.kind {
    case .recorded:
      guard let folder = specification.recording else {
        throw Self.incomplete(specification, "recording: is missing (the folder of the recording)")
      }
      // Read with the dialect as it is by default: a base URL or a key has no part in reading.
      let head = try HARReader.head(folder)
      var source = try environment.specification(
        specification.recordingOf ?? head.provider ?? ProviderSpecification.Kind.coingecko.rawValue)
      // What goes wrong goes wrong at the recording, whoever was recorded.
      source.id = specification.id
      return RecordedProvider(
        id: specification.id, name: specification.name, recording: head,
        dialect: try dialect(source, key: nil),
        otherDialect: { id in
          guard var other = try? environment.specification(id) else { return nil }
          other.id = specification.id
          return try dialect(other, key: nil)
        }, trace: environment.trace)
    case .coingecko, .http:
      let key = try environment.key(specification)
      return HTTPProvider(
        dialect: try dialect(specification, key: key), transport: try environment.transport(specification, key),
        time: environment.time, timeLimit: specification.timeout, trace: environment.trace)
    }
  }

  /// The descriptor of a provider, without opening its recording or reading its key.
  public func dialect(_ specification: ProviderSpecification, key: Secret?) throws -> any Dialect {
    switch specification.kind {
    case .coingecko:
      return CoinGeckoDialect(specification, key: key)
    case .http:
      let symbol = environment.symbol
      return try DeclarativeDialect(specification, key: key) { symbol(specification, $0) }
    case .recorded:
      throw Self.incomplete(specification, "a recording of a recording cannot be read")
    }
  }

  private static func incomplete(_ specification: ProviderSpecification, _ message: String) -> BitpalError {
    .configuration([ConfigurationIssue(file: specification.file ?? "provider \(specification.id)", message: message)])
  }
}
