import BitpalOutput

extension CommandTable {
  /// The commands of bitpal.
  static let bitpal = CommandTable(
    commands: [price, chart, coin, history, search] + watchlist + [watch, status] + portfolio + [record] + providers
      + cache + config + trust + [doctor]
      + reference,
    groups: [
      CommandGroup("watchlist", "the coins you follow"),
      CommandGroup("portfolio", "what you own, and what it is worth"),
      CommandGroup("widget", "the portfolio in a few lines"),
      CommandGroup("providers", "the sources prices can come from"),
      CommandGroup("cache", "the answers kept on this machine"),
      CommandGroup("config", "the settings"),
      CommandGroup("trust", "the folders whose settings are yours"),
    ],
    everywhere: [
      OptionSpec(.config, short: "c", .text("FILE"), help: "settings file to use"),
      OptionSpec(.provider, short: "p", .text("NAME"), help: "source to ask, instead of the configured one"),
      OptionSpec(.currency, .text("CODE"), help: "currency of prices, such as usd or eur"),
      OptionSpec(
        .format, .choice(OutputFormat.allCases.map(\.rawValue)), help: "form of the output; table is for people"),
      OptionSpec(.now, .text("TIME"), help: "take TIME for the time of day, such as 2025-01-15T10:30Z"),
      OptionSpec(.offline, help: "answer from the cache only, however old"),
      OptionSpec(.refresh, help: "ask the source even if the cache has an answer"),
      OptionSpec(.timeout, .text("DURATION"), help: "longest wait for the network, 15s by default"),
      OptionSpec(.color, .choice(ColorChoice.allCases.map(\.rawValue)), help: "colour; auto is for terminals only"),
      OptionSpec(.quiet, short: "q", help: "no warnings, only errors"),
      OptionSpec(.verbose, short: "v", help: "tell on stderr how each answer came about"),
      OptionSpec(.help, short: "h", help: "show help"),
      OptionSpec(.version, help: "show the version"),
    ])

  private static let price = CommandSpec(
    .price, "latest prices", operands: .some("COIN"),
    options: [
      OptionSpec(.sort, .choice(PriceOrder.allCases.map(\.rawValue)), help: "order of the rows; as asked by default"),
      OptionSpec(.spark, help: "a column with the week's line, as far as it is cached"),
      OptionSpec(.ascii, help: "draw that column with plain characters only"),
    ],
    details: [
      "A COIN is an id (bitcoin), an alias of the settings, or a symbol (btc) that only one coin has. "
        + "Coins without an answer are named on stderr; the others are printed, and the exit status is 1."
    ],
    examples: [
      .init("price bitcoin eth", "two coins, the second by its alias"),
      .init("price bitcoin --currency eur --format json", "for a program, in euros"),
      .init("price bitcoin ethereum solana --sort change", "the best of the day first"),
    ])

  private static let chart = CommandSpec(
    .chart, "how a price moved, drawn or as numbers; several coins compared", operands: .some("COIN"),
    options: [
      OptionSpec(.range, .text("NAME"), help: "window of time: 15M 1H 4H 1D 1W 1M 1Y, or one of the settings"),
      OptionSpec(.type, .choice(["line", "candle"]), help: "prices, or open, high, low and close"),
      OptionSpec(.svg, .text("FILE"), help: "write the picture as SVG; - for standard output"),
      OptionSpec(.width, .text("N"), help: "columns, 20 to 300; the terminal's by default, or 80"),
      OptionSpec(.height, .text("N"), help: "rows of the plot, 3 to 100"),
      OptionSpec(.points, .text("N"), help: "at most so many points, in every format"),
      OptionSpec(.ascii, help: "draw with plain characters only"),
      OptionSpec(.rows, help: "a table of rows instead of a drawing"),
    ],
    details: [
      "A range that the type lacks moves to the closest one, and says so. Candles have the width the range wants where "
        + "the source's own make it, or at least three samples of its line do; else the source's, and the title says so.",
      "Several coins are compared: the change of each in percent since the start of the range.",
      "With --rows a table of a line shows about as many points as the range aims at; json, jsonl and csv carry them "
        + "all.",
    ],
    examples: [
      .init("chart bitcoin", "the default range and type of the settings"),
      .init("chart bitcoin --range 1M --type candle", "a month of candles"),
      .init("chart bitcoin ethereum --range 1Y", "which of them did better in a year"),
      .init("chart bitcoin --range 1Y --svg bitcoin.svg", "a picture for a report"),
      .init("chart eth --range 1Y --format csv > eth.csv", "a year, for a spreadsheet"),
    ])

