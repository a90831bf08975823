import BitpalJSON
package import BitpalModel

/// The kind of a source that the file alone declares: URLs and SELECTs.
package struct DeclaredKind: ProviderKind {
  package static let name = "http"
  package static let keys = ProviderKindKeys(own: APIDecoder.keys, required: ["base_url"], areCheckedAlone: false)

  /// The declarations of the file.
  package var api: DeclaredAPI

  /// Creates the kind with declarations.
  package init(_ api: DeclaredAPI = DeclaredAPI()) {
    self.api = api
  }

  /// Reads the operations and what they share.
  package init(_ file: ProviderFileReader) {
    api = APIDecoder(issues: file.issues).decode(file.keys, currencyCodes: file.currencyCodes)
    if Capability.allCases.allSatisfy({ file[$0.rawValue] == nil }) {
      file["kind"]?.report("a provider of kind http needs an operation: quotes, coin_list, detail, line or candles")
    }
  }

  // Any answer at the base URL shows that the source can be reached.
  package var probePath: String? { "" }
  package var examples: [DeclaredExample]? { api.examples }

  /// Returns the declared dialect.
  ///
  /// - Throws: `BitpalError.configuration` with every fault of the SELECTs.
  package func dialect(
    of specification: inout ProviderSpecification, key: Secret?, in environment: ProviderEnvironment
  ) throws -> any Dialect {
    let symbol = environment.symbol
    return try DeclarativeDialect(specification, key: key) { [specification] in symbol(specification, $0) }
  }

  /// Returns the examples of the file, which do not depend on keys, aliases and coin lists.
  ///
  /// - Throws: `BitpalError.configuration` with every fault of the SELECTs.
  package func fixtures(
    of specification: ProviderSpecification, in environment: ProviderEnvironment
  ) throws -> OfflineFixtures {
    .examples(DialectWithExamples(try DeclarativeDialect(specification), baseURL: specification.baseURL))
  }
}
