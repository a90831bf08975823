package import BitpalCache
package import BitpalConfig
package import BitpalModel
package import BitpalNetwork
package import BitpalProviders
import BitpalRateLimit
package import BitpalReplay
package import FoundationEssentials

#if Fleet
  package import BitpalFleet
#endif
#if Plugins
  import BitpalPlugins
#endif

/// A builder of the service, and of everything under it, from the settings.
package struct Assembly: Sendable {
  let settings: Settings
  let environment: Environment
  private let now: Date?
  let trace: Trace
  private let warn: @Sendable (String) -> Void

  /// The budgets of all processes of the user; nil for budgets of this service alone.
  private let budgets: BudgetFile?
  #if Plugins
    private let plugins: PluginHosts
  #endif

  /// The fingerprints of the keys in use, by provider.
  private let owners = Locked<[String: String]>([:])

  /// The network and the clock of a test, instead of libcurl and the machine's own clocks.
  package struct Surroundings: Sendable {
    let wire: any Transport
    let time: any TimeSource

    /// Creates surroundings whose requests `wire` carries.
    package init(wire: any Transport, time: any TimeSource) {
      self.wire = wire
      self.time = time
    }
  }

  /// The recorder of what goes over the wire; nil for none.
  ///
  /// With a recorder the cache is empty at the start, so that every answer goes over the wire.
  package var recorder: ExchangeRecorder?

  /// The network and the clock of a test; nil outside of tests.
  package var surroundings: Surroundings?

  /// The fleet with which answers and budgets are shared; nil for none, a failure when its password cannot be read.
  private let fleetOutcome: Result<Fleet?, BitpalError>

  /// Creates a builder; it opens no file and starts no plugin.
  ///
  /// - Parameters:
  ///   - settings: The settings in force.
  ///   - environment: The environment variables, from which keys are read.
  ///   - now: The instant at which the clock stands; nil for the real clock, or that of the recording.
  ///   - sharesBudgets: Whether requests and failures are counted together with the user's other processes, in a file.
  ///   - trace: Receives the events in the life of every answer.
  ///   - warn: Receives, one sentence per call, each problem that stops nothing.
  package init(
    settings: Settings, environment: Environment, now: Date? = nil, sharesBudgets: Bool = true, trace: Trace = .silent,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.settings = settings
    self.environment = environment
    self.now = now
    self.trace = trace
    self.warn = warn
    let budgets = sharesBudgets ? BudgetFile(path: environment.budgetFile, warn: warn) : nil
    self.budgets = budgets
    fleetOutcome = Result { () throws(BitpalError) in
      guard let fleet = settings.fleet, let budgets else { return nil }
      return try .make(fleet, password: environment.fleetPassword(), memory: budgets, trace: trace, warn: warn)
    }
    #if Plugins
      plugins = PluginHosts(
        variables: environment.variables, memoryFolder: environment.pluginMemoryFolder, trace: trace, warn: warn)
    #endif
  }

  /// Builds the service with the providers of the settings, in their order.
  ///
  /// A recording stops the clock at its own instant, unless `now` is set.
  ///
  /// - Throws: `BitpalError` when a provider's file, recording or key is bad; `.usage` when a recorder is set and a
  ///   provider needs no network.
  package func priceService() throws -> PriceService {
    try checkRecording()
    trace(.settings(file: settings.file?.path))
    for warning in settings.warnings { warn(warning) }
    let catalog = ProviderCatalog(settings: settings)
    let withheld = Locked(settings.withheld)
    @Sendable func note(_ things: [String]) {
      withheld.withLock { known in known += things.filter { !known.contains($0) } }
    }
    var time: any TimeSource = now.map { FrozenTime(at: $0) } ?? surroundings?.time ?? SystemTime()
    var providers: [any PriceProvider] = []
    var specifications: [ProviderSpecification] = []
    for id in settings.provider {
      let loaded = try catalog.provider(for: id)
      note(loaded.withheld)
      if recorder != nil, !loaded.specification.needsNetwork {
        throw BitpalError.usage(
          "the provider \(id) answers from this machine: nothing of it goes over the wire",
          hint: "choose one on the web, for example with -p coingecko")
      }
      let provider = try Self.provider(
        loaded.specification, in: providerEnvironment(catalog, time, onKeyWithheld: { note(["keys"]) }))
      if now == nil, !providers.contains(where: \.descriptor.needsNetwork), !(time is FrozenTime),
        let instant = provider.descriptor.recordedAt
      {
        time = FrozenTime(at: instant)
        // Prices of the user's own that come before the recording are those of its instant.
        providers = try specifications.map { try Self.provider($0, in: providerEnvironment(catalog, time)) }
      }
      providers.append(provider)
      specifications.append(loaded.specification)
    }
    warnUnusedKeys(catalog)
    if let notice = settings.refusal(of: withheld.withLock { $0 }) { warn(notice.description) }
    // The answers of a recording are of its own time, and no request for them is sent that another machine could spare.
    var service = service(
      of: providers, convertingBy: catalog, sharedWith: time is FrozenTime || recorder != nil ? nil : try fleet(),
      time: time)
    service.search = { self.providers(upTo: BitpalError.choicesShown + 1, where: $0) }
    return service
  }

  /// Refuses to record sources that have to agree: one dialect reads a recording.
  private func checkRecording() throws(BitpalError) {
    guard recorder != nil, settings.agreement != nil else { return }
    throw .usage(
      "a recording is of one source, and here \(settings.provider.joined(separator: ", ")) have to agree",
      hint: "record each of them, for example with -p \(settings.provider[0]), and let the recordings agree")
  }

  /// Returns the service of a provider that a program made, which converts by the exchange rates of the settings.
  func priceService(of provider: any PriceProvider, time: any TimeSource) -> PriceService {
    service(of: [provider], convertingBy: ProviderCatalog(settings: settings), sharedWith: nil, time: time)
  }

  private func service(
    of providers: [any PriceProvider], convertingBy catalog: ProviderCatalog, sharedWith fleet: Fleet?,
    time: any TimeSource
  ) -> PriceService {
    let cache = recorder == nil ? cache(sharedWith: fleet) : emptyCache
    return PriceService(
      providers: providers, converters: converters(beside: providers, catalog, time), cache: cache,
      budgets: budgets ?? MemoryBudgetStore(time: time),
      locks: fleet?.locks(beside: cache.locks(time: time), time: time),
      settings: serviceSettings, time: time, trace: trace, warn: warn,
      owner: { [owners] id in owners.withLock { $0[id] } ?? "" })
  }

  /// Returns a provider; one whose source fails before its first request, as a plugin can, becomes a provider that is
  /// prepared again later.
  ///
  /// - Throws: `BitpalError` for a failure that only the user can correct.
  private static func provider(
    _ specification: ProviderSpecification, in environment: ProviderEnvironment
  ) throws -> any PriceProvider {
    do {
      return try environment.provider(specification)
    } catch let error as BitpalError where error.isOfSource {
      return UnavailableProvider(specification, failure: error, time: environment.time) {
        try environment.provider(specification)
      }
    }
  }

  /// Returns the providers of exchange rates.
  ///
  /// A recording has the time at which it was made. If a recording is among the providers and none of them is on the
  /// web, they alone give the rates, because today's rates do not apply to that time.
  private func converters(
    beside providers: [any PriceProvider], _ catalog: ProviderCatalog, _ time: any TimeSource
  ) -> ConvertingProviders {
    if settings.convert.isEmpty { return ConvertingProviders { .success([]) } }
    if providers.contains(where: { $0.descriptor.recordedAt != nil }),
      !providers.contains(where: \.descriptor.needsNetwork)
    {
      return ConvertingProviders { .success(providers) }
    }
    return ConvertingProviders {
      Result { () throws(BitpalError) in try self.chosenConverters(beside: providers, catalog, time) }
    }
  }

  private func chosenConverters(
    beside providers: [any PriceProvider], _ catalog: ProviderCatalog, _ time: any TimeSource
  ) throws(BitpalError) -> [any PriceProvider] {
    var converters: [any PriceProvider] = []
    for id in settings.convert {
      if let known = providers.first(where: { $0.descriptor.id == id }) {
        converters.append(known)
        continue
      }
      // A converter of the default list may be absent: a program may bring no provider files.
      if !settings.isConvertChosen, !catalog.ids().contains(id) { continue }
      let specification = try catalog.provider(for: id).specification
      do {
        converters.append(try providerEnvironment(catalog, time).provider(specification))
      } catch {
        throw error as? BitpalError ?? .dataFile(path: specification.file ?? id, reason: "\(error)")
      }
    }
    return converters
  }

  /// Returns the fixtures on which a provider can be tested without a network.
  ///
  /// - Throws: `BitpalError` when its file or recording is bad.
  package func offlineFixtures(of id: String) throws -> OfflineFixtures {
    let catalog = ProviderCatalog(settings: settings)
    return try providerEnvironment(catalog, SystemTime()).offlineFixtures(try catalog.specification(for: id))
  }

  /// Returns the cache of the settings, without the tier that other machines share.
  package func cache() -> PriceCache { cache(sharedWith: nil) }

  private func cache(sharedWith fleet: Fleet?) -> PriceCache {
    PriceCache(
      path: settings.cache.path, memoryLimit: settings.cache.memoryBytes, diskLimit: settings.cache.diskBytes,
      isOwnPlace: settings.cache.path == environment.defaultCacheFile,
      remote: fleet?.tier { [serviceSettings] in serviceSettings.lifetime(of: $0) },
      patience: settings.cache.storePatience, warn: warn)
  }

  /// Returns the fleet with which answers and budgets are shared; nil for none.
  ///
  /// - Throws: `BitpalError` when the password of its server cannot be read.
  package func fleet() throws(BitpalError) -> Fleet? { try fleetOutcome.get() }

  /// An empty cache in memory, for this run only.
  private var emptyCache: PriceCache {
    PriceCache(
      path: nil, memoryLimit: settings.cache.memoryBytes, diskLimit: settings.cache.diskBytes, warn: warn)
  }

  private var serviceSettings: ServiceSettings {
    var service = ServiceSettings(
      quotesTimeToLive: settings.cache.ttl.quotes, detailTimeToLive: settings.cache.ttl.detail,
      coinListTimeToLive: settings.cache.ttl.coinList,
      chartsTimeToLive: settings.chart.longestTimeToLive, maxStale: settings.cache.maxStale,
      aliases: settings.aliases,
      withheldAliases: settings.withheldAliases, currency: settings.currency)
    service.agreement = settings.agreement
    service.whileRenewing = settings.cache.whileRenewing ?? .zero
    return service
  }

  func providerEnvironment(
    _ catalog: ProviderCatalog, _ time: any TimeSource, onKeyWithheld: @escaping @Sendable () -> Void = {}
  ) -> ProviderEnvironment {
    let tickers = TickerTable(settings: settings, cache: { cache() })
    return ProviderEnvironment(
      time: time, trace: trace,
      key: { try key(of: $0, onWithheld: onKeyWithheld) },
      transport: { specification, key in
        owners.withLock { $0[specification.id] = TransportFactory.owner(key) }
        // Without the fleet's password requests would not be counted by all machines, so none is sent.
        return TransportFactory(
          budgets: budgets, fleet: try fleetOutcome.get(), time: time, trace: trace, recorder: recorder,
          wire: surroundings?.wire
        ).transport(for: specification, key: key)
      },
      specification: { try catalog.specification(for: $0) },
      symbol: { tickers.ticker(of: $1, for: $0) },
      plugin: plugin(tickers), warn: warn)
  }

  /// Returns the maker of the dialects of plugins; nil in a build without the trait `Plugins`.
  private func plugin(_ tickers: TickerTable) -> ProviderEnvironment.PluginMaker? {
    #if Plugins
      { [plugins] specification, program, key, time in
        let dialect = try PluginDialect(
          specification, host: plugins.host(of: program, for: specification.id), key: key, time: time,
          symbol: { tickers.ticker(of: $0, for: specification) })
        return (dialect, dialect.rateLimits)
      }
    #else
      nil
    #endif
  }

  /// Traces the keys that are set for providers which are not in use.
  private func warnUnusedKeys(_ catalog: ProviderCatalog) {
    // All provider files are read for it.
    guard trace.isShown else { return }
    let keys = KeyStore(environment: environment)
    for listing in catalog.list() where !listing.isShadowed && !settings.provider.contains(listing.id) {
      guard let specification = try? listing.outcome.get().specification, keys.isSet(specification) == true,
        let variable = specification.keyEnvironment
      else { continue }
      trace(.keySet(provider: listing.id, variable: variable, unused: "\(listing.id) is not in use"))
    }
  }

  /// Returns the key that is set for a provider, if its host may receive it; otherwise nil, after a trace event that
  /// says why.
  private func key(of specification: ProviderSpecification, onWithheld: () -> Void) throws -> Secret? {
    let keys = KeyStore(environment: environment)
    guard let variable = specification.keyEnvironment, keys.isSet(specification) == true else { return nil }
    func tell(unused: String?) {
      trace(.keySet(provider: specification.id, variable: variable, unused: unused))
    }
    // The author of untrusted settings chooses the hosts that are asked, so the key is not even read.
    guard specification.untrustedFolder == nil else {
      onWithheld()
      tell(unused: "the settings are not trusted")
      return nil
    }
    guard let key = try keys.key(of: specification) else { return nil }
    recorder?.hide(key)
    guard let refused = KeyHosts.refused(of: specification) else {
      tell(unused: nil)
      return key
    }
    tell(unused: "\(refused) is not a host that may have it")
    warn(
      "the key of \(specification.id) is not sent to \(refused): list the host under key_hosts "
        + "in your own provider file to allow it")
    return nil
  }
}
