/// A body as the source sends it, the question it answers, and what must come out of it.
public struct DeclaredExample: Equatable, Sendable {
  /// Where the body is.
  public enum Body: Equatable, Sendable {
    /// In the provider file.
    case inline(String)

    /// In a file of its own: its name, and the folder out of which it may not lead.
    case file(String, in: String)
  }

  /// What must come out.
  public enum Expectation: Equatable, Sendable {
    /// Rows, each with the columns that matter: column → text.
    case rows([[String: String]])

    /// A failure with that code.
    case failure(ErrorCode)
  }

  /// What was asked.
  public var query: ProviderQuery

  /// The status of the answer.
  public var status: Int

  /// What follows the base URL in the request, where that is to be checked.
  public var url: String?

  /// The answer's body.
  public var body: Body

  /// What must come out.
  public var expectation: Expectation

  /// Where the example stands.
  public var place: DeclaredText

  /// Creates an example.
  public init(
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
