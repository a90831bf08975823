import BitpalCharts
import BitpalModel
import BitpalOutput
import BitpalQueries

/// The descriptions of bitpal's own paths and their parameters.
extension PathDescription {
  static let prices = PathDescription(
    "The latest prices of several coins.",
    [
      Parameter(PricesQuery.coins(), isRequired: true),
      .currency, .format,
    ], .json(PricesOutput.schema.value))

  static let detail = PathDescription(
    "The market details of a coin.", [.coin, .currency, .format], .json(CoinOutput.schema.value))

  static let days = PathDescription(
    "The daily closes of a coin, of yesterday by default.",
    [.coin] + HistoryQuery.parameters.map { Parameter($0) } + [Parameter(HistoryQuery.partial), .currency, .format],
    .json(HistoryOutput.schema.value))

  static let found = PathDescription(
    "Coins by a part of their name, the best known first.",
    [
      Parameter("query", .line("The text to search for.", example: "doge"), isRequired: true),
      Parameter(SearchQuery.limit), .format,
    ], .json(SearchOutput.schema.value))

  static let points = PathDescription(
    "The price of a coin over time; with .svg after the id, as a picture.",
    [.coin] + ChartQuery.parameters.map { Parameter($0) } + [
      Parameter(ChartQuery.last), Parameter(ChartQuery.points),
      .currency, .format,
      Parameter(
        "width",
        .count(
          "The width of the picture.", from: SVGChart.sizes.width.lowerBound, to: SVGChart.sizes.width.upperBound)),
      Parameter(
        "height",
        .count(
          "The height of the picture.", from: SVGChart.sizes.height.lowerBound, to: SVGChart.sizes.height.upperBound)),
    ], .jsonOrPicture(ChartOutput.schema.value))

  static let conversion = PathDescription(
    "What an amount of a coin or a currency comes to in another.",
    ConversionQuery.parameters.map { Parameter($0, isRequired: $0.name == "from") }
      + [Parameter(ConversionQuery.day), .format],
    .json(ConvertOutput.schema.value))

  static let watchlist = PathDescription(
    "The watchlist with its prices, for its owner.",
    [Parameter(WatchlistQuery.order), Parameter(WatchlistQuery.group), .currency, .format],
    .json(WatchlistOutput.schema.value))

  static let portfolio = PathDescription(
    "The portfolio at the latest prices, for its owner.", [Parameter(NativeOwnRoutes.part), .format],
    .json(PortfolioOutput.schema.value))

  static let providers = PathDescription(
    "The providers there are.", [.format], isOfSource: false, .json(ProvidersOutput.schema.value))

  static let schemas = PathDescription(
    "The JSON Schemas of everything that bitpal writes.", [.format], isOfSource: false,
    .json(SchemasOutput.schema.value))

  static let schema = PathDescription(
    "One JSON Schema.", [.schema], isOfSource: false, .schema)
}

extension PathDescription.Parameter {
  fileprivate static let currency = Self(PricesQuery.currency)
  fileprivate static let format = Self(AnswerForm.parameter)
  fileprivate static let coin = segment("id", .line("A coin as on the command line.", example: "bitcoin"))
  fileprivate static let schema = segment("name", .word(OutputSchema.all.map(\.name), "The name of a shape."))
}
