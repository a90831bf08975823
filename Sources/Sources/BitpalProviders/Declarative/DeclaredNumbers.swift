package import BitpalModel
package import FoundationEssentials

/// The rules by which the numbers of an operation become prices.
package struct DeclaredNumbers: Hashable, Sendable {
  /// The notation of the numbers; nil for that of JSON.
  package var marks: NumberMarks?

  /// The factor of each price: 0.01 for a source that answers in pence when pounds are requested.
  package var factor: Decimal?

  /// Whether the price is the reciprocal of the source's number.
  package var isInverted = false

  /// Creates the rules for numbers that are prices already.
  package init() {}
}
