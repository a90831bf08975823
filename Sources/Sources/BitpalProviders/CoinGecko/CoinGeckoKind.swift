import BitpalJSON
package import BitpalModel

/// The kind of the built-in CoinGecko dialect, on one of its plans.
package struct CoinGeckoKind: ProviderKind {
  package static let name = "coingecko"
  package static let keys = ProviderKindKeys(own: ["tier"])

  /// The plan.
  package var tier: CoinGeckoTier

  /// Creates the kind on a plan.
  package init(_ tier: CoinGeckoTier = .public) {
    self.tier = tier
  }

  /// Reads `tier`, by default the plan without a key.
  package init(_ file: ProviderFileReader) {
    tier = file["tier"]?.choice(of: CoinGeckoTier.self) ?? .public
  }

  package var usualBaseURL: String? { CoinGeckoDialect.defaultBaseURL(tier) }
  package var probePath: String? { "/ping" }
  package var usualBudgets: [RateLimit] { CoinGeckoDialect.budgets(tier) }
  package var ownHosts: [String] { CoinGeckoDialect.hosts }
  package var plan: String? { tier.rawValue }
  package var needsKey: Bool { tier != .public }

  /// Returns the free plan with a key for the plan without one; any other plan stays.
  ///
  /// A key that is set is used, and a paid plan is declared in `tier`.
  package func withKey() -> CoinGeckoKind { tier == .public ? CoinGeckoKind(.demo) : self }

  /// Returns CoinGecko's dialect.
  package func dialect(
    of specification: inout ProviderSpecification, key: Secret?, in environment: ProviderEnvironment
  ) -> any Dialect {
    CoinGeckoDialect(specification, tier: tier, key: key)
  }
}

/// CoinGecko's plans.
///
/// A key does not show its plan: it counts as a free one unless the plan is configured.
public enum CoinGeckoTier: String, CaseIterable, Sendable {
  /// No key.
  case `public`

  /// A free key.
  case demo

  /// A paid key, on a host of its own.
  case pro
}
