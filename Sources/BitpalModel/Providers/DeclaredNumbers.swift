public import FoundationEssentials

/// The rules by which the numbers of an operation become prices.
public struct DeclaredNumbers: Hashable, Sendable {
  /// The notation of the numbers; nil for JSON's.
  public var marks: NumberMarks?

  /// The factor of each price: 0.01 where a source answers in pence and is asked for pounds.
  public var factor: Decimal?

  /// Whether the price is one divided by what the source gives, which is how many there are for one.
  public var isInverted = false

  /// Numbers as they are.
  public init() {}
}