  private static let coin = CommandSpec(
    .coin, "market details of one coin", operands: .one("COIN"),
    details: ["Price, market cap, volume and supply, as far as the source knows them."],
    examples: [
      .init("coin bitcoin", "the details as a table"),
      .init("coin bitcoin --format json", "the same for a program"),
    ])

  private static let history = CommandSpec(
    .history, "daily closes, for tables and plain-text accounting", operands: .one("COIN"),
    options: [
      OptionSpec(.on, .text("DATE"), help: "one day; yesterday when no day is given"),
      OptionSpec(.from, .text("DATE"), help: "first day"),
      OptionSpec(.to, .text("DATE"), help: "last day; yesterday by default"),
      OptionSpec(
        .format, .choice(OutputFormat.allCases.map(\.rawValue) + PriceDirectives.Format.allCases.map(\.rawValue)),
        help: "form of the output; the last three are price directives"),
    ],
    details: [
      "A day is one in UTC, and its close the last price in it. A day that is not over has none. A day before the "
        + "source's first is refused with that one named; nothing is ever answered with another day's price.",
      "A close once fetched is kept and not asked for again.",
    ],
    examples: [
      .init("history bitcoin --on 2025-01-14", "what it closed at"),
      .init("history shiba-inu --from 2025-01-01 --format ledger > shib.db", "a price directive for each day"),
      .init("history eth --from 2024-12-01 --to 2024-12-31 --format csv", "a month, for a spreadsheet"),
    ])

  private static let cache = [
    CommandSpec(
      .cacheStats, "where it is and what is in it",
      examples: [
        .init("cache stats", "entries and sizes"),
        .init("cache stats --format json", "the same for a program"),
      ]),
    CommandSpec(
      .cacheClear, "forget every answer; settings and data stay",
      options: [
        OptionSpec(.budgets, help: "forget instead how many requests were made, and the pauses sources asked for")
      ],
      details: [
        "A source that answers 429 is left alone for as long as it asks, at most an hour, by every process. --budgets "
          + "ends that, and lets the next request go at once."
      ],
      examples: [
        .init("cache clear", "says how many answers were removed"),
        .init("cache clear --budgets", "ask again before a pause is over"),
      ]),
  ]

  private static let config = [
    CommandSpec(
      .configShow, "every value in force, and where it comes from",
      details: ["Keys are shown only as set or not set."],
      examples: [
        .init("config show", "value and origin, line by line"),
        .init("config show --provider coingecko", "what a flag would change"),
      ]),
    CommandSpec(
      .configCheck, "read the settings and every provider file",
      details: ["Prints ok, or every fault with its line and column and exit status 3."],
      examples: [
        .init("config check", "the settings that would be used"),
        .init("config check -c draft.yaml", "a file before it is used"),
      ]),
    CommandSpec(
      .configPath, "the settings file in force",
      examples: [.init("config path", "the path, or that the built-in defaults are in force")]),
    CommandSpec(
      .configInit, "write a commented settings file to start from",
      details: [
        "The file goes to $XDG_CONFIG_HOME/bitpal/config.yaml, by default ~/.config/bitpal/config.yaml. "
          + "One that is there already is never overwritten."
      ],
      examples: [.init("config init", "prints the path of the new file")]),
    CommandSpec(
      .configAlias, "add a short name for a coin to the settings file", operands: .exactly(["NAME", "COIN"]),
      details: [
        "The file in force is changed by that one entry under aliases:; its comments and layout stay. A file that would "
          + "not read as expected afterwards is left as it is."
      ],
      examples: [.init("config alias usdt tether", "usdt means tether from now on, although others share the symbol")]),
  ]
}
