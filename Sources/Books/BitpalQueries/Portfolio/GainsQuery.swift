package import BitpalModel
package import BitpalPortfolio

/// The question for the gains of a portfolio's disposals, and for the lots that are left.
package struct GainsQuery: Sendable {
  /// The parameters for the days of the disposals.
  package static let days = BookedDays.parameters(of: "sales")

  package static let method = ParameterSpec(
    "method", .choice(GainMethod.allCases.map(\.rawValue)), "order in which lots are sold (that of the portfolio)")

  /// The days of the disposals to show.
  package let days: BookedDays
  private let method: GainMethod?

  /// Creates the question for all days, by the portfolio's method.
  package init() {
    days = .all
    method = nil
  }

  /// Reads the parameters.
  ///
  /// - Throws: As ``BookedDays/init(_:)``.
  package init(_ parameters: some Parameters) throws(BitpalError) {
    method = parameters[Self.method.name].flatMap(GainMethod.init(rawValue:))
    days = try BookedDays(parameters)
  }

  /// Reads `method`, for a question for the lots that are left.
  package init(lots parameters: some Parameters) {
    method = parameters[Self.method.name].flatMap(GainMethod.init(rawValue:))
    days = .all
  }

  /// Returns the gains of all transactions, whose rows may then be limited to ``days``.
  ///
  /// - Throws: `PortfolioError` for transactions that cannot be booked; `BitpalError` when the store cannot be read.
  package func answer(from store: TransactionStore) throws -> Gains {
    try Gains(try store.transactions(), by: try method ?? store.info()?.method ?? .average)
  }
}
