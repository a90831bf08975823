import BitpalFiles
import BitpalJSON
import BitpalModel

/// The kind of the user's own prices in a file.
package struct FileKind: ProviderKind {
  package static let name = "file"
  package static let keys = ProviderKindKeys(
    own: ["file", "commodity", "currency"], required: ["file"],
    useless: ["base_url", "rate_limit", "timeout", "key_env", "key_hosts"].map {
      ($0, "has no meaning for kind: file, which sends no requests")
    })
  package static let isLocal = true

  /// The absolute path.
  package let path: String

  /// The path in messages, as the provider file writes it.
  package let shownPath: String

  /// The commodity of the prices; used where the file has no column for it.
  package let commodity: String?

  /// The currency of the prices; used where the file has no column for it.
  package let currency: String?

  /// Creates the kind for a file, which is not read.
  package init(path: String, name: String, commodity: String? = nil, currency: String? = nil) {
    self.path = path
    self.shownPath = name
    self.commodity = commodity
    self.currency = currency
  }

  /// Reads `file`, `commodity` and `currency`.
  package init?(_ file: ProviderFileReader) {
    let commodity = file["commodity"]?.text("what is priced")
    guard let value = file["file"], let name = value.text("the path of a file of prices") else { return nil }
    self.init(
      path: PathText.resolved(name, in: value.entry.source.directory, home: file.home), name: name,
      commodity: commodity, currency: file["currency"]?.currency())
  }

  package var localPath: String? { path }

  /// Returns the provider of the file, which is read at the first query.
  package func provider(
    of specification: ProviderSpecification, in environment: ProviderEnvironment
  ) -> any PriceProvider {
    prices(of: specification, in: environment)
  }

  /// Returns the prices of the file.
  ///
  /// - Throws: `BitpalError.dataFile` when it cannot be read, `.configuration` with every fault of the file.
  package func fixtures(
    of specification: ProviderSpecification, in environment: ProviderEnvironment
  ) throws -> OfflineFixtures {
    let prices = prices(of: specification, in: environment)
    let faults = try prices.faults()
    guard faults.isEmpty else { throw BitpalError.configuration(faults) }
    return .prices(prices)
  }

  private func prices(
    of specification: ProviderSpecification, in environment: ProviderEnvironment
  ) -> FilePriceProvider {
    let symbol = environment.symbol
    return FilePriceProvider(
      specification, self, ticker: { symbol(specification, $0) }, time: environment.time, warn: environment.warn)
  }
}
