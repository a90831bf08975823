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

    /// The source has no price for the coin, at any time: it is delisted, or never was traded.
    case noPrice = "no_price"

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
  package var operations: [Capability: DeclaredOperation] = [:]

  /// Headers sent with every request.
  package var headers: [Header] = []

  /// The rules that restrict the coins of a source.
  package enum Only: String, CaseIterable, Sendable {
    /// Coins with a ticker in the file.
    case symbols

    /// Coins with an id of the source's own in the file.
    case ids

    /// Coins whose id has no small letter.
    case capitals
  }

  /// The paths of an error's words in a body, of HTTP 200 too; the first that leads anywhere counts.
  package var error: [DeclaredText] = []

  /// The path of the currency that a body says it is in; nil for a source that answers in the one it is asked for.
  package var answeredCurrency: DeclaredText?

  /// Parts of the source's words, and what they mean; compared without case.
  package var errors: [Meaning: [String]] = [:]

  /// Coin id → the source's own id.
  package var ids: [String: String] = [:]

  /// The rule for the coins that the source is asked for; nil when any may be tried.
  package var only: Only?

  /// Currency → the source's own code (usd → USDT).
  package var currencyCodes: [String: String] = [:]

  /// Recorded answers and what must come out of them.
  package var examples: [DeclaredExample] = []

  /// Creates a declaration of nothing.
  package init() {}
}

/// A body as the source sends it, the question it answers, and what must come out of it.
package struct DeclaredExample: Equatable, Sendable {
  /// The place of the body.
  package enum Body: Equatable, Sendable {
    /// In the provider file.
    case inline(String)

    /// In a file of its own: its name, and the folder out of which it may not lead.
    case file(String, in: String)
  }

  /// The expected result.
  package enum Expectation: Equatable, Sendable {
    /// Rows, each with the columns that matter: column → text.
    case rows([[String: String]])

    /// A failure with that code.
    case failure(ErrorCode)
  }

  /// The question.
  package var query: ProviderQuery

  /// The status of the answer.
  package var status: Int

  /// The expected rest of the request's URL after the base URL, nil where that is not checked; for a plugin, which has
  /// no base, the whole URL of the first request.
  package var url: String?

  /// The expected body of the request; nil where that is not checked.
  package var send: String?

  /// The answer's body; that of the first request where there is one for each.
  package var body: Body

  /// The bodies of the answers after it, in the order of their requests; empty where one body answers all.
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
