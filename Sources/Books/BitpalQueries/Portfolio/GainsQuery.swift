package import BitpalModel
package import BitpalPortfolio

/// The question for the gains of a portfolio's disposals, and for the lots that are left.
package struct GainsQuery: Sendable {
  package static let year = ParameterSpec("year", .text("YEAR"), "only sales of this year")

  package static let method = ParameterSpec(
    "method", .choice(GainMethod.allCases.map(\.rawValue)), "order in which lots are sold (that of the portfolio)")

  /// The year of the disposals to show; nil for all.
  package let year: Int?
  private let method: GainMethod?

  /// Creates the question for all years, by the portfolio's method.
  package init() {
    year = nil
    method = nil
  }

  /// Reads `year` and `method`.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a year that is not a number from 1970 to 9999.
  package init(_ parameters: some Parameters) throws(BitpalError) {
    method = parameters[Self.method.name].flatMap(GainMethod.init(rawValue:))
    year = try parameters[Self.year.name].map { text throws(BitpalError) in
      guard let year = Int(text), (1970...9999).contains(year) else {
        throw .usage("\(parameters.notation(Self.year.name)): \"\(text)\" is not a year", hint: "write it like 2024")
      }
      return year
    }
  }

  /// Reads `method`, for a question for the lots that are left.
  package init(lots parameters: some Parameters) {
    method = parameters[Self.method.name].flatMap(GainMethod.init(rawValue:))
    year = nil
  }

  /// Returns the gains of all transactions, whose rows may then be limited to ``year``.
  ///
  /// - Throws: `PortfolioError` for transactions that cannot be booked; `BitpalError` when the store cannot be read.
  package func answer(from store: TransactionStore) throws -> Gains {
    try Gains(try store.transactions(), by: try method ?? store.info()?.method ?? .average)
  }
}
