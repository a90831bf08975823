/// How many retries all requests of a process may still make, so that a source in trouble is not hammered.
///
/// The rule and its numbers are those of the AWS SDKs: a retry costs 5 of 500; a success gives back what its last retry
/// cost, or 1 when it needed none.
public struct RetryQuota: Hashable, Sendable {
  /// What is left.
  public private(set) var left: Int

  private let most: Int
  private let cost: Int

  /// A full quota.
  public init(_ most: Int = 500, cost: Int = 5) {
    self.most = max(0, most)
    self.cost = max(0, cost)
    left = self.most
  }

  /// Pays for a retry; false when there is not enough left.
  public mutating func pay() -> Bool {
    guard left >= cost else { return false }
    left -= cost
    return true
  }

  /// Notes a success.
  public mutating func succeed(afterRetry: Bool) {
    left = min(most, left + (afterRetry ? cost : 1))
  }
}
