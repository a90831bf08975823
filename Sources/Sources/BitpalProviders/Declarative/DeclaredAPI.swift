package import BitpalModel
package import FoundationEssentials

/// The declarations of a provider file of `kind: http` beyond those that every provider has.
package struct DeclaredAPI: Equatable, Sendable {
  /// A request header; its value may hold `{key}`.
  package struct Header: Equatable, Sendable {
    /// The header's name.
    package let name: String

    /// The value, with placeholders.
    package let value: DeclaredText

    /// Creates a header.
    package init(name: String, value: DeclaredText) {
      self.name = name
      self.value = value
    }
  }

  /// The meanings that the text of an error message can have.
  package enum Meaning: String, CaseIterable, Sendable {
    /// The source does not know the coin.
    case notFound = "not_found"

    /// The source never has a price for the coin: it is delisted, or never was traded.
    case noPrice = "no_price"

    /// The source has no data in the window.
    case noData = "no_data"

    /// The source does not answer in the currency.
    case unsupportedCurrency = "unsupported_currency"

    /// The source allows no more requests now.
    case rateLimited = "rate_limited"

    /// The source refuses the key or wants one.
    case unauthorized

    /// The plan does not include data that old.
    case planLimit = "plan_limit"
  }

  /// The operations of the source.
  package var operations: [Capability: DeclaredOperation] = [:]

  /// The headers of every request.
  package var headers: [Header] = []

  /// The rules that restrict the coins of a source.
  package enum Only: String, CaseIterable, Sendable {
    /// Coins with a ticker in the file.
    case symbols

    /// Coins with an id of the source's own in the file.
    case ids

    /// Coins whose id has no lower-case letter.
    case capitals
  }

  /// The paths of an error message in a body, also with HTTP 200; the first that leads to a value counts.
  package var error: [DeclaredText] = []

  /// The path of the currency that a body states; nil for a source that answers in the requested one.
  package var answeredCurrency: DeclaredText?

  /// The meanings of parts of the source's error messages; compared without case.
  package var errors: [Meaning: [String]] = [:]

  /// The source's own ids by coin id.
  package var ids: [String: String] = [:]

  /// The rule that restricts the coins of the source; nil if any coin may be requested.
  package var only: Only?

  /// The coins that the source does not have, although it has something of their ticker.
  package var without: Set<String> = []

  /// The source's own codes by currency (usd → USDT).
  package var currencyCodes: [String: String] = [:]

  /// The examples: recorded answers with their expected results.
  package var examples: [DeclaredExample] = []

  /// Creates an empty declaration.
  package init() {}
}

/// An example of a provider file: a body of the source, its question and the expected result.
package struct DeclaredExample: Equatable, Sendable {
  /// The place of the body.
  package enum Body: Equatable, Sendable {
    /// A body in the provider file.
    case inline(String)

    /// A body in a file of its own: its name, and the folder that it may not leave.
    case file(String, in: String)
  }

  /// The expected result.
  package enum Expectation: Equatable, Sendable {
    /// Rows, each with the texts of the columns that are compared.
    case rows([[String: String]])

    /// A failure with that code.
    case failure(ErrorCode)
  }

  /// The question.
  package var query: ProviderQuery

  /// The status of the answer.
  package var status: Int

  /// The expected rest of the request's URL after the base URL; nil where that is not checked.
  ///
  /// For a plugin, which has no base, it is the whole URL of the first request.
  package var url: String?

  /// The expected body of the request; nil where that is not checked.
  package var send: String?

  /// The body of the answer; that of the first request where there are several.
  package var body: Body

  /// The bodies of the further answers in the order of their requests; empty where one body answers all.
  package var furtherBodies: [Body] = []

  /// The time of the clock; nil where the example does not state it.
  package var now: Date?

  /// The expected result.
  package var expectation: Expectation

  /// The place of the example in the file.
  package var place: DeclaredText

  /// Creates an example.
  package init(
    query: ProviderQuery, status: Int = 200, url: String? = nil, body: Body, expectation: Expectation,
    place: DeclaredText = DeclaredText("")
  ) {
    self.query = query
    self.status = status
    self.url = url
    self.body = body
    self.expectation = expectation
    self.place = place
  }
}
