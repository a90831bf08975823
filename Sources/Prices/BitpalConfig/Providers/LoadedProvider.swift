import BitpalFiles
package import BitpalModel
package import BitpalProviders
import Glibc

/// A provider as its file and the settings describe it.
package struct LoadedProvider: Equatable, Sendable {
  /// The content of the file, with the overrides of the settings applied.
  package let specification: ProviderSpecification

  /// The parts of untrusted settings that are not used: `providers/kraken.yaml`, `providers.kraken`.
  package let withheld: [String]
}

/// A provider file, or the built-in provider.
package struct ProviderListing: Equatable, Sendable {
  /// The id that selects the provider.
  package let id: String

  /// The absolute path of the file; nil for the built-in provider.
  package let file: String?

  /// Whether another provider with the same id takes precedence, so that this one is never used.
  package let isShadowed: Bool

  /// The provider, or the faults of its file.
  package let outcome: Result<LoadedProvider, BitpalError>
}

extension ProviderSpecification {
  /// The built-in CoinGecko, with which the program works without any file.
  package static var builtInCoinGecko: ProviderSpecification {
    var specification = ProviderSpecification(id: "coingecko", name: "CoinGecko", kind: CoinGeckoKind())
    specification.website = "https://www.coingecko.com"
    specification.attribution = "Data provided by CoinGecko"
    specification.keyEnvironment = "COINGECKO_API_KEY"
    specification.facts.category = .aggregator
    specification.facts.terms = "attribution is required; no redistribution"
    specification.facts.checked = SourceFacts.Check(
      day: "2026-11-26", bodies: ["quotes", "coin_list", "detail", "line", "candles"], month: "2024-01")
    return specification
  }
}

extension ProviderSpecification {
  /// Creates the provider for a recording that is selected by its path, `recording:PATH`; nil for any other choice.
  ///
  /// The path is that of a folder or of a HAR file. A plain name that does not exist is searched for in `Fixtures`,
  /// where `bitpal record NAME` creates it.
  init?(recording choice: String, from directory: String?) {
    guard choice.hasPrefix(ProviderID.recordingPrefix) else { return nil }
    let path = String(choice.dropFirst(ProviderID.recordingPrefix.count))
    guard !path.isEmpty else { return nil }
    let base = directory ?? "."
    let places = path.contains("/") ? [path] : [path, Self.recordingsFolder + "/" + path]
    let there = places.first { access(directory == nil ? $0 : PathText.joined(base, $0), F_OK) == 0 }
    let place = there ?? places.last ?? path
    let folder = directory == nil ? place : PathText.joined(base, place)
    self.init(id: choice, name: path, kind: RecordedKind(folder: folder, of: nil))
  }

  /// The folder for recordings with a plain name.
  package static let recordingsFolder = "Fixtures"
}

extension ProviderCatalog {
  /// Checks that a new provider may have an id.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/usage(_:hint:)`` for an id that is not valid or already exists.
  package func checkNew(id: String) throws(BitpalError) {
    if let problem = ProviderID.problem(of: id) { throw .usage(problem) }
    guard !ids().contains(id) else {
      throw .usage(
        "there is a provider \"\(id)\" already",
        hint: "choose another name, or look at it with \"bitpal providers show \(id)\"")
    }
  }
}
