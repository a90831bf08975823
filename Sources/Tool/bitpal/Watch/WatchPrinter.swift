import Bitpal
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// A printer of updates without a screen: a table, a line of JSON, or rows of CSV for each update.
struct WatchPrinter {
  private let console: Console
  private let format: OutputFormat
  private let currency: String
  private let providers: [ProviderDescriptor]
  private let portfolio: ((QuotesAnswer) throws -> PortfolioView)?
  private let sparklines: ([String]) -> Sparklines?
  private var updates = 0
  private var reported: Set<String> = []

  /// Creates a watch printer.
  ///
  /// - Parameter sparklines: A function for the sparklines of coins; it returns nil without `--spark`.
  init(
    _ console: Console, _ format: OutputFormat, currency: String, providers: [ProviderDescriptor],
    sparklines: @escaping ([String]) -> Sparklines?,
    portfolio: ((QuotesAnswer) throws -> PortfolioView)?
  ) {
    self.portfolio = portfolio
    self.sparklines = sparklines
    self.console = console
    self.format = format
    self.currency = currency
    self.providers = providers
  }

  /// Prints one update.
  ///
  /// - Throws: ``BitpalError/dataFile(path:reason:)`` when standard output cannot be written; the errors of a portfolio.
  mutating func show(_ model: WatchModel, now: Date) throws {
    let quotes = model.shown(at: now)
    let answer = QuotesAnswer(quotes: quotes, failures: model.refused + model.missing)
    if let portfolio {
      try show(try portfolio(answer))
    } else {
      let order = model.order == .marketCap ? model.order : nil
      let hasFigures = format != .table || PricesView.hasFigures(order, console.style)
      try show(
        PricesView(
          answer, order: order, isReversed: order != nil && model.isReversed,
          figures: hasFigures ? model.figures(quotes) : [:], providers: providers, currency: currency,
          sparklines: sparklines(quotes.map(\.value.id))))
    }
    console.warn(about: quotes) { $0.id }
    // A lasting failure is reported once, any other at each update.
    for failure in model.refused where reported.insert(failure.coin).inserted {
      console.failure(failure.error, subject: failure.coin)
    }
    for failure in model.missing where !quotes.contains(where: { $0.value.id == failure.coin }) {
      console.failure(failure.error, subject: failure.coin)
    }
  }

  private mutating func show(_ view: some View) throws(BitpalError) {
    switch format {
    case .table:
      let table = view.table(style: console.style)
      if !table.isEmpty {
        try console.answer((updates == 0 ? "" : "\n") + (console.wantsASCII ? table.inASCII : table))
      }
    case .json, .jsonl:
      try console.answer(view.output.jsonLine)
    case .csv:
      let lines = CSVText.lines(columns: view.output.columns, rows: view.output.rows)
      try console.answer((updates == 0 ? CSVText.header(view.output.columns) : "") + lines)
    }
    updates += 1
  }
}
