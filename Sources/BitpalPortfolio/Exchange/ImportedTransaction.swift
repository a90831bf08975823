/// A transaction read from a file, and the line it came from.
public struct ImportedTransaction: Hashable, Sendable {
  /// The transaction.
  public let transaction: Transaction

  /// The line on which it begins, counted from 1.
  public let line: Int
}
