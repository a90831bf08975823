package import BitpalModel
package import BitpalService
import FoundationEssentials

/// The question for the equivalent of an amount in another currency or coin.
package struct ConversionQuery: Sendable {
  package static let day = ParameterSpec("on", .day, "use the close of that day, in UTC")

  /// The names of the values that stand in order: an amount, and the names of what it is of and of what is wanted.
  package static let operands = ["AMOUNT", "FROM", "TO"]

  /// The parameters of a request in place of ``operands``.
  package static let amount = ParameterSpec("amount", .text("NUMBER", example: "0.5"), "the amount (1)")
  package static let parameters = [
    amount,
    ParameterSpec("from", .text("NAME", example: "btc"), "a coin as on the command line, or a currency"),
    ParameterSpec("to", .text("NAME", example: "eur"), "a coin as on the command line, or a currency"),
  ]

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

  /// Reads ``parameters`` and `on`; the currency of the settings is what an amount is converted to by default.
  ///
  /// - Parameter example: The beginning of a question, for the hint of an error: `/v1/convert?`.
  /// - Throws: ``BitpalError/usage(_:hint:)`` without `from`, and for a text that is not a number or a day.
  package init(
    _ parameters: some Parameters, _ defaults: QueryDefaults, example: String
  ) throws(BitpalError) {
    let notation = parameters.notation
    guard let from = parameters["from"] else {
      let pairs = notation(["amount": "0.5", "from": "btc", "to": "eur"])
      throw .usage("\(notation("from")) is missing", hint: "as in \(example)\(pairs)")
    }
    amount = try parameters.decimal(Self.amount.name) ?? 1
    self.from = from
    to = parameters["to"] ?? defaults.currency
    day = try parameters.day(Self.day.name)
  }

  /// Returns the equivalent.
  ///
  /// - Throws: As `PriceService.convert(_:from:to:on:policy:)`.
  package func answer(by service: PriceService, policy: FetchPolicy = .normal) async throws -> ConvertedAmount {
    try await service.convert(amount, from: from, to: to, on: day, policy: policy)
  }
}
