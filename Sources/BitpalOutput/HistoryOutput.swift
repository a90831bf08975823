package import BitpalJSON
package import BitpalModel
import BitpalPortfolio
package import BitpalService
package import FoundationEssentials

/// The shape `bitpal.history/1`: the daily closes of one coin.
package struct HistoryOutput: OutputShape {
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
  /// - Parameters:
  ///   - days: The requested days, each of which is a failure when it has no price; nil for no failures.
  ///   - provider: The first of the configured providers.
  package init(
    _ answer: Sourced<[Resampling.DailyClose]>, currency: String, days: HistoryDays?, provider: String?
  ) {
    closes = answer.value
    provenance = Provenance(answer)
    coin = answer.about.coin
    self.currency = currency
    missing = days?.missing(in: answer, currency) ?? []
    self.provider = provider
  }

  package let schema = OutputSchema.history

  package var columns: [String] { ["date", "price"] + closes.wholeDayColumns }

  package var rows: [JSONObject] { closes.map(\.json) }

  package var members: JSONObject {
    let history: JSONObject = [
      "coin": .coin(coin), "currency": .string(currency), "provider": .string(provenance.source), "days": rowsValue,
    ]
    return history + provenance.json
  }

  package var errors: [OutputError] { missing.map { OutputError($0.error, about: (.date, $0.coin)) } }
}

extension Resampling.DailyClose {
  /// The row of a day.
  fileprivate var json: JSONObject {
    let close: JSONObject = ["date": .string(dateText), "price": JSONValue(price)]
    guard let candle else { return close }
    return close + [
      "open": JSONValue(candle.open), "high": JSONValue(candle.high), "low": JSONValue(candle.low),
      "volume": JSONValue(candle.volume),
    ]
  }
}

extension [Resampling.DailyClose] {
  /// The additional columns of whole days; empty when no day has them.
  fileprivate var wholeDayColumns: [String] {
    contains { $0.candle != nil } ? ["open", "high", "low", "volume"] : []
  }
}

extension OutputSchema {
  package static let history = OutputSchema(
    "bitpal.history/1", "The daily closes of a coin; a day without one is in errors.",
    [
      "coin": .text("The id."), "currency": .currency, "provider": .provider, "days": .closes,
    ] + .provenance)

  package static let histories = OutputSchema(
    "bitpal.histories/1", "The daily closes of several coins; a coin, or a day of it, without one is in errors.",
    [
      "currency": .currency, "provider": .provider,
      "histories": .list(
        .object(
          [
            "coin": .text("The id."),
            "name": .text("Its symbol, or the commodity as a journal spells it."), "days": .closes,
          ] + .provenance), "In the order in which they were asked for."),
    ])
}

extension ValueSchema {
  fileprivate static let closes: ValueSchema = .list(
    .either(
      .object(close), .object(close + wholeDay, "A whole day, as --ohlc asks for."), about: "A close, or a whole day."),
    "In the order of time.")

  private static let close: SchemaMembers = [
    "date": .day("The day, in UTC."), "price": .decimal("The last price of the day."),
  ]

  private static let wholeDay: SchemaMembers = [
    "open": .decimal("The first price of the day."), "high": .decimal("The highest price."),
    "low": .decimal("The lowest price."),
    "volume": .decimal("The number of coins traded; null where the source does not state it.").orNull,
  ]
}

/// The days whose closes are requested, in UTC.
package struct HistoryDays: Sendable {
  /// The midnight at which the first day begins.
  package let first: Date

  /// The midnight at which the last day begins.
  package let last: Date

  /// Creates one day, or a range of days; without a date it is yesterday, because today has no close yet.
  package init(on: Date?, from: Date?, to: Date?, now: Date) {
    let yesterday = now.startOfDay.adding(.seconds(-86_400))
    first = on ?? from ?? yesterday
    last = on ?? to ?? yesterday
  }

  /// Returns the days for which the source has no price, although they lie within its reach, as failures.
  package func missing(in answer: Sourced<[Resampling.DailyClose]>, _ currency: String) -> [CoinFailure] {
    let known = Set(answer.value.map(\.day))
    var failures: [CoinFailure] = []
    var day = first
    while day <= last {
      if !known.contains(day) {
        let text = day.dayText
        failures.append(
          CoinFailure(
            coin: text,
            error: .noData(question: "\(answer.about.coin) in \(currency) on \(text)", provider: answer.source)))
      }
      day = day.adding(.seconds(86_400))
    }
    return failures
  }
}

/// The daily closes of one coin of several.
package struct CoinHistory: Sendable {
  /// The name of the coin in rows and directives.
  package let name: String
  package let answer: Sourced<[Resampling.DailyClose]>

  package init(_ answer: Sourced<[Resampling.DailyClose]>, name: String) {
    self.answer = answer
    self.name = name
  }
}

/// The shape `bitpal.histories/1`: the daily closes of several coins.
package struct HistoriesOutput: OutputShape {
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

  package let schema = OutputSchema.histories

  package var columns: [String] {
    ["coin", "date", "price"] + histories.flatMap(\.answer.value).wholeDayColumns
  }

  package var rows: [JSONObject] {
    histories.flatMap { history in
      history.answer.value.map { ["coin": .coin(history.answer.about.coin)] + $0.json }
    }
  }

  package var members: JSONObject {
    let parts = histories.map { history -> JSONValue in
      let head: JSONObject = [
        "coin": .coin(history.answer.about.coin), "name": .string(history.name),
        "days": .array(history.answer.value.map { .object($0.json) }),
      ]
      return .object(head + Provenance(history.answer).json)
    }
    return [
      "currency": .string(currency), "provider": JSONValue(histories.first?.answer.source ?? provider),
      "histories": .array(parts),
    ]
  }

  package var errors: [OutputError] { failures.map { OutputError($0.error, about: (.coin, $0.coin)) } }
}
