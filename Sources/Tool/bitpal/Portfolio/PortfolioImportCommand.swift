import BitpalConfig
import BitpalFiles
import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// The `bitpal portfolio import FILE` command, which adds the transactions of a CSV file.
struct PortfolioImportCommand: PortfolioCommand {
  static let name = "portfolio import"
  static let spec = CommandSpec(
    name, "add the transactions of a CSV file", operands: .one("FILE"),
    options: [.named, .create, .dryRun] + ImportRequest.parameters,
    details: [
      "Exports of exchanges and trackers are recognized by their header; \"imports list\" shows the known ones, "
        + "\"imports new\" starts an import file for another. bitpal's own format has the columns date, type, coin, "
        + "amount, price and optionally id, fee, notes, currency, label, group, in any order.",
      "A coin is an alias, a ticker or an id, as in all commands. A file that is imported again adds only new "
        + "transactions. A file with a fault adds nothing; every fault is reported with its line and column. The "
        + "order of a date's parts and a decimal comma are never guessed. The network is used only for --value "
        + "close. The FILE - is standard input.",
    ],
    examples: [
      .init("portfolio import Fixtures/portfolio.csv", "the portfolio of the demo"),
      .init("portfolio import ledgers.csv --dry-run", "what would come of Kraken's ledger"),
      .init("portfolio import rewards.csv --value SOL=95.20 --value skip", "one coin at a price, the others left out"),
      .init("portfolio import trades.csv --portfolio savings --create", "into one of its own"),
    ])

  let portfolio: String?
  let creates: Bool
  private let path: String
  private let isDryRun: Bool
  private let request: ImportRequest

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    path = try arguments.onlyOperand("FILE")
    portfolio = arguments.raw["portfolio"]
    creates = arguments.raw.has("create") || arguments.raw["portfolio"].map { $0 == PortfolioName.main.text } ?? true
    isDryRun = arguments.raw.has("dry-run")
    request = try ImportRequest(
      arguments.raw, values: arguments.raw.values("value"), maps: arguments.raw.values("map"))
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus {
    let session = context.session
    let (message, added, known) = try await record(in: context)
    guard !isDryRun else { return .answered }
    session.confirm(FactView(message, DoneOutput(Self.name, ["imported": added, "known": known])))
    try await context.refreshSnapshot()
    return .answered
  }

  /// Records the transactions, of which nothing stays in memory, and shows the plan of a dry run.
  private func record(in context: PortfolioContext) async throws -> (message: String, added: Int, known: Int) {
    let (session, console) = (context.session, context.session.console)
    let name = path == "-" ? "standard input" : path
    console.working("reading \(name)")
    ProcessMemory.keepLess()
    let bytes = try BoundedFile.input(path, limit: ImportRecognition.largestFile)
    let settings = try session.settings()
    // The zone of the settings is that of tables, so only --tz counts.
    let surroundings = ImportRequest.Surroundings(
      settings, currency: context.fixedCurrency, zone: session.options.timeZone == nil ? nil : settings.timeZone)
    let answer: ImportAnswer
    do {
      answer = try await request.record(
        consume bytes, named: name, in: context.book, surroundings, isDryRun: isDryRun)
    } catch let refusal as ImportRefusal {
      console.faults(refusal.faults.issues)
      throw refusal.failure
    }
    let (content, count) = (answer.content, answer.added.count)
    var message = "\(isDryRun ? "would import" : "imported") \(count) of \(content.rows.count) transactions"
    if answer.known > 0 { message += ", \(answer.known) were there already" }
    tell(content, console)
    for sentence in content.openingSentences(in: context.book) { console.warning(sentence) }
    tell(answer.ownTransfers, console)
    tellRemoved(answer.removedBefore, console)
    if isDryRun {
      let transactions = TransactionsOutput(
        PortfolioLedger.ordered(answer.added.map { $0.transaction.placed(in: context.store.zone) }), of: context.name,
        currency: answer.currency)
      try session.show(
        ImportPlanView(
          message,
          ImportPlanOutput(
            file: name, importID: content.importID, rows: content.sheet?.rows ?? content.rows.count,
            adding: transactions, known: answer.known, skippedRows: content.skippedRows,
            sums: content.sheet?.sums ?? [])))
    }
    return (message, count, answer.known)
  }

