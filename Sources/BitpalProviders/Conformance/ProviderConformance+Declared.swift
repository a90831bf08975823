import BitpalModel

extension ProviderConformance {
  /// Of a provider, on what it has to be tried on without a network.
  ///
  /// - Throws: `BitpalError.recordingDamaged`.
  public init(_ material: OfflineMaterial) async throws {
    switch material {
    case .recording(let recording, let provider):
      let sample = try await ConformanceSample(recording, answeredBy: provider)
      self.init(provider, sample: sample ?? ConformanceSample(coins: [], currency: "usd"))
    case .examples(let dialect):
      self.init(examplesOf: dialect)
    case .dialect(let dialect):
      let make: Maker = { DialectProvider(dialect: dialect, transport: $0, time: $1) }
      self.init(try make(SampleMarket(), SystemTime()), sample: SampleMarket.sample, make: make)
    }
  }

  /// Of a declared provider, offline: over the examples of its file.
  init(examplesOf dialect: DeclarativeDialect) {
    let sample = ConformanceSample(examplesOf: dialect)
    let provider = DialectProvider(
      dialect: dialect, transport: ExampleTransport(dialect), time: StandingTime(now: sample.now))
    self.init(provider, sample: sample) { DialectProvider(dialect: dialect, transport: $0, time: $1) }
  }
}
