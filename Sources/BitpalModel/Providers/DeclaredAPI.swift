/// What a provider file of `kind: http` declares beyond what every provider has.
public struct DeclaredAPI: Equatable, Sendable {
  /// A request header; its value may hold `{key}`.
  public struct Header: Equatable, Sendable {
    /// The header's name.
    public let name: String

    /// The value, with placeholders.
    public let value: DeclaredText

    /// Creates a header.
    public init(name: String, value: DeclaredText) {
      self.name = name
      self.value = value
    }
  }

  /// What the words of a complaint can mean.
  public enum Meaning: String, CaseIterable, Sendable {
    /// The source does not know the coin.
    case notFound = "not_found"

    /// The source has nothing in the window.
    case noData = "no_data"

    /// The source does not answer in the currency.
    case unsupportedCurrency = "unsupported_currency"

    /// The source allows no more requests now.
    case rateLimited = "rate_limited"

    /// The source refuses the key or wants one.
    case unauthorized

    /// The plan does not reach that far.
    case planLimit = "plan_limit"
  }

  /// The operations the source has.
  public var operations: [Capability: DeclaredOperation] = [:]

  /// Headers sent with every request.
  public var headers: [Header] = []

  /// The path of an error's words in a body, of HTTP 200 too.
  public var error: DeclaredText?

  /// Parts of the source's words, and what they mean; compared without case.
  public var errors: [Meaning: [String]] = [:]

  /// Coin id → the source's own id.
  public var ids: [String: String] = [:]

  /// Currency → the source's own code (usd → USDT).
  public var currencyCodes: [String: String] = [:]

  /// Recorded answers and what must come out of them.
  public var examples: [DeclaredExample] = []

  /// Creates a declaration of nothing.
  public init() {}
}
