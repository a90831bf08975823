@_exported public import BitpalCache
import BitpalConfig
@_exported public import BitpalModel
import BitpalNetwork
@_exported public import BitpalProviders
import BitpalRateLimit

/// The service of prices, by the name of its package.
///
/// ```swift
/// let answer = try await Bitpal.configured().quotes(["bitcoin", "ethereum"], currency: "usd")
/// ```
public typealias Bitpal = PriceService

/// A source that a program names in its own code.
public struct PriceSource: Sendable {
  /// The id under which the settings find the source.
  let id: String

  /// The folder of its provider file; nil for one that has no file of its own.
  var folder: String?

  /// The key that is sent to it; nil for none.
  var key: String?

  /// A shipped provider file, such as `kraken` or `yahoo`.
  ///
  /// - Parameters:
  ///   - id: The provider's id, the name of its file.
  ///   - key: The key that the source wants; nil for none.
  public static func shipped(_ id: String, key: String? = nil) -> PriceSource { PriceSource(id: id, key: key) }

  /// A provider file of the program's own.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which is named after the provider's id: `sources/moonbase.yaml`.
  ///   - key: The key that the source wants; nil for none.
  public static func file(_ path: String, key: String? = nil) -> PriceSource {
    let slash = path.lastIndex(of: "/")
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    return PriceSource(
      id: name.hasSuffix(".yaml") ? String(name.dropLast(".yaml".count)) : String(name), folder: folder, key: key)
  }

  /// A recording, at whose instant the clock of the service stands.
  ///
  /// - Parameter path: The path of its folder or of a HAR file.
  public static func recording(_ path: String) -> PriceSource { PriceSource(id: "recording:" + path) }
}

extension PriceService {
  /// Returns the service of the user's settings: their providers, and the cache and the request budgets that all
  /// programs of the user share.
  ///
  /// It reads `config.yaml` and the environment as the tool does; keys come from the environment.
  ///
  /// - Parameters:
  ///   - provider: The ids of other providers than those of the settings, in order of fallback; empty for those.
  ///   - warn: Receives each warning, one sentence per call.
  /// - Throws: `BitpalError` with every fault of the settings, of a provider's file or of its key.
  public static func configured(
    provider: [String] = [], warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> PriceService {
    let environment = Environment.process()
    let choice = SettingsOverrides(provider: provider.isEmpty ? nil : provider.joined(separator: ","))
    let settings = try SettingsLoader(environment: environment, overrides: choice).load()
    return try Assembly(settings: settings, environment: environment, warn: warn).priceService()
  }

  /// Creates a service of one source that reads none of the user's files and writes none.
  ///
  /// The cache and the request budget are in memory and end with the service. The European Central Bank converts into
  /// currencies that the source lacks.
  ///
  /// - Parameters:
  ///   - source: The source of all prices.
  ///   - warn: Receives each warning, one sentence per call.
  /// - Throws: `BitpalError` with every fault of the source's file or recording; `.usage` for a key that it cannot take.
  public init(provider source: PriceSource, warn: @escaping @Sendable (String) -> Void = { _ in }) throws {
    var environment = Environment.process().alone()
    var settings = Settings(asking: source.id, in: source.folder, environment: environment)
    if let key = source.key {
      guard let variable = try ProviderCatalog(settings: settings).specification(for: source.id).keyEnvironment else {
        throw BitpalError.usage("\(source.id) takes no key: its file has no key_env")
      }
      environment = environment.alone(adding: [variable: key])
      settings = Settings(asking: source.id, in: source.folder, environment: environment)
    }
    self = try Assembly(settings: settings, environment: environment, sharesBudgets: false, warn: warn).priceService()
  }

  /// Returns a service of CoinGecko that reads none of the user's files and writes none.
  ///
  /// The cache and the request budget are in memory and end with the service: 5 requests per minute without a key, 100
  /// with a free one.
  ///
  /// - Parameters:
  ///   - key: The key; nil for none.
  ///   - tier: The plan of the key; nil for the free one.
  ///   - warn: Receives each warning, one sentence per call.
  public static func coinGecko(
    key: String? = nil, tier: CoinGeckoTier? = nil, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) -> PriceService {
    let environment = Environment.process().alone()
    var specification = ProviderSpecification.builtInCoinGecko
    let tier = tier ?? (key == nil ? .public : .demo)
    specification.kind = CoinGeckoKind(tier)
    let secret = key.map { Secret($0) }
    let time = SystemTime()
    let transport = TransportFactory(budgets: nil, time: time, trace: .silent).transport(
      for: specification, key: secret)
    let provider = DialectProvider(dialect: CoinGeckoDialect(tier: tier, key: secret), transport: transport, time: time)
    return Assembly(
      settings: Settings(asking: specification.id, in: nil, environment: environment), environment: environment,
      sharesBudgets: false, warn: warn
    ).priceService(of: provider, time: time)
  }
}