  /// Prints which of the added transactions the user had removed, with the first of them.
  private func tellRemoved(_ removed: [Transaction], _ console: Console) {
    guard let first = removed.first else { return }
    let count = removed.count
    console.warning(
      "\(first.shortID)\(count > 1 ? " and \(count - 1) more" : "") had been removed, and the file brings \(count > 1 ? "them" : "it") back; "
        + "\"bitpal portfolio remove \(first.shortID)\" removes it again")
  }

  /// Prints which transfers are probably between accounts of the user, with the first of them.
  private func tell(_ transfers: [OwnTransfer], _ console: Console) {
    guard let first = transfers.first else { return }
    let (sent, received) = (first.sent.shortID, first.received.shortID)
    let lost = first.sent.amount - first.received.amount
    let change = lost > 0 ? "edit \(sent) --amount \(lost.plainText) --label fee" : "remove \(sent)"
    console.warning(
      "\(received) is probably what \(sent) sent (\(first.received.amount.plainText) \(first.received.coinId.printable(limit: 40)))"
        + (transfers.count > 1 ? ", and \(transfers.count - 1) more came in so" : "")
        + "; its cost and its date are not those of before. Where both accounts are yours, \"bitpal portfolio \(change)\" and "
        + "\"bitpal portfolio remove \(received)\" keep them, and an import with --skip-own-transfers leaves out those of one file"
    )
  }

  /// Prints what was left out, and what was decided about dates and tickers.
  private func tell(_ content: ImportContent, _ console: Console) {
    if let encoding = content.encoding {
      console.notice("it is not UTF-8 and is read as \(encoding); --encoding NAME reads it as another")
    }
    for left in content.skippedRows { console.notice("skipped: \(left.reason) (\(left.rows))") }
    guard let sheet = content.sheet else { return }
    for sentence in sheet.unread {
      console.warning("\(sentence); an import of your own can: \"bitpal imports new\" writes its outline")
    }
    if let order = sheet.foundOrder {
      console.notice("its dates can only be \(order.description) (--dates \(order.rawValue))")
    }
    if sheet.isReadAsUTC {
      console.notice("its times have no zone and are read as UTC; --tz ZONE reads them in another")
    }
    for time in sheet.unclearTimes { console.notice(time) }
    for sentence in sheet.unreturned { console.warning(sentence) }
    for former in sheet.formerTickers {
      console.notice("\(former.printable()) at the time of its rows; --map says otherwise")
    }
  }
}

/// The transactions that an import would add.
struct ImportPlanView: View {
  let output: ImportPlanOutput
  private let message: String

  /// The largest number of rows in the table; a file may have a hundred thousand.
  private static let mostShown = 100

  init(_ message: String, _ output: ImportPlanOutput) {
    self.message = message
    self.output = output
  }

  func table(style: Style) -> String {
    let transactions = output.transactions.transactions
    let more = transactions.count - Self.mostShown
    let shown = TransactionsOutput(
      Array(transactions.prefix(Self.mostShown)), of: output.transactions.portfolio,
      currency: output.transactions.currency)
    return TransactionsView(shown).table(style: style)
      + (more > 0 ? "and \(more) more; --format json or csv has them all\n" : "") + proof + message.printable() + "\n"
  }
}

extension ImportPlanView {
  /// A line with the change of each coin and currency that was proven; empty when there is none.
  private var proof: String {
    let sums = output.sums.map { "\($0.unit.printable(limit: 20)) \($0.stated > 0 ? "+" : "")\($0.stated.plainText)" }
    return sums.isEmpty ? "" : "the file and the import come to the same: \(sums.joined(separator: ", "))\n"
  }
}
