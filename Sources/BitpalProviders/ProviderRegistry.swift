package import BitpalModel
package import BitpalNetwork
package import BitpalReplay

/// A factory of providers from specifications, the only type that knows every kind.
package struct ProviderRegistry: Sendable {
  /// The dependencies of providers on the rest of the program.
  package struct Environment: Sendable {
    /// The clock for deadlines.
    package let time: any TimeSource

    /// The trace of events.
    package let trace: Trace

    /// Returns the key of a provider; nil when none is set, or its host may not get it.
    package let key: @Sendable (ProviderSpecification) throws -> Secret?

    /// Returns the transport to the network for a provider and its key.
    package let transport: @Sendable (ProviderSpecification, Secret?) throws -> any Transport

    /// Returns the specification of another provider by its id, for recordings of it.
    package let specification: @Sendable (String) throws -> ProviderSpecification

    /// Returns the ticker of a coin (bitcoin → btc) for providers that are asked by ticker; nil when it is unknown.
    package let symbol: @Sendable (ProviderSpecification, String) -> String?

    /// Returns the dialect of a plugin, and the request budgets that the plugin names.
    package let plugin: PluginMaker

    /// Receives warnings about the user's own files that stop nothing, one sentence each.
    package let warn: @Sendable (String) -> Void

    /// Creates an environment that runs no plugins; a provider of that kind is a `.configuration` error.
    package init(
      time: any TimeSource, trace: Trace, key: @escaping @Sendable (ProviderSpecification) throws -> Secret?,
      transport: @escaping @Sendable (ProviderSpecification, Secret?) throws -> any Transport,
      specification: @escaping @Sendable (String) throws -> ProviderSpecification,
      symbol: @escaping @Sendable (ProviderSpecification, String) -> String? = { _, _ in nil },
      warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
      self.init(
        time: time, trace: trace, key: key, transport: transport, specification: specification, symbol: symbol,
        plugin: { specification, _, _ in
          throw BitpalError.configuration([
            ConfigurationIssue(
              file: specification.file ?? "provider \(specification.id)", message: "this program does not run plugins")
          ])
        }, warn: warn)
    }

    /// A function that makes the dialect of a plugin with its key and a clock, and returns the budgets it names.
    package typealias PluginMaker =
      @Sendable (ProviderSpecification, Secret?, any TimeSource) throws -> (dialect: any Dialect, budgets: [RateLimit])

    /// Creates an environment that runs plugins with `plugin`.
    package init(
      time: any TimeSource, trace: Trace, key: @escaping @Sendable (ProviderSpecification) throws -> Secret?,
      transport: @escaping @Sendable (ProviderSpecification, Secret?) throws -> any Transport,
      specification: @escaping @Sendable (String) throws -> ProviderSpecification,
      symbol: @escaping @Sendable (ProviderSpecification, String) -> String?,
      plugin: @escaping PluginMaker, warn: @escaping @Sendable (String) -> Void
    ) {
      self.plugin = plugin
      self.warn = warn
      self.symbol = symbol
      self.time = time
      self.trace = trace
      self.key = key
      self.transport = transport
      self.specification = specification
    }
  }

  private let environment: Environment

  /// Creates a registry with the dependencies of its providers.
  package init(environment: Environment) {
    self.environment = environment
  }

  /// Returns the provider that the specification describes.
  ///
  /// - Throws: `BitpalError` when its recording or its key cannot be read, or its file is wrong.
  package func provider(_ specification: ProviderSpecification) throws -> any PriceProvider {
    if case .file(let source) = specification.kind { return filePrices(specification, source) }
    guard case .recorded(let folder, let source) = specification.kind else {
      let key = try environment.key(specification)
      var specification = specification
      // A key implies a plan with a key, also where generated settings do not name one.
      if key != nil { specification.useKey() }
      let dialect = try dialect(&specification, key: key)
      let transport = try environment.transport(specification, key)
      var provider = DialectProvider(
        dialect: dialect, transport: specification.isRelay ? RelayTransport(transport) : transport,
        time: environment.time, timeLimit: specification.timeout, trace: environment.trace)
      provider.descriptor.budgets = specification.budgets
      return provider
    }
    // The default dialect reads the recording, because reading needs neither a base URL nor a key.
    var head = try HARReader.head(folder)
    head.trustedFiles = specification.trustedFiles
    let whose = try environment.specification(source ?? head.provider ?? CoinGeckoDialect.usualID)
    return DialectProvider(
      id: specification.id, name: specification.name, recording: head,
      dialect: try dialect(reading: whose, for: specification),
      otherDialect: { id in
        guard let other = try? environment.specification(id) else { return nil }
        return try dialect(reading: other, for: specification)
      }, trace: environment.trace)
  }

  private func filePrices(
    _ specification: ProviderSpecification, _ source: ProviderSpecification.PriceSource
  ) -> FilePriceProvider {
    let symbol = environment.symbol
    return FilePriceProvider(
      specification, source, ticker: { symbol(specification, $0) }, time: environment.time, warn: environment.warn)
  }

  /// Returns the descriptor of a provider; that of a recording has only the recorded capabilities and currencies.
  ///
  /// - Throws: The errors of ``provider(_:)``, and `.recordingDamaged`.
  package func descriptor(_ specification: ProviderSpecification) throws -> ProviderDescriptor {
    let descriptor = try provider(specification).descriptor
    guard let folder = specification.recordingFolder else { return descriptor }
    let queries = try HARReader.open(folder, checking: specification.trustedFiles).exchanges.compactMap(\.query)
    return ProviderDescriptor(
      id: descriptor.id, name: descriptor.name, kind: descriptor.kind, capabilities: Set(queries.map(\.capability)),
      currencies: Set(queries.compactMap(\.currency)).sorted(), candleWidths: descriptor.candleWidths,
      reach: descriptor.reach, coinsPerRequest: descriptor.coinsPerRequest, attribution: descriptor.attribution,
      note: descriptor.note,
      recordedAt: descriptor.recordedAt, maxAge: descriptor.maxAge, hasCurrencies: descriptor.hasCurrencies,
      listedIDs: descriptor.listedIDs, cacheIdentity: descriptor.cacheIdentity)
  }

  /// Returns the recording or examples on which a provider can be tried without a network.
  ///
  /// - Throws: The errors of ``provider(_:)``, `.recordingDamaged`, and `.configuration` with every fault of a file of
  ///   prices.
  package func offlineFixtures(_ specification: ProviderSpecification) throws -> OfflineFixtures {
    switch specification.kind {
    case .recorded(let folder, _):
      .recording(
        try HARReader.open(folder, checking: specification.trustedFiles), try provider(specification))
    // Examples do not depend on keys, aliases and coin lists.
    case .declared:
      .examples(DialectWithExamples(try DeclarativeDialect(specification), baseURL: specification.baseURL))
    case .plugin(let program):
      .examples(
        DialectWithExamples(program.examples, of: try dialect(specification, key: nil)) { [environment] now in
          try environment.plugin(specification, nil, FrozenTime(at: now)).dialect
        })
    case .coingecko, .bitpal: .dialect(try dialect(specification, key: nil))
    case .file(let source): try fixtures(filePrices(specification, source))
    }
  }

  private func fixtures(_ prices: FilePriceProvider) throws -> OfflineFixtures {
    let faults = try prices.faults()
    guard faults.isEmpty else { throw BitpalError.configuration(faults) }
    return .prices(prices)
  }

  /// Returns the dialect of a source whose answers were recorded; its failures are those of the recording.
  private func dialect(
    reading source: ProviderSpecification, for recorded: ProviderSpecification
  ) throws -> any Dialect {
    var source = source
    source.id = recorded.id
    return try dialect(source, key: nil)
  }

  private func dialect(_ specification: ProviderSpecification, key: Secret?) throws -> any Dialect {
    var specification = specification
    return try dialect(&specification, key: key)
  }

  /// Returns the dialect, and adds the budgets of a plugin to a specification that has none.
  private func dialect(_ specification: inout ProviderSpecification, key: Secret?) throws -> any Dialect {
    switch specification.kind {
    case .coingecko(let tier):
      return CoinGeckoDialect(specification, tier: tier, key: key)
    case .declared:
      let symbol = environment.symbol
      return try DeclarativeDialect(specification, key: key) { [specification] in symbol(specification, $0) }
    case .plugin:
      try specification.demandTrustToRun()
      let plugin = try environment.plugin(specification, key, environment.time)
      if specification.rateLimits.isEmpty { specification.rateLimits = plugin.budgets }
      return plugin.dialect
    case .bitpal:
      return RelayDialect(specification, key: key)
    case .recorded, .file:
      throw BitpalError.configuration([
        ConfigurationIssue(
          file: specification.file ?? "provider \(specification.id)",
          message: "a provider that sends no requests cannot read a recording")
      ])
    }
  }
}

