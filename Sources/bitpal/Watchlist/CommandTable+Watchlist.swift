extension CommandTable {
  static let watchlist = [
    CommandSpec(
      .watchlistList, "the coins you follow, with their prices",
      options: [OptionSpec(.sort, .choice(WatchlistOrder.allCases.map(\.rawValue)), help: "order of the rows")],
      details: ["Without --sort the coins stand as they were added or moved."],
      examples: [
        .init("watchlist", "the coins and their prices"),
        .init("watchlist list --sort change --format json", "the best of the day first, for a program"),
      ]),
    CommandSpec(
      .watchlistAdd, "follow coins", operands: .some("COIN"),
      details: ["All are added or, when one of them is unknown or there already, none."],
      examples: [.init("watchlist add bitcoin eth solana", "three at once")]),
    CommandSpec(
      .watchlistRemove, "follow coins no longer", operands: .some("COIN"),
      examples: [.init("watchlist remove solana", "the others stay")]),
    CommandSpec(
      .watchlistMove, "put a coin in another place", operands: .exactly(["COIN", "PLACE"]),
      examples: [.init("watchlist move solana 1", "to the top")]),
  ]
}
