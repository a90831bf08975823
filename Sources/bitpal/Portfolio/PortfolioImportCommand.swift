import BitpalConfig
import BitpalFiles
import BitpalImport
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalService
import FoundationEssentials

/// The `bitpal portfolio import FILE` command, which adds the transactions of a CSV file.
struct PortfolioImportCommand: PortfolioCommand {
  static let name = "portfolio import"
  static let spec = CommandSpec(
    name, "add the transactions of a CSV file", operands: .one("FILE"),
    options: [
      .named, .create, .dryRun,
      OptionSpec(.asImport, .text("ID"), help: "import to read it with (found by its header; see imports list)"),
      OptionSpec(
        .dates, .choice(DateOrder.allCases.map(\.rawValue)), help: "order of day, month and year in its dates"),
      OptionSpec(.decimal, .choice(DecimalMark.allCases.map(\.rawValue)), help: "decimal mark"),
      OptionSpec(.map, .text("TICKER=ID"), help: "coin of a ticker in the file; repeatable"),
      OptionSpec(
        .value, .text("VALUE"),
        help:
          "what transactions were worth whose value it does not state: close, zero, skip, PRICE of one, or COIN=PRICE; may be "
          + "given again"),
      OptionSpec(.acceptPrices, help: "accept prices that are far from others of the same coin in the file"),
    ],
    details: [
      "Exports of exchanges and trackers are known by their header; \"imports list\" says which, \"imports new\" begins another. Our own "
        + "has the columns date, type, coin, amount, price and, if wanted, id, fee, notes, currency, label, group, in any order.",
      "A coin is named as everywhere: alias, ticker or id. The same file twice adds nothing, a longer one what is new. A file with a "
        + "fault adds nothing; every fault is reported with its line and column. The order of a date's parts and a decimal comma are never "
        + "guessed. No network is needed, but for --value close. A FILE of - is standard input.",
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
  private let asID: String?
  private let dates: DateOrder?
  private let decimal: DecimalMark?
  private let values: StatedValues
  private let acceptsPrices: Bool

  /// The ids that `--map` states, by the ticker in capitals.
  private let map: [String: String]

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    path = try arguments.onlyOperand("FILE")
    portfolio = arguments.raw.value(.portfolio)
    creates = arguments.raw.has(.create)
    isDryRun = arguments.raw.has(.dryRun)
    asID = arguments.raw.value(.asImport)
    dates = arguments.raw.value(.dates).flatMap(DateOrder.init)
    decimal = arguments.raw.value(.decimal).flatMap(DecimalMark.init)
    acceptsPrices = arguments.raw.has(.acceptPrices)
    values = try StatedValues(arguments.raw.values(.value))
    var map: [String: String] = [:]
    for text in arguments.raw.values(.map) {
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let ticker = parts.first, let id = parts.last else {
        throw .usage(
          "--map takes a ticker and the id of its coin, like UNI=uniswap, not \"\(text.printable(limit: 60))\"")
      }
      map[ticker.uppercased()] = String(id)
    }
    self.map = map
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus {
    let name = path == "-" ? "standard input" : path
    context.session.console.working("reading \(name)")
    let bytes = try BoundedFile.input(path, limit: ImportRecognition.largestFile)
    let source = try await source(bytes, name, context)
    let currency = source.rows.lazy.compactMap(\.currency).first ?? context.currency
    let result: (added: [Transaction], known: Int)
    do {
      result = try context.store.add(source.rows, currency: currency, now: context.now, isDryRun: isDryRun)
    } catch let error as PortfolioError {
      let faults = try bookingFaults(source, name, context)
      throw faults.issues.isEmpty ? error : refusal(faults, name, context)
    }
    let count = result.added.count
    var message = "\(isDryRun ? "would import" : "imported") \(count) of \(source.rows.count) transactions"
    if result.known > 0 { message += ", \(result.known) were there already" }
    for left in source.skippedRows { context.session.console.notice("left out: \(left.reason) (\(left.rows))") }
    if let order = source.foundOrder {
      context.session.console.notice("its dates can only be \(order.description) (--dates \(order.rawValue))")
    }
    if let sheet = source.sheet {
      if sheet.isReadAsUTC {
        context.session.console.notice("its times have no zone and are read as UTC; --tz ZONE reads them in another")
      }
      for former in sheet.formerTickers {
        context.session.console.notice("\(former.printable()) at the time of its rows; --map says otherwise")
      }
    }
    if isDryRun {
      let transactions = TransactionsOutput(
        PortfolioLedger.ordered(result.added), of: context.name, currency: currency)
      try context.session.show(
        ImportPlanView(
          message,
          ImportPlanOutput(
            file: name, importID: source.id, rows: source.count, adding: transactions, known: result.known,
            skippedRows: source.skippedRows, sums: source.sheet?.sums ?? [])))
      return .answered
    }
    context.session.confirm(FactView(message, DoneOutput(Self.name, ["imported": count, "known": result.known])))
    try await context.refreshSnapshot()
    return .answered
  }

  /// The content of a file after reading.
  private struct Source {
    /// The id of the import that read it.
    let id: String

    /// The transactions of the file.
    let rows: [ImportedTransaction]
    let count: Int

    /// The sheet of a file that bitpal did not write; nil for one of its own.
    var sheet: ImportedSheet?

    var skipped = 0

    var skippedRows: [SkippedRow] {
      (sheet?.skippedRows ?? []) + (skipped > 0 ? [SkippedRow(reason: "without a value", rows: skipped)] : [])
    }
    var foundOrder: DateOrder? { sheet?.foundOrder }
  }

  private func source(_ bytes: [UInt8], _ name: String, _ context: PortfolioContext) async throws -> Source {
    switch try recognition(of: bytes, name, context) {
    case .own: return try await own(bytes, name, context)
    case .known(let specification, let file): return try await foreign(file, specification, name, context)
    }
  }

  private func recognition(
    of bytes: [UInt8], _ name: String, _ context: PortfolioContext
  ) throws -> ImportRecognition {
    if asID == ImportRecognition.ownID { return .own }
    let catalog = ImportCatalog(settings: try context.session.settings())
    if let asID {
      return try ImportRecognition(bytes, name: name, among: [try catalog.specification(for: asID)], isOwnKnown: false)
    }
    let listings = catalog.list()
    for case .failure(let problem) in listings.map(\.outcome) {
      context.session.console.warning("an import file is passed over: \(problem)")
    }
    return try ImportRecognition(bytes, name: name, among: listings.compactMap { try? $0.outcome.get() })
  }

  /// Prints every fault of the file, and returns the error that nothing was imported.
  private func refusal(_ faults: CSVFaults, _ name: String, _ context: PortfolioContext) -> BitpalError {
    context.session.console.faults(faults.issues)
    let more = faults.count - faults.issues.count
    return .dataFile(
      path: name,
      reason: "\(faults.count) \(faults.count == 1 ? "fault" : "faults")"
        + (more > 0 ? ", \(more) of them not shown" : "")
        + "; nothing was imported")
  }

  /// Returns the zone of `--tz`; nil without it, because the zone of the settings is that of tables.
  private func zone(_ context: PortfolioContext) throws -> ClockZone? {
    context.session.options.timeZone == nil ? nil : try context.session.settings().timeZone
  }

  // MARK: Files of others

  private func foreign(
    _ file: RecognizedFile, _ specification: ImportSpecification, _ name: String, _ context: PortfolioContext
  ) async throws -> Source {
    var options = ImportOptions(
      currency: context.fixedCurrency, now: context.now, dates: dates, decimal: decimal, value: values.rule,
      coins: Set(map.keys).union(try context.session.settings().aliases.keys.map { $0.uppercased() }))
    options.zone = try zone(context)
    options.prices = values.prices
    options.price = values.price
    options.acceptsPrices = acceptsPrices
    let sheet = try ImportReader(specification).read(file, name: name, options: options)
    let names = ImportedNames(context: context, map: map)
    let (ids, unknown) = try await names.resolve(sheet.coins)
    let currency = sheet.currency ?? context.currency
    let closes = try await closes(sheet.closesNeeded(ids), currency, context)
    let known = try await self.closes(sheet.pricedDays(ids), currency, context, isOffline: true).prices
    let rows: [ImportedTransaction]
    do throws(CSVFaults) {
      rows = try sheet.transactions(ids: ids, unknown: unknown, reasons: closes.reasons) { coin, date in
        closes.prices[coin]?[date.startOfDay]
      } known: { coin, date in
        known[coin]?[date.startOfDay]
      }
    } catch {
      throw refusal(error, name, context)
    }
    return Source(id: sheet.importID, rows: rows, count: sheet.rows, sheet: sheet, skipped: sheet.skipped(ids))
  }

  /// Returns the closes of coins by day, with one query per coin, and the reasons for missing days.
  ///
  /// Days that the first source lacks are looked up in files of prices. Offline, a failure is not reported.
  private func closes(
    _ needed: [(coin: String, days: ClosedRange<Date>)], _ currency: String, _ context: PortfolioContext,
    isOffline: Bool = false
  ) async throws -> (prices: [String: [Date: Decimal]], reasons: [String: String]) {
    var prices: [String: [Date: Decimal]] = [:]
    var reasons: [String: String] = [:]
    let newest = context.now.startOfDay.adding(.seconds(-86_400))
    for (coin, days) in needed {
      let last = min(days.upperBound, newest)
      guard days.lowerBound.startOfDay <= last else { continue }
      let own = await context.service.standingPrices(coin, from: days.lowerBound, to: last, currency: currency)
      do {
        let answer = try await context.service.history(
          context.service.name(ofID: coin), from: days.lowerBound, to: last, currency: currency, reach: .asFarAsItGoes,
          policy: isOffline ? .offline : context.session.options.policy)
        if !isOffline { context.session.console.warn(about: [answer]) { _ in coin } }
        prices[coin] = Dictionary(answer.value.map { ($0.day, $0.price) }) { first, _ in first }
        if let first = answer.value.first?.day, first > days.lowerBound.startOfDay {
          reasons[coin] =
            "the closes of \(answer.source) begin on \(first.dayText); another provider or a kind: file may have older ones"
        }
      } catch let error as BitpalError {
        // The rows that need a close are reported one by one; this is the reason for all of them.
        if own.isEmpty, !isOffline { context.session.console.failure(error, subject: coin) }
      }
      prices[coin, default: [:]].merge(own) { first, _ in first }
    }
    return (prices, reasons)
  }

  /// Returns the faults of every coin whose transactions cannot be booked, each with the first row that shows it.
  private func bookingFaults(_ source: Source, _ name: String, _ context: PortfolioContext) throws -> CSVFaults {
    var issues: [ConfigurationIssue] = []
    let recorded = try context.store.transactions()
    let before = Dictionary(grouping: recorded, by: \.coinId)
    let new = TransactionStore.new(source.rows, beside: recorded, Set(recorded.map(\.id)))
    for (coin, added) in Dictionary(grouping: new, by: \.transaction.coinId).sorted(by: { $0.key < $1.key }) {
      let all = PortfolioLedger.ordered((before[coin] ?? []) + added.map(\.transaction))
      guard let (error, transaction) = Self.firstFault(of: all) else { continue }
      var message = error.message
      if case .insufficientBalance(_, let owned, let attempted, let date, _) = error {
        message +=
          "; what was there before the file begins is recorded first: bitpal receive \((attempted - owned).plainText) "
          + "\(context.service.name(ofID: coin)) --price PRICE --date \(min(all[0].date, date).adding(.seconds(-86_400)).dayText)"
      }
      let line = added.first { $0.transaction.id == transaction.id }?.line
      issues.append(
        line.flatMap { source.sheet?.issue(message, line: $0, near: transaction.amount.plainText) }
          ?? ConfigurationIssue(file: name, line: line, message: message))
    }
    return CSVFaults(issues: issues.sorted { ($0.line ?? 0) < ($1.line ?? 0) })
  }

  /// Returns the reason why transactions cannot be booked, and the first one that fails; nil when all can be booked.
  ///
  /// It is found by bisection, because every attempt books the transactions from the start.
  private static func firstFault(of transactions: [Transaction]) -> (PortfolioError, Transaction)? {
    func error(_ count: Int) -> PortfolioError? {
      do throws(PortfolioError) {
        _ = try PortfolioLedger.held(Array(transactions.prefix(count)))
        return nil
      } catch {
        return error
      }
    }
    guard var found = error(transactions.count) else { return nil }
    var (good, bad) = (0, transactions.count)
    while bad - good > 1 {
      let middle = (good + bad) / 2
      if let earlier = error(middle) { (bad, found) = (middle, earlier) } else { good = middle }
    }
    return (found, transactions[bad - 1])
  }

  // MARK: Files of our own

  private func own(_ bytes: [UInt8], _ name: String, _ context: PortfolioContext) async throws -> Source {
    var rows: [ImportedTransaction]
    let zone = try zone(context) ?? .utc
    do throws(CSVFaults) {
      rows = try TransactionCSV.transactions(
        bytes, file: name, now: context.now, currency: context.fixedCurrency, dates: dates, decimal: decimal,
        zone: zone)
    } catch {
      throw refusal(error, name, context)
    }
    let held = Set(try context.store.transactions().map(\.coinId))
    var names: [String: String] = [:]
    var issues: [ConfigurationIssue] = []
    // A coin of the portfolio is named by its id, and so is a coin in a row that bitpal wrote.
    var seen = held
    for row in rows where !row.hasOwnID && seen.insert(row.transaction.coinId).inserted {
      let coin = row.transaction.coinId
      do {
        let meant = map[coin.uppercased()] ?? coin
        names[coin] = try await context.service.resolve(meant, policy: context.session.options.policy)
      } catch let error as BitpalError {
        issues.append(ConfigurationIssue(file: name, line: row.line, message: error.description))
      }
    }
    guard issues.isEmpty else { throw refusal(CSVFaults(issues: issues), name, context) }
    // The identity of a row depends on its coin, and so does the test for a row that is already stored.
    if names.contains(where: { $0.key != $0.value }) { rows = try ImportedTransaction.renaming(rows, names) }
    let written = rows.filter { !$0.hasOwnID }
    try await checkCoins(Set(written.map(\.transaction.coinId)).subtracting(held), written, name, context)
    return Source(id: ImportRecognition.ownID, rows: rows, count: rows.count)
  }

  /// Throws for a coin that has neither an entry in a coin list nor a price; without a list the file is believed.
  ///
  /// - Parameters:
  ///   - new: The coins that the portfolio does not have.
  ///   - rows: The rows that bitpal did not write; a row that it wrote has the id of a coin that could be recorded.
  /// - Throws: `BitpalError.dataFile` with the line of the first such coin.
  private func checkCoins(
    _ new: Set<String>, _ rows: [ImportedTransaction], _ name: String, _ context: PortfolioContext
  ) async throws {
    let policy = context.session.options.policy
    guard !new.isEmpty, let unlisted = await context.service.unlisted(new.sorted(), policy: policy) else { return }
    var unknown = new.intersection(unlisted)
    if !unknown.isEmpty {
      let names = unknown.sorted().map { context.service.name(ofID: $0) }
      let answer = try await context.service.existing(names, currency: context.currency, policy: policy)
      unknown.formIntersection(answer.failures.map(\.coin))
    }
    guard let row = rows.first(where: { unknown.contains($0.transaction.coinId) }) else { return }
    let coin = row.transaction.coinId
    let suggestion = (try? await context.service.resolve(coin, policy: policy)) ?? context.service.nearestCoin(to: coin)
    let hint = suggestion.map { " (did you mean \"\($0)\"?)" } ?? ""
    throw BitpalError.dataFile(
      path: "\(name):\(row.line)", reason: "\"\(coin)\" is not the id of a coin\(hint); nothing was imported")
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

/// The values that `--value` states for transactions without one.
struct StatedValues {
  /// The rule for coins without a price in ``prices``.
  private(set) var rule: MissingValuePolicy?

  /// The price of one unit of any coin.
  private(set) var price: Decimal?

  /// The price of one unit, by the coin in capitals.
  private(set) var prices: [String: Decimal] = [:]

  /// - Throws: `BitpalError.usage` for a text that is not a value, and for two values for the same coins.
  init(_ texts: [String]) throws(BitpalError) {
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, !parts[0].isEmpty {
        prices[parts[0].uppercased()] = try Self.price(String(parts[1]), text)
        continue
      }
      guard rule == nil, price == nil else {
        throw .usage("--value says twice what other coins were worth", hint: "give one of close, zero, skip and PRICE")
      }
      if let word = MissingValuePolicy(rawValue: text) { rule = word } else { price = try Self.price(text, text) }
    }
  }

  private static func price(_ text: String, _ whole: String) throws(BitpalError) -> Decimal {
    guard let price = try? Decimal(strict: text), price >= 0 else {
      throw .usage(
        "--value: \"\(whole.printable(limit: 60))\" is not close, zero, skip, a PRICE or COIN=PRICE",
        hint: "write it like --value 95.20 or --value SOL=95.20")
    }
    return price
  }
}
