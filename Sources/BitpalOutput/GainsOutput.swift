package import BitpalJSON
package import BitpalModel
package import BitpalPortfolio
import FoundationEssentials

/// The shape `bitpal.gains/1`: the gain of every disposal, with sums by year and in all.
package struct GainsOutput: OutputShape {
  package let gainRows: [Gains.Row]

  /// The sums by year, earliest first.
  package let years: [(year: Int, sums: Gains.Sums)]
  package let total: Gains.Sums
  package let method: GainMethod

  /// The currency, lower case.
  package let currency: String
  package let portfolio: PortfolioName

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - year: The only year that is included; nil for all.
  ///   - zone: The time zone in which a year begins.
  /// - Throws: `PortfolioError` for sums that do not fit a number.
  package init(
    _ gains: Gains, of portfolio: PortfolioName, currency: String, year: Int?, zone: ClockZone
  ) throws(PortfolioError) {
    gainRows = gains.rows(in: year, zone: zone)
    years = try Gains.years(gainRows, zone: zone)
    total = try Gains.sums(gainRows)
    method = gains.method
    self.currency = currency
    self.portfolio = portfolio
  }

  package let schema = OutputSchema.gains

  package let columns = [
    "coin", "sold", "acquired", "days", "quantity", "proceeds", "cost", "fee", "gain", "currency", "method",
  ]

  package var rows: [JSONObject] {
    gainRows.map { row in
      [
        "coin": .coin(row.coinId), "sold": JSONValue(row.sold), "acquired": JSONValue(row.acquired),
        "days": row.days.map { .integer($0) } ?? .null, "quantity": JSONValue(row.quantity),
        "proceeds": JSONValue(row.proceeds), "cost": JSONValue(row.cost), "fee": JSONValue(row.fee),
        "gain": JSONValue(row.gain), "currency": .string(currency), "method": .string(method.rawValue),
      ]
    }
  }

  package var members: JSONObject {
    [
      "portfolio": .string(portfolio.text), "currency": .string(currency), "method": .string(method.rawValue),
      "gains": rowsValue,
      "years": .array(years.map { .object(["year": .integer($0.year)] + Self.figures($0.sums)) }),
      "total": .object(Self.figures(total)),
    ]
  }

  private static func figures(_ sums: Gains.Sums) -> JSONObject {
    [
      "proceeds": JSONValue(sums.proceeds), "cost": JSONValue(sums.cost), "fee": JSONValue(sums.fee),
      "gain": JSONValue(sums.gain),
    ]
  }
}

/// The shape `bitpal.lots/1`: the remaining parts of the acquired lots.
package struct LotsOutput: OutputShape {
  package let lots: [Gains.Lot]
  package let method: GainMethod

  /// The currency, lower case.
  package let currency: String
  package let portfolio: PortfolioName

  package init(_ lots: [Gains.Lot], by method: GainMethod, of portfolio: PortfolioName, currency: String) {
    self.lots = lots
    self.method = method
    self.portfolio = portfolio
    self.currency = currency
  }

  package let schema = OutputSchema.lots

  package let columns = ["coin", "acquired", "quantity", "cost", "currency", "method"]

  package var rows: [JSONObject] {
    lots.map { lot in
      [
        "coin": .coin(lot.coinId), "acquired": JSONValue(lot.acquired), "quantity": JSONValue(lot.quantity),
        "cost": JSONValue(lot.cost), "currency": .string(currency), "method": .string(method.rawValue),
      ]
    }
  }

  package var members: JSONObject {
    [
      "portfolio": .string(portfolio.text), "currency": .string(currency), "method": .string(method.rawValue),
      "lots": rowsValue,
    ]
  }
}

extension OutputSchema {
  static let gains = OutputSchema(
    "bitpal.gains/1", "The gain of every disposal, with sums by year and in all.",
    [
      "portfolio": .portfolioName, "currency": .currency, "method": .method,
      "gains": .list(
        .object(
          [
            "coin": .text("The id of the coin."), "sold": .instant("The time of the disposal."),
            "acquired": .instant("The time at which the lot came in; null by the average.").orNull,
            "days": .count("Whole days between, in UTC; null by the average.").orNull,
            "quantity": .decimal("The number of coins."),
          ] + sums + ["currency": .currency, "method": .method]), "A disposal and lot each."),
      "years": .list(.object(["year": .count("The year of the sale.")] + sums), "The sums by year, earliest first."),
      "total": .object(sums, "The sums of all rows."),
    ])

  private static let sums: SchemaMembers = [
    "proceeds": .decimal("For what it was sold."), "cost": .decimal("The cost."),
    "fee": .decimal("The fee of the sale."), "gain": .decimal("Proceeds less cost and fee."),
  ]

  static let lots = OutputSchema(
    "bitpal.lots/1", "The open lots.",
    [
      "portfolio": .portfolioName, "currency": .currency, "method": .method,
      "lots": .list(
        .object([
          "coin": .text("The id of the coin."),
          "acquired": .instant("The time at which it came in; null by the average.").orNull,
          "quantity": .decimal("The number of coins that are left."), "cost": .decimal("Their cost."),
          "currency": .currency,
          "method": .method,
        ]), "One for each."),
    ])
}
