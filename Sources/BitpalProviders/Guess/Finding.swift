/// Where a column was found in a sample, how surely, and why.
public struct Finding: Hashable, Sendable {
  /// The column, as provider files call it.
  public let field: String

  /// The path or expression.
  public let source: String

  /// How sure it is.
  public let sureness: Sureness

  /// What speaks for it.
  public let why: String
}
