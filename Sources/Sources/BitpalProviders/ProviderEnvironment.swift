package import BitpalModel
package import BitpalNetwork
package import BitpalReplay

/// The dependencies of providers on the rest of the program.
package struct ProviderEnvironment: Sendable {
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

  /// A function that makes the dialect of a program with its key and a clock, and returns the budgets that it names.
  package typealias PluginMaker =
    @Sendable (ProviderSpecification, PluginProgram, Secret?, any TimeSource) throws -> (
      dialect: any Dialect, budgets: [RateLimit]
    )

  /// Returns the dialect of a plugin, and the request budgets that the plugin names.
  package let plugin: PluginMaker

  /// Receives warnings about the user's own files that stop nothing, one sentence each.
  package let warn: @Sendable (String) -> Void

  /// Creates an environment; without `plugin` it runs no plugins, and a provider of that kind is a `.configuration`
  /// error.
  package init(
    time: any TimeSource, trace: Trace, key: @escaping @Sendable (ProviderSpecification) throws -> Secret?,
    transport: @escaping @Sendable (ProviderSpecification, Secret?) throws -> any Transport,
    specification: @escaping @Sendable (String) throws -> ProviderSpecification,
    symbol: @escaping @Sendable (ProviderSpecification, String) -> String? = { _, _ in nil },
    plugin: PluginMaker? = nil, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.time = time
    self.trace = trace
    self.key = key
    self.transport = transport
    self.specification = specification
    self.symbol = symbol
    self.plugin =
      plugin ?? { specification, _, _, _ in
        throw BitpalError.configuration([
          ConfigurationIssue(
            file: specification.file ?? "provider \(specification.id)", message: "this program does not run plugins")
        ])
      }
    self.warn = warn
  }

  /// Returns the provider that a specification describes.
  ///
  /// - Throws: `BitpalError` when its recording or its key cannot be read, or its file is wrong.
  package func provider(_ specification: ProviderSpecification) throws -> any PriceProvider {
    try specification.kind.provider(of: specification, in: self)
  }

  /// Returns the descriptor of a provider as it is listed.
  ///
  /// - Throws: The errors of ``provider(_:)``, and `.recordingDamaged`.
  package func descriptor(_ specification: ProviderSpecification) throws -> ProviderDescriptor {
    try specification.kind.descriptor(of: specification, in: self)
  }

  /// Returns the recording or examples on which a provider can be tried without a network.
  ///
  /// - Throws: The errors of ``provider(_:)``, `.recordingDamaged`, and `.configuration` with every fault of a file of
  ///   prices.
  package func offlineFixtures(_ specification: ProviderSpecification) throws -> OfflineFixtures {
    try specification.kind.fixtures(of: specification, in: self)
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
