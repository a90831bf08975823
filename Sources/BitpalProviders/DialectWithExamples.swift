public import BitpalModel
package import FoundationEssentials

/// A dialect with the examples that its provider file gives of it: recorded answers, and what must come out of them.
public struct DialectWithExamples: Sendable {
  /// The examples, in the order of the file.
  public let examples: [DeclaredExample]

  /// The dialect as it is without keys, aliases and coin lists.
  public let dialect: any Dialect

  /// The base of the URLs of examples.
  package let baseURL: String
  private let clocked: (@Sendable (Date) throws -> any Dialect)?
  private let codes: CoinNames?

  /// The examples of a file that declares its source.
  public init(_ dialect: DeclarativeDialect, baseURL: String?) {
    examples = dialect.api.examples
    self.dialect = dialect
    self.baseURL = baseURL ?? ""
    clocked = nil
    codes = dialect.names
  }

  /// The examples of a plugin, which knows what time it is.
  ///
  /// - Parameter dialect: The dialect at an instant.
  package init(
    _ examples: [DeclaredExample], of dialect: any Dialect, at clocked: @escaping @Sendable (Date) throws -> any Dialect
  ) {
    self.examples = examples
    self.dialect = dialect
    baseURL = ""
    self.clocked = clocked
    codes = nil
  }

  /// The dialect when the clock shows an instant; nil for any.
  package func dialect(at now: Date?) throws -> any Dialect {
    guard let now, let clocked else { return dialect }
    return try clocked(now)
  }

  /// Whether one request names several coins.
  package var isInBatches: Bool { dialect.descriptor.coinsPerRequest > 1 }

  /// Returns the source's name of a currency; two with one code are the same to it.
  package func code(of currency: String) -> String { codes?.code(of: currency) ?? currency.uppercased() }
}
