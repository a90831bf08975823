public import BitpalModel

extension ProviderConformance {
  /// Of a declared provider, offline: over the examples of its file, as it is without keys, aliases and coin lists.
  ///
  /// - Throws: `BitpalError.configuration` when its file is bad.
  public init(declared specification: ProviderSpecification) throws(BitpalError) {
    let dialect = try DeclarativeDialect(specification)
    let sample = ConformanceSample(examplesOf: dialect)
    let provider = HTTPProvider(
      dialect: dialect, transport: ExampleTransport(dialect), time: StandingTime(now: sample.now))
    self.init(provider, sample: sample) { HTTPProvider(dialect: dialect, transport: $0, time: $1) }
  }
}
