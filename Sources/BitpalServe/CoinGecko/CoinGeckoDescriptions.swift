import BitpalOutput

/// The descriptions of CoinGecko's paths and their parameters.
extension PathDescription {
  static let ping = PathDescription(
    "Whether the server answers.", isOfSource: false, .json(CoinGeckoList.pingSchema))

  static let simplePrice = PathDescription(
    "Prices of coins by id or ticker, in several currencies.",
    [
      Parameter("vs_currencies", .line("Currencies, with commas.", example: "usd,eur"), isRequired: true), .ids,
      .symbols,
      .flag("include_market_cap", "With the market value."),
      .flag("include_24hr_vol", "With what was traded in 24 hours."),
      .flag("include_24hr_change", "With the change over 24 hours in percent."),
      .flag("include_last_updated_at", "With the source's own time, in seconds of Unix time."), .precision,
    ], .json(CoinGeckoPrices.schema))

  static let currencies = PathDescription(
    "The currencies in which there are prices.", isOfSource: false, .json(CoinGeckoList.currenciesSchema))

  static let list = PathDescription(
    "Every coin that the source has.",
    [.flag("include_platform", "With the contracts of each, which no source states.")],
    .json(CoinGeckoList.coinsSchema))

  static let markets = PathDescription(
    "Coins with their market figures: those that are named, or a page of the source's list.",
    [
      .vsCurrency, .ids, .symbols,
      Parameter("order", .word(CoinGeckoPriceRoutes.orders, "The order of the rows.")),
      Parameter("per_page", .count("Rows of a page, 100 by default; more than 250 are 250.", from: 1)),
      Parameter("page", .count("Which page, from 1 on.", from: 1)), .flag("sparkline", "With the prices of a week."),
      Parameter(
        "price_change_percentage", .line("Periods of the change, comma-separated.", example: "1h,24h,7d")),
      .precision,
    ], .json(CoinGeckoMarkets.schema))

  static let coin = PathDescription(
    "A coin with its market figures, in the currency of the settings.",
    [
      .coin, .flag("market_data", "Without the figures where it is false."),
      .flag("sparkline", "With the prices of a week."),
    ], .json(CoinGeckoCoin.schema))

  static let chart = PathDescription(
    "The prices of a coin up to now.",
    [
      .coin, .vsCurrency,
      Parameter(
        "days",
        .text(
          "More than 0 days and at most 36500, or max.",
          pattern: #"^(max|[1-9][0-9]{0,3}(\.[0-9]{1,9})?|[12][0-9]{4}|3[0-5][0-9]{3}|36[0-4][0-9]{2}|36500)$"#,
          example: "7"), isRequired: true),
      Parameter("interval", .word(["daily"], "One price a day.")), .precision,
    ], .json(CoinGeckoChart.schema))

  static let chartRange = PathDescription(
    "The prices of a coin from an instant to another.",
    [
      .coin, .vsCurrency,
      Parameter("from", instant("1736700000"), isRequired: true),
      Parameter("to", instant("1736900000"), isRequired: true),
      .precision,
    ], .json(CoinGeckoChart.schema))

  private static func instant(_ example: String) -> ValueSchema {
    .text(
      "Seconds of Unix time, or a day.", pattern: #"^([0-9]{1,10}|[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8]))$"#,
      example: example)
  }

  static let candles = PathDescription(
    "The candles of a coin up to now, stamped with their end.",
    [
      .coin, .vsCurrency,
      Parameter(
        "days", .word(CoinGeckoSeriesRoutes.candleDays.map(String.init) + ["max"], "The number of days."),
        isRequired: true),
      .precision,
    ], .json(CoinGeckoCandles.schema))

  static let history = PathDescription(
    "The price of a coin at 00:00 UTC of a day, in the currency of the settings.",
    [
      .coin,
      Parameter(
        "date", .text("A day.", pattern: "^(0[1-9]|1[0-9]|2[0-8])-(0[1-9]|1[0-2])-20[0-9]{2}$", example: "10-01-2025"),
        isRequired: true),
    ], .json(CoinGeckoHistory.schema))

  static let search = PathDescription(
    "Coins by a part of their name, the best known first.",
    [Parameter("query", .line("The text to search for.", example: "doge"), isRequired: true)],
    .json(CoinGeckoList.foundSchema))
}

extension PathDescription.Parameter {
  fileprivate static let coin = segment("id", .line("The id of a coin.", example: "bitcoin"))
  fileprivate static let vsCurrency = Self("vs_currency", .line("A currency.", example: "usd"), isRequired: true)
  fileprivate static let ids = Self("ids", .line("Ids of coins, with commas.", example: "bitcoin,ethereum"))
  fileprivate static let symbols = Self(
    "symbols", .line("Tickers, comma-separated; used without ids.", example: "btc"))
  fileprivate static let precision = Self(
    "precision", .word(["full"] + (0...18).map(String.init), "Decimals of prices, all of them by default."))

  /// Returns a Boolean parameter of CoinGecko's, for which every value but `true` means off.
  fileprivate static func flag(_ name: String, _ about: String) -> Self {
    Self(name, .either(.flag("On or off."), .line("Off, whatever it says.", example: "no"), about: about))
  }
}
