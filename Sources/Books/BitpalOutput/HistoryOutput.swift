package import Bitpal
package import BitpalJSON
package import BitpalModel
package import BitpalQueries
package import FoundationEssentials

/// The shape `bitpal.history/1`: the daily closes of one coin.
package struct HistoryOutput: FieldShape {
  /// The closes by day, without the days that have no price.
  package let closes: [Resampling.DailyClose]

  /// The id of the coin.
  package let coin: String

  /// The currency, lower case.
  package let currency: String
  package let provenance: Provenance
  private let provider: String?

  /// The days without a price, each as a failure.
  package let missing: [CoinFailure]

  /// Creates the shape.
  ///
  /// - Parameter provider: The first of the configured providers.
  package init(_ answer: HistoryAnswer, currency: String, provider: String?) {
    closes = answer.closes.value
    provenance = Provenance(answer.closes)
    coin = answer.closes.about.coin
    self.currency = currency
    missing = answer.missing
    self.provider = provider
  }

  package static let shape = Shape<Self>(
    "bitpal.history/1", "The daily closes of a coin; a day without one is in errors.",
    [
      .coin("coin", "The id.") { $0.coin },
      Field("currency", .currency) { $0.currency },
      Field("provider", .provider) { $0.provenance.source },
      .closes { $0.closes },
    ] + Provenance.fields.of(\.provenance))

  package var figure: Decimal? { closes.count == 1 && missing.isEmpty ? closes[0].price : nil }
  package var columns: [String] { closes.columns }
  package var rows: [JSONObject] { closes.rows }
  package var errors: [OutputError] { missing.map { OutputError($0.error, about: (.date, $0.coin)) } }
}

extension Resampling.DailyClose {
  fileprivate static let fields: Fields<Resampling.DailyClose> = [
    Field("date", .day("The day, in UTC.")) { $0.dateText },
    Field("price", .decimal("The last price of the day, or of the day in close_of.")) { $0.price },
  ]

  fileprivate static let markField: Fields<Resampling.DailyClose> = [
    Field("provisional", .flag("Whether the price may still change, because the source had none later.")) {
      $0.isProvisional
    }
  ]

  fileprivate static let carriedField: Fields<Resampling.DailyClose> = [
    Field("close_of", .day("The earlier day of the price, where the day itself has none.").orMissing) {
      $0.carriedFrom?.dayText
    }
  ]

  fileprivate static let candleFields: Fields<CandleDataPoint> = [
    Field("open", .decimal("The first price of the day.")) { $0.open },
    Field("high", .decimal("The highest price.")) { $0.high },
    Field("low", .decimal("The lowest price.")) { $0.low },
    Field("volume", .decimal("The number of coins traded; null where the source does not state it.")) { $0.volume },
  ]

  /// Returns the row of a day.
  fileprivate func json(withMark hasMark: Bool = true, withDay hasDay: Bool = true) -> JSONObject {
    Self.fields.object(self) + (hasMark ? Self.markField.object(self) : [:])
      + (hasDay ? Self.carriedField.object(self) : [:])
      + (candle.map(Self.candleFields.object) ?? [:])
  }
}

extension [Resampling.DailyClose] {
  /// The rows of a table, with ``columns``.
  fileprivate var rows: [JSONObject] {
    let hasMark = contains(where: \.isProvisional)
    let hasDay = contains { $0.carriedFrom != nil }
    return map { $0.json(withMark: hasMark, withDay: hasDay) }
  }

  /// The columns of the rows; those of whole days, and the mark of a provisional one, only when a day has them.
  fileprivate var columns: [String] {
    Element.fields.keys + (contains(where: \.isProvisional) ? Element.markField.keys : [])
      + (contains { $0.carriedFrom != nil } ? Element.carriedField.keys : [])
      + (contains { $0.candle != nil } ? Element.candleFields.keys : [])
  }
}

extension Field {
  /// Returns the field of the closes of a coin.
  fileprivate static func closes(_ closes: @escaping @Sendable (Subject) -> [Resampling.DailyClose]) -> Field {
    let close = (Resampling.DailyClose.fields + Resampling.DailyClose.markField + Resampling.DailyClose.carriedField)
      .schema
    let wholeDay = Resampling.DailyClose.candleFields.schema
    return Field(
      "days",
      .list(
        .either(
          .object(close), .object(close + wholeDay, "A whole day, as --ohlc asks for."),
          about: "A close, or a whole day."), "In the order of time.")
    ) { closes($0).map { $0.json() } }
  }
}

/// The shape `bitpal.histories/1`: the daily closes of several coins.
package struct HistoriesOutput: FieldShape {
  package let histories: [CoinHistory]

  /// The currency, lower case.
  package let currency: String
  private let provider: String?
  private let failures: [CoinFailure]

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - failures: The coins, or days of them, without a price.
  ///   - provider: The first of the configured providers.
  package init(_ histories: [CoinHistory], failures: [CoinFailure], currency: String, provider: String?) {
    self.histories = histories
    self.failures = failures
    self.currency = currency
    self.provider = provider
  }

  package static let shape = Shape<Self>(
    "bitpal.histories/1", "The daily closes of several coins; a coin, or a day of it, without one is in errors.",
    [
      Field("currency", .currency) { $0.currency },
      Field("provider", .provider) { $0.histories.first?.answer.source ?? $0.provider },
      .list(
        "histories", "In the order in which they were asked for.",
        [
          .coin("coin", "The id.") { $0.answer.about.coin },
          Field(
            "name",
            .text("Its symbol, its id where the symbol is not its own, or the commodity as a journal spells it.")
          ) { $0.name },
          .closes { $0.answer.value },
        ] + Provenance.fields.of { Provenance($0.answer) }
      ) { $0.histories },
    ])

  package var columns: [String] { ["coin"] + histories.flatMap(\.answer.value).columns }

  package var rows: [JSONObject] {
    histories.flatMap { history in
      history.answer.value.rows.map { ["coin": .coin(history.answer.about.coin)] + $0 }
    }
  }

  package var errors: [OutputError] { failures.map { OutputError($0.error, about: (.coin, $0.coin)) } }
}