/// The data on which a provider can be tried without a network.
package enum OfflineFixtures: Sendable {
  /// A recording's content, and the provider that answers from it.
  case recording(Recording, any PriceProvider)

  /// The examples of the provider's own file.
  case examples(DialectWithExamples)

  /// The prices of a file.
  case prices(FilePriceProvider)

  /// A dialect without data of its own, which is tried on generated answers in its format.
  case dialect(any Dialect)

  /// The examples; nil for a provider whose kind has none.
  package var examples: DialectWithExamples? {
    if case .examples(let source) = self { source } else { nil }
  }
}

/// The properties that depend on the kind of a provider, for code that does not distinguish kinds.
extension ProviderSpecification {
  /// The base URL of its requests, without a trailing slash; nil for a provider that sends none.
  package var requestURL: String? {
    switch kind {
    case .coingecko(let tier): baseURL ?? CoinGeckoDialect.defaultBaseURL(tier)
    case .declared, .recorded, .file, .bitpal: baseURL
    // The program chooses the URL of each request.
    case .plugin: nil
    }
  }

  /// The URL that shows whether its source can be reached; nil for a provider that needs no network.
  package var probeURL: String? {
    switch kind {
    case .coingecko: requestURL.map { $0 + "/ping" }
    // Any answer at the base URL shows that the source can be reached.
    case .declared: requestURL
    case .bitpal: requestURL.map { $0 + "/healthz" }
    case .recorded, .file, .plugin: nil
    }
  }

  /// The request budgets that apply: those of the file, otherwise the known ones of the kind.
  package var budgets: [RateLimit] {
    if !rateLimits.isEmpty { return rateLimits }
    if isRelay { return RelayDialect.budgets }
    // An unknown source gets the strictest known budget.
    guard case .coingecko(let tier) = kind else { return CoinGeckoDialect.budgets(.public) }
    return CoinGeckoDialect.budgets(tier)
  }

  /// The hosts that are known to be the source's own, to which its key may be sent; empty for most kinds.
  package var ownHosts: [String] {
    if case .coingecko = kind { CoinGeckoDialect.hosts } else { [] }
  }
}
