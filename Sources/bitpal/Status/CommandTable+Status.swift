extension CommandTable {
  static let status = CommandSpec(
    .status, "one line for a status bar, from the cache at once", operands: .any("COIN"),
    options: [
      OptionSpec(.template, .text("TEXT"), help: "what is shown of each coin; {symbol} {price} {change} by default"),
      OptionSpec(
        .format, .choice(OutputFormat.allCases.map(\.rawValue) + [StatusCommand.waybar]),
        help: "form of the output; the last one is for waybar"),
    ],
    details: [
      "It never waits for the network: what is cached is printed, marked when it is stale, and then newer prices are "
        + "fetched behind, by one process at a time. Without COIN it is the watchlist.",
      "A template may hold \(StatusTemplate.fieldList). A price that is not known yet is shown as \(StatusTemplate.unknown).",
    ],
    examples: [
      .init("status bitcoin eth", "for tmux: set -g status-right '#(bitpal status bitcoin eth)'"),
      .init("status --template '{symbol} {price}'", "the watchlist, shorter"),
      .init("status bitcoin --format waybar", "one line of JSON: text, tooltip, class"),
    ])
}
