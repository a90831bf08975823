package import Bitpal
package import BitpalModel
import FoundationEssentials

/// The question for the equivalent of an amount in another currency or coin.
package struct ConversionQuery: Sendable {
  package static let day = ParameterSpec("on", .day, "use the close of that day, in UTC")

  /// The form of the values: an amount, and the names of what it is of and of what is wanted.
  package static let form = "AMOUNT FROM [TO]"

  /// The parameters of a request in place of ``operands``.
  package static let amount = ParameterSpec("amount", .text("NUMBER", example: "0.5"), "the amount (1)")
  package static let parameters = [
    amount,
    ParameterSpec("from", .text("NAME", example: "btc"), "a coin as on the command line, or a currency"),
    ParameterSpec("to", .text("NAME", example: "eur"), "a coin as on the command line, or a currency"),
  ]

  private let amount: Decimal
  private let from: String

  /// Nil for the currency of the settings, or that of a pair.
  private let to: String?
  private let day: Date?

  /// Reads the values of ``form``, and `on`.
  ///
  /// The amount may be written together with its unit (`0.5btc`), and "in" or "to" may stand before the target.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for another number of values, and a text that is not a number or a day.
  package init(_ values: [String], _ parameters: some Parameters) throws(BitpalError) {
    var values = values
    let digits = values.first?.prefix { "0123456789.".contains($0) } ?? ""
    if let first = values.first, !digits.isEmpty, digits.count < first.count, WellKnownCoins.coin(ticker: first) == nil,
      first.dropFirst(digits.count).allSatisfy({ $0.isLetter || "-/:".contains($0) })
    {
      values.replaceSubrange(0...0, with: [String(digits), String(first.dropFirst(digits.count))])
    }
    if values.count == 4, ["in", "to"].contains(values[2].lowercased()) { values.remove(at: 2) }
    if values.count == 4, !values[0].contains("."), let places = ["k": 3, "m": 6, "mio": 6][values[1].lowercased()] {
      let amount = values[0] + String(repeating: "0", count: places)
      throw .usage(
        "an amount is written out", hint: "as in bitpal convert \(amount) \(values[2]) \(values[3])")
    }
    if let first = values.first, WellKnownCoins.isKnown(first) || CurrencyCoin.isCurrency(first),
      !values.contains(where: { $0.first?.isNumber == true })
    {
      throw .usage(
        "convert needs \(Self.form)", hint: "did you mean \"bitpal convert 1 \(values.joined(separator: " "))\"?")
    }
    guard (2...3).contains(values.count) else {
      throw .usage("convert needs \(Self.form)", hint: "as in bitpal convert 0.5 btc eur")
    }
    amount = try Decimal(values[0], named: "AMOUNT")
    from = values[1]
    to = values.count == 3 ? values[2] : nil
    day = try parameters.day(Self.day.name)
  }

  /// Reads ``parameters`` and `on`.
  ///
  /// - Parameter example: The beginning of a question, for the hint of an error: `/v1/convert?`.
  /// - Throws: ``BitpalError/usage(_:hint:)`` without `from`, and for a text that is not a number or a day.
  package init(
    _ parameters: some Parameters, example: String
  ) throws(BitpalError) {
    let notation = parameters.notation
    guard let from = parameters["from"] else {
      let pairs = notation(["amount": "0.5", "from": "btc", "to": "eur"])
      throw .usage("\(notation("from")) is missing", hint: "as in \(example)\(pairs)")
    }
    amount = try parameters.decimal(Self.amount.name) ?? 1
    self.from = from
    to = parameters["to"]
    day = try parameters.day(Self.day.name)
  }

  /// Returns the equivalent.
  ///
  /// - Parameter currency: The target of a question without one.
  /// - Throws: As `PriceService.convert(_:from:to:on:policy:)`.
  package func answer(
    by service: PriceService, currency: String, policy: FetchPolicy = .normal
  ) async throws -> ConvertedAmount {
    let pair = try service.separated([from], currency: to)
    return try await service.convert(
      amount, from: pair.coins[0], to: pair.currency ?? currency, on: day, policy: policy)
  }
}
