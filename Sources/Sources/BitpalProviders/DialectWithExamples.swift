package import BitpalModel
package import FoundationEssentials

/// A dialect with the examples of its provider file, which are recorded answers and their expected rows or failures.
package struct DialectWithExamples: Sendable {
  /// The examples, in the order of the file.
  package let examples: [DeclaredExample]

  /// The dialect without keys, aliases and coin lists.
  package let dialect: any Dialect

  /// The base of the examples' URLs, without a trailing slash; empty for a plugin, whose examples have whole URLs.
  package let baseURL: String
  private let bases: [Capability: String]
  private let clocked: (@Sendable (Date) throws -> any Dialect)?
  private let codes: SourceNames?

  /// Creates the value for a file that declares its source.
  package init(_ dialect: DeclarativeDialect, baseURL: String?) {
    examples = dialect.api.examples
    self.dialect = dialect
    self.baseURL = baseURL ?? ""
    bases = dialect.api.operations.compactMapValues(\.baseURL)
    clocked = nil
    codes = dialect.names
  }

  /// Creates the value for a plugin, whose requests may depend on the time.
  ///
  /// - Parameters:
  ///   - examples: The examples, in the order of the file.
  ///   - dialect: The dialect with the system's clock.
  ///   - clocked: Returns the dialect with a clock that shows an instant.
  package init(
    _ examples: [DeclaredExample], of dialect: any Dialect, at clocked: @escaping @Sendable (Date) throws -> any Dialect
  ) {
    self.examples = examples
    self.dialect = dialect
    baseURL = ""
    bases = [:]
    self.clocked = clocked
    codes = nil
  }

  /// Returns the dialect with a clock that shows an instant; for nil, or without a clock, the dialect itself.
  ///
  /// - Throws: The errors of making a plugin's dialect.
  package func dialect(at now: Date?) throws -> any Dialect {
    guard let now, let clocked else { return dialect }
    return try clocked(now)
  }

  /// Returns the base of the URLs of an operation's examples.
  package func baseURL(of capability: Capability) -> String { bases[capability] ?? baseURL }

  /// Whether one request names several coins.
  package var isInBatches: Bool { dialect.descriptor.coinsPerRequest > 1 }

  /// Returns the source's code of a currency in capitals; the source does not distinguish currencies of one code.
  package func code(of currency: String) -> String { codes?.code(of: currency) ?? currency.uppercased() }
}
