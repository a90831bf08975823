package import BitpalModel
package import BitpalService
import FoundationEssentials

/// The question for the equivalent of an amount in another currency or coin.
package struct ConversionQuery: Sendable {
  package static let day = ParameterSpec("on", .day, "use the close of that day, in UTC")

  /// The names of the values that stand in order: an amount, and the names of what it is of and of what is wanted.
  package static let operands = ["AMOUNT", "FROM", "TO"]

  private let amount: Decimal
  private let from: String
  private let to: String
  private let day: Date?

  /// Reads the values of ``operands``, and `on`.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for another number of values, and a text that is not a number or a day.
  package init(_ values: [String], _ parameters: some Parameters) throws(BitpalError) {
    guard values.count == 3 else { throw .usage("convert needs an AMOUNT, FROM what and TO what") }
    amount = try Decimal(values[0], named: Self.operands[0])
    (from, to) = (values[1], values[2])
    day = try parameters.day(Self.day.name)
  }

  /// Returns the equivalent.
  ///
  /// - Throws: As `PriceService.convert(_:from:to:on:policy:)`.
  package func answer(by service: PriceService, policy: FetchPolicy = .normal) async throws -> ConvertedAmount {
    try await service.convert(amount, from: from, to: to, on: day, policy: policy)
  }
}
