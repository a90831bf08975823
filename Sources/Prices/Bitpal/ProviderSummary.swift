import BitpalConfig
package import BitpalModel
package import BitpalProviders

/// A summary of a provider that was found, whether or not it works.
package struct ProviderSummary: Sendable {
  /// The name by which it is chosen.
  package let id: String

  /// The description of the provider and its capabilities; nil when its file or recording is bad.
  package let descriptor: ProviderDescriptor?

  /// The content of its file; nil when that cannot be read.
  package let specification: ProviderSpecification?

  /// The path of the file that describes it; nil when it is built in.
  package var file: String?

  /// Whether its key is set; nil when it takes no key.
  package var isKeySet: Bool?

  /// Whether another file with the same id takes precedence.
  package let isShadowed: Bool

  /// Whether the provider may run.
  ///
  /// It is false for a plugin from settings that are not trusted; its capabilities are then unknown.
  package let isTrusted: Bool

  /// The failure of its file or recording; nil for a provider that works.
  package let problem: BitpalError?

  /// The request budgets of the source; empty for one that is not on the web.
  package var budgets: [String] {
    guard let descriptor, descriptor.needsNetwork else { return [] }
    return (descriptor.budgets.isEmpty ? specification?.budgets ?? [] : descriptor.budgets).map { "\($0)" }
  }

  /// Returns the summary without what other machines need not know: the file, and whether a key is set.
  package var withoutPlace: ProviderSummary {
    var summary = self
    (summary.file, summary.isKeySet) = (nil, nil)
    return summary
  }
}

extension Assembly {
  /// Returns every provider that was found, including bad and shadowed ones.
  package func providers() -> [ProviderSummary] {
    let catalog = ProviderCatalog(settings: settings)
    return summaries(catalog.list(), catalog)
  }

  /// Returns the ids of the first providers that are as the function wants them, of those about what the chosen ones are
  /// about; files after those are not read.
  package func providers(upTo count: Int, where isWanted: (ProviderDescriptor) -> Bool) -> [String] {
    let catalog = ProviderCatalog(settings: settings)
    let source = providerEnvironment(catalog, SystemTime())
    let subjects = settings.provider.compactMap { try? catalog.specification(for: $0).facts.category?.subject }
    var found: [String] = []
    for id in catalog.ids() where found.count < count {
      guard let specification = try? catalog.specification(for: id), specification.mayRun,
        subjects.isEmpty || specification.facts.category.map({ subjects.contains($0.subject) }) ?? true,
        let descriptor = try? source.descriptor(specification), isWanted(descriptor)
      else { continue }
      found.append(id)
    }
    return found
  }

  /// Returns the plugins whose files came with settings that are not trusted; none of them is started.
  package func withheldPlugins() -> [ProviderSummary] {
    let catalog = ProviderCatalog(settings: settings)
    return summaries(catalog.withheldPlugins, catalog)
  }

  private func summaries(_ listings: [ProviderListing], _ catalog: ProviderCatalog) -> [ProviderSummary] {
    let source = providerEnvironment(catalog, SystemTime())
    let keys = KeyStore(environment: environment)
    return listings.map { listing in
      var descriptor: ProviderDescriptor?
      var problem: BitpalError?
      let specification = try? listing.outcome.get().specification
      do {
        let specification = try listing.outcome.get().specification
        // Only the plugin itself states its capabilities, and this one may not be started.
        descriptor = try specification.mayRun ? source.descriptor(specification) : .unknown(specification)
      } catch {
        problem = error as? BitpalError ?? .dataFile(path: listing.file ?? listing.id, reason: "\(error)")
      }
      return ProviderSummary(
        id: listing.id, descriptor: descriptor, specification: specification, file: listing.file,
        isKeySet: specification.flatMap { keys.isSet($0) }, isShadowed: listing.isShadowed,
        isTrusted: specification?.mayRun ?? true, problem: problem)
    }
  }
}
