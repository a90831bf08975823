import BitpalCharts
import BitpalModel
import BitpalOutput

/// The descriptions of bitpal's own paths and their parameters.
extension PathDescription {
  static let prices = PathDescription(
    "The latest prices of several coins.",
    [
      Parameter("coins", .line("Coins as on the command line, with commas.", example: "btc,eth"), isRequired: true),
      .currency,
    ], .json(PricesOutput.schema.value))

  static let detail = PathDescription(
    "The market details of a coin.", [.coin, .currency], .json(CoinOutput.schema.value))

  static let days = PathDescription(
    "The daily closes of a coin, of yesterday by default.",
    [
      .coin, Parameter("on", .day("One day, without from and to.")),
      Parameter("from", .day("The first day, without on.")),
      Parameter("to", .day("The last day, with from; yesterday by default.")),
      Parameter("partial", .word(["true"], "Leave out days before the first that the source has.")),
      .currency,
    ], .json(HistoryOutput.schema.value))

  static let found = PathDescription(
    "Coins by a part of their name, the best known first.",
    [
      Parameter("query", .line("What to look for.", example: "doge"), isRequired: true),
      Parameter(
        "limit",
        .count(
          "How many there may be, 50 by default.", from: NativePriceRoutes.limits.lowerBound,
          to: NativePriceRoutes.limits.upperBound)),
    ], .json(SearchOutput.schema.value))

  static let points = PathDescription(
    "How the price of a coin moved; with .svg after the id, as a picture.",
    [
      .coin,
      Parameter("range", .line("The name of a range.", example: "1W")),
      Parameter("from", .day("The first day, instead of a range.")),
      Parameter("to", .day("The last day, today by default.")),
      Parameter("last", .line("A length that ends now, or max, instead of a range.", example: "30d")),
      Parameter("type", .word(ChartType.allCases.map(\.rawValue), "A line or candles.")),
      Parameter("candle", .line("How wide candles are.", example: "4h")),
      Parameter(
        "points",
        .count(
          "How many there may be, all by default.", from: NativeChartRoutes.points.lowerBound,
          to: NativeChartRoutes.points.upperBound)),
      .currency,
      Parameter(
        "width",
        .count(
          "Of a picture.", from: SVGChart.sizes.width.lowerBound, to: SVGChart.sizes.width.upperBound)),
      Parameter(
        "height",
        .count(
          "Of a picture.", from: SVGChart.sizes.height.lowerBound, to: SVGChart.sizes.height.upperBound)),
    ], .jsonOrPicture(ChartOutput.schema.value))

  static let providers = PathDescription(
    "The providers there are.", isOfSource: false, .json(ProvidersOutput.schema.value))

  static let schemas = PathDescription(
    "The JSON Schemas of everything that bitpal writes.", isOfSource: false, .json(SchemasOutput.schema.value))

  static let schema = PathDescription(
    "One of them.", [.schema], isOfSource: false, .schema)
}

extension PathDescription.Parameter {
  fileprivate static let currency = Self(
    "currency", .line("A currency, that of the settings by default.", example: "eur"))
  fileprivate static let coin = segment("id", .line("A coin as on the command line.", example: "bitcoin"))
  fileprivate static let schema = segment("name", .word(OutputSchema.all.map(\.name), "The name of a shape."))
}
