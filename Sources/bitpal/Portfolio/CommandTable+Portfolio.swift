import BitpalPortfolio

extension CommandTable {
  /// The commands about what the user owns.
  static let portfolio: [CommandSpec] = recording + showing + changing + exchanging + widget

  private static let named = OptionSpec(.portfolio, .text("NAME"), help: "which portfolio; main by default")
  private static let dryRun = OptionSpec(.dryRun, help: "check and show everything, store nothing")
  private static let price = OptionSpec(
    .price, .text("P"), help: "what one coin cost; without it the latest price is asked for and shown")
  private static let fee = OptionSpec(.fee, .text("F"), help: "what the exchange took; kept apart from cost and gain")
  private static let date = OptionSpec(.date, .text("TIME"), help: "when, such as 2025-01-15 or 2025-01-15T10:30Z")
  private static let notes = OptionSpec(.notes, .text("TEXT"), help: "anything worth remembering")

  private static let recording = [
    CommandSpec(
      .buy, "record that coins were bought", operands: .exactly(["QUANTITY", "COIN"]),
      options: [price, date, fee, notes, named, dryRun],
      details: [
        "Amounts of money are in the portfolio's currency, which is that of the settings when its first transaction is "
          + "recorded."
      ],
      examples: [
        .init("buy 0.25 bitcoin --price 64000 --date 2024-08-02", "what was paid, and when"),
        .init("buy 100 sol --fee 1.20", "at the latest price"),
      ]),
    CommandSpec(
      .sell, "record that coins were sold", operands: .exactly(["QUANTITY", "COIN"]),
      options: [price, date, fee, notes, named, dryRun],
      details: [
        "QUANTITY may be all. More than is held on that date is refused. A sale removes its share of the moving average "
          + "cost; proceeds less that cost is the realized gain."
      ],
      examples: [
        .init("sell 0.1 bitcoin --price 99000", "a part"),
        .init("sell all dogecoin --dry-run", "what would be recorded"),
      ]),
  ]

  private static let showing = [
    CommandSpec(
      .portfolioSummary, "what it is worth: totals and holdings", options: [named],
      details: [
        "A coin without a price is shown as such and makes the totals incomplete; it never counts as zero."
      ],
      examples: [
        .init("portfolio", "totals and holdings"),
        .init("portfolio --format json", "everything, for a program"),
      ]),
    CommandSpec(
      .portfolioHoldings, "what is held", options: [named],
      examples: [.init("portfolio holdings --format csv", "for a spreadsheet")]),
    CommandSpec(
      .portfolioClosed, "what was sold to the last piece", options: [named],
      examples: [.init("portfolio closed", "with the gain of each")]),
    CommandSpec(
      .portfolioTransactions, "what was recorded",
      options: [OptionSpec(.coin, .text("COIN"), help: "only those of one coin"), named],
      examples: [
        .init("portfolio transactions", "all, with the ids that edit and remove take"),
        .init("portfolio transactions --coin bitcoin", "of one coin"),
      ]),
  ]

  private static let changing = [
    CommandSpec(
      .portfolioAdd, "record a transaction, as buy and sell do", operands: .exactly(["buy|sell", "QUANTITY", "COIN"]),
      options: [price, date, fee, notes, named, dryRun],
      examples: [.init("portfolio add buy 1 ethereum --price 2500", "the same as bitpal buy")]),
    CommandSpec(
      .portfolioEdit, "change a transaction", operands: .one("ID"),
      options: [
        OptionSpec(.amount, .text("QUANTITY"), help: "how many coins"),
        OptionSpec(.price, .text("P"), help: "what one coin cost"), fee, date,
        OptionSpec(.notes, .text("TEXT"), help: "anything worth remembering; - removes them"),
        OptionSpec(.type, .choice(TransactionType.allCases.map(\.rawValue)), help: "which way it went"),
        OptionSpec(.coin, .text("COIN"), help: "another coin"), named, dryRun,
      ],
      details: [
        "ID may be shortened as long as only one begins like it. What would leave a later sale with less than it sells "
          + "is refused."
      ],
      examples: [.init("portfolio edit 3fa29c1b --price 64010.50", "one number corrected")]),
    CommandSpec(
      .portfolioRemove, "remove a transaction", operands: .one("ID"), options: [named, dryRun],
      examples: [.init("portfolio remove 3fa29c1b --dry-run", "what would go")]),
  ]

  private static let exchanging = [
    CommandSpec(
      .portfolioImport, "add the transactions of a CSV file", operands: .one("FILE"), options: [named, dryRun],
      details: [
        "The header names the columns in any order: date, type, coin, amount, price and, if wanted, id, fee, notes. The "
          + "same file twice adds nothing. A file with a fault adds nothing; every fault is told with its line and column. "
          + "A FILE of - is standard input."
      ],
      examples: [
        .init("portfolio import Fixtures/portfolio.csv", "the portfolio of the demo"),
        .init("portfolio import trades.csv --portfolio savings", "into one of its own"),
      ]),
    CommandSpec(
      .portfolioExport, "write all transactions to standard output",
      options: [
        OptionSpec(.format, .choice(ExportCommand.formats), help: "csv by default, or a journal of that program"),
        named,
      ],
      examples: [
        .init("portfolio export > portfolio.csv", "lossless: import reads it back"),
        .init("portfolio export --format hledger > coins.journal", "for plain-text accounting"),
      ]),
    CommandSpec(
      .portfolioBackup, "copy all portfolios and the watchlist to a file", operands: .one("FILE"),
      examples: [.init("portfolio backup bitpal-2025.db", "a whole copy, made between two writes")]),
    CommandSpec(
      .portfolioRestore, "bring a backup back", operands: .one("FILE"),
      details: [
        "What was there before is kept beside it as bitpal.db.before-restore.TIME, which no later restore writes over; "
          + "restoring that brings it back."
      ],
      examples: [.init("portfolio restore bitpal-2025.db", "says where the previous content is")]),
  ]

  private static let size = OptionSpec(
    .size, .choice(WidgetSize.allCases.map(\.rawValue)), help: "value and gain; and 2 holdings; and 5")

  private static let widget = [
    CommandSpec(
      .widgetShow, "draw the snapshot, without asking anybody", options: [size, named],
      details: ["A snapshot is made after every change and each time a portfolio is shown."],
      examples: [
        .init("widget", "value and gain"),
        .init("widget show --size large", "with the five largest holdings"),
      ]),
    CommandSpec(
      .widgetWrite, "make a new snapshot at the latest prices", options: [size, named],
      details: ["It is $XDG_DATA_HOME/bitpal/WidgetData/portfolio.json, replaced by rename."],
      examples: [.init("widget write", "prints where it is")]),
  ]
}
