import BitpalFiles
import BitpalJSON
import BitpalModel
import BitpalReplay

/// The kind of a recording, in a folder or a HAR file, that another provider's dialect reads.
package struct RecordedKind: ProviderKind {
  package static let name = "recorded"
  package static let keys = ProviderKindKeys(own: ["recording"], required: ["of", "recording"])
  package static let isLocal = true

  /// The absolute path of the folder or the HAR file.
  package var folder: String

  /// The provider whose dialect reads it; nil for the one that the recording names.
  package var source: String?

  /// Creates the kind for a recording.
  package init(folder: String, of source: String?) {
    self.folder = folder
    self.source = source
  }

  /// Reads `recording` and `of`.
  package init?(_ file: ProviderFileReader) {
    if case .scalar(let id, _)? = file["of"]?.entry.value.content { source = id }
    guard let recording = file["recording"], let path = recording.text() else { return nil }
    folder = PathText.resolved(path, in: recording.entry.source.directory, home: file.home)
  }

  package var localPath: String? { folder }

  /// Returns the provider of the recording, which is opened at the first query.
  ///
  /// - Throws: `BitpalError.recordingDamaged` and the errors of the dialect that reads it.
  package func provider(
    of specification: ProviderSpecification, in environment: ProviderEnvironment
  ) throws -> any PriceProvider {
    // The default dialect reads the recording, because reading needs neither a base URL nor a key.
    var head = try HARReader.head(folder)
    head.trustedFiles = specification.trustedFiles
    @Sendable func dialect(of reader: ProviderSpecification) throws -> any Dialect {
      var reader = reader
      // Its failures are those of the recording.
      reader.id = specification.id
      return try reader.kind.dialect(of: &reader, key: nil, in: environment)
    }
    let reader = try environment.specification(source ?? head.provider ?? CoinGeckoDialect.usualID)
    return DialectProvider(
      id: specification.id, name: specification.name, recording: head, dialect: try dialect(of: reader),
      otherDialect: { id in
        guard let other = try? environment.specification(id) else { return nil }
        return try dialect(of: other)
      }, trace: environment.trace)
  }

  /// Returns the descriptor with the recorded capabilities and currencies only.
  ///
  /// - Throws: The errors of ``provider(of:in:)``, and `.recordingDamaged`.
  package func descriptor(
    of specification: ProviderSpecification, in environment: ProviderEnvironment
  ) throws -> ProviderDescriptor {
    let descriptor = try provider(of: specification, in: environment).descriptor
    let queries = try HARReader.open(folder, checking: specification.trustedFiles).exchanges.compactMap(\.query)
    return ProviderDescriptor(
      id: descriptor.id, name: descriptor.name, kind: descriptor.kind, capabilities: Set(queries.map(\.capability)),
      currencies: Set(queries.compactMap(\.currency)).sorted(), candleWidths: descriptor.candleWidths,
      reach: descriptor.reach, coinsPerRequest: descriptor.coinsPerRequest, attribution: descriptor.attribution,
      note: descriptor.note, recordedAt: descriptor.recordedAt, maxAge: descriptor.maxAge,
      hasCurrencies: descriptor.hasCurrencies, listedIDs: descriptor.listedIDs,
      cacheIdentity: descriptor.cacheIdentity)
  }

  /// Returns the recording with the provider that answers from it.
  ///
  /// - Throws: The errors of ``provider(of:in:)``, and `.recordingDamaged`.
  package func fixtures(
    of specification: ProviderSpecification, in environment: ProviderEnvironment
  ) throws -> OfflineFixtures {
    .recording(
      try HARReader.open(folder, checking: specification.trustedFiles),
      try provider(of: specification, in: environment))
  }
}
