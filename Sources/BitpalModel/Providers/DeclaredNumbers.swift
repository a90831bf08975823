package import FoundationEssentials

/// The rules by which the numbers of an operation become prices.
package struct DeclaredNumbers: Hashable, Sendable {
  /// The notation of the numbers; nil for JSON's.
  package var marks: NumberMarks?

  /// The factor of each price: 0.01 where a source answers in pence and is asked for pounds.
  package var factor: Decimal?

  /// Whether the price is one divided by what the source gives, which is how many there are for one.
  package var isInverted = false

  /// Numbers as they are.
  package init() {}
}
