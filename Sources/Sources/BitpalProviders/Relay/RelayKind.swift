package import BitpalModel
package import BitpalNetwork

/// The kind of another `bitpal serve`, whose answers keep their provenance.
package struct RelayKind: ProviderKind {
  package static let name = "bitpal"
  package static let keys = ProviderKindKeys(required: ["base_url"])
  package static let mayUsePlainHTTP = true

  /// Creates the kind.
  package init() {}

  /// Reads nothing but `base_url`, which every file may have.
  package init(_ file: ProviderFileReader) {}

  package var probePath: String? { "/healthz" }
  package var usualBudgets: [RateLimit] { RelayDialect.budgets }

  /// The policy of a server that refuses single questions, not all of them, and has made its own retries.
  package var retryPolicy: RetryPolicy { .afterConnectionFailures }

  /// Returns the dialect of the server.
  package func dialect(
    of specification: inout ProviderSpecification, key: Secret?, in environment: ProviderEnvironment
  ) -> any Dialect {
    RelayDialect(specification, key: key)
  }

  /// Returns a transport that adds the path of its query to each request.
  package func transport(_ base: any Transport) -> any Transport { RelayTransport(base) }
}
