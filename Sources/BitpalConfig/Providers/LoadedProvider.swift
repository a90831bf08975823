import BitpalFiles
public import BitpalModel
import Glibc

/// A provider as the files describe it.
public struct LoadedProvider: Equatable, Sendable {
  /// The content of the file, with the overrides of the settings applied.
  public let specification: ProviderSpecification

  /// The parts of settings that are not trusted which are therefore not used: `providers/kraken.yaml`,
  /// `providers.kraken`.
  public let withheld: [String]
}

/// One provider file found, or the built-in one.
public struct ProviderListing: Equatable, Sendable {
  /// The id by which the file would be chosen.
  public let id: String

  /// The absolute path of the file; nil for what is built in.
  public let file: String?

  /// Whether another one with the same id comes first, so that this one is never used.
  public let isShadowed: Bool

  /// The provider, or what is wrong with its file.
  public let outcome: Result<LoadedProvider, BitpalError>
}

extension ProviderSpecification {
  /// CoinGecko as it is built in, so that the program works with no file anywhere.
  public static var builtInCoinGecko: ProviderSpecification {
    var specification = ProviderSpecification(id: "coingecko", name: "CoinGecko", kind: .coingecko(.public))
    specification.website = "https://www.coingecko.com"
    specification.attribution = "Data provided by CoinGecko"
    specification.keyEnvironment = "COINGECKO_API_KEY"
    return specification
  }
}

extension ProviderSpecification {
  /// A recording chosen by its path, without a provider file: `recording:PATH`; nil for any other choice.
  ///
  /// The path is that of a folder or of a HAR file. A plain name that is not there is looked for in `Fixtures`, where
  /// `bitpal record NAME` puts it.
  init?(recording choice: String, from directory: String?) {
    guard choice.hasPrefix(ProviderID.recordingPrefix) else { return nil }
    let path = String(choice.dropFirst(ProviderID.recordingPrefix.count))
    guard !path.isEmpty else { return nil }
    let base = directory ?? "."
    let places = path.contains("/") ? [path] : [path, Self.recordingsFolder + "/" + path]
    let there = places.first { access(directory == nil ? $0 : PathText.joined(base, $0), F_OK) == 0 }
    let place = there ?? places.last ?? path
    let folder = directory == nil ? place : PathText.joined(base, place)
    self.init(id: choice, name: path, kind: .recorded(folder: folder, of: nil))
  }

  /// The folder in which recordings with a plain name are kept.
  public static let recordingsFolder = "Fixtures"
}
