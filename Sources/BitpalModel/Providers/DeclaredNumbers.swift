public import FoundationEssentials

/// How the numbers of an operation become prices.
public struct DeclaredNumbers: Hashable, Sendable {
  /// How they are written; nil for JSON's way.
  public var marks: NumberMarks?

  /// What each price is multiplied by: 0.01 where a source gives pence and is asked for pounds.
  public var factor: Decimal?

  /// Whether the price is one divided by what the source gives, which is how many there are for one.
  public var isInverted = false

  /// Numbers as they are.
  public init() {}
}
