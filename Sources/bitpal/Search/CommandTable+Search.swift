extension CommandTable {
  static let search = CommandSpec(
    .search, "find a coin by a part of its id, symbol or name", operands: .some("TEXT"),
    options: [OptionSpec(.limit, .text("N"), help: "at most so many coins, 50 by default")],
    details: [
      "The coin list is kept on this machine for a week, and --refresh fetches it now. Exact symbols and ids come first, "
        + "then what begins with TEXT, then what contains it, each by name. Case and accents do not matter."
    ],
    examples: [
      .init("search doge", "which coin is it?"),
      .init("search usdt --limit 100", "every coin that shares the symbol"),
      .init("search wrapped bitcoin --format json", "for a program"),
    ])
}
