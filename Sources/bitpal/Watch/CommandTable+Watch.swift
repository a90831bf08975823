extension CommandTable {
  static let watch = CommandSpec(
    .watch, "prices that stay up to date; the watchlist, or the coins given", operands: .any("COIN"),
    options: [
      OptionSpec(.every, .text("DURATION"), help: "time between two updates, at least 10s; that of the settings else"),
      OptionSpec(.sort, .choice(PriceOrder.allCases.map(\.rawValue)), help: "order of the rows; as listed by default"),
      OptionSpec(.count, .text("N"), help: "end after so many updates"),
      OptionSpec(.spark, help: "a column with the week's line, as far as it is cached"),
      OptionSpec(.ascii, help: "draw that column with plain characters only"),
    ],
    details: [
      "On a terminal the table is redrawn in place. Keys: n, p and c sort by name, price and change, r asks at once, q or "
        + "Ctrl-C ends. When a refresh fails the last prices stay, marked stale, and the waits double up to ten minutes.",
      "Where standard output is no terminal each update is printed: a table, one line of JSON (json and jsonl alike), or "
        + "rows of CSV under one header. A recording never changes, so there it is printed once unless --count is given.",
    ],
    examples: [
      .init("watch", "the watchlist"),
      .init("watch bitcoin eth --every 1m --sort change", "two coins, each minute"),
      .init("watch bitcoin --format jsonl >> prices.jsonl", "a log of prices"),
    ])
}
