import Bitpal
package import BitpalConfig
package import BitpalModel
import BitpalPortfolio
import FoundationEssentials

/// An import of a CSV file into a portfolio: how the file is read, which coins it means and what they were worth.
package struct ImportRequest: Sendable {
  /// The parameters that may be given more than once are read by the interface.
  package static let parameters = [
    ParameterSpec("as", .text("ID"), "import to read it with (found by its header; see imports list)"),
    ParameterSpec("dates", .choice(DateOrder.allCases.map(\.rawValue)), "order of day, month and year in its dates"),
    ParameterSpec("decimal", .choice(DecimalMark.allCases.map(\.rawValue)), "decimal mark"),
    ParameterSpec("map", .text("TICKER=ID"), "coin of a ticker in the file; repeatable"),
    ParameterSpec(
      "value", .text("VALUE"),
      "what transactions were worth whose value it does not state: close, zero, skip, PRICE of one, or COIN=PRICE; may be "
        + "given again"),
    ParameterSpec("accept-prices", .flag, "accept prices that are far from others of the same coin in the file"),
    ParameterSpec(
      "same-minute", .choice(SameMinute.allCases.map(\.rawValue)),
      "transactions that are recorded in the same minute with other seconds, or on the same day with or without a time: skip or "
        + "add them; add is also for those that another file seems to have in another zone"),
    ParameterSpec(
      "skip-own-transfers", .flag,
      "leave out coins that were sent and received again within three days, as between your accounts, so that their cost and date stay"
    ),
    ParameterSpec("encoding", .text("NAME"), "character set of a file that is not UTF-8, such as windows-1250"),
  ]

  /// The instant, the coins and the currency that the settings and the portfolio lay down.
  package struct Surroundings: Sendable {
    let settings: Settings

    /// The currency that the file must have; nil when it may choose.
    let currency: String?

    /// The zone of times without an offset; nil when none was asked for.
    let zone: ClockZone?

    package init(_ settings: Settings, currency: String?, zone: ClockZone?) {
      self.settings = settings
      self.currency = currency
      self.zone = zone
    }
  }

  private let asID: String?
  private let dates: DateOrder?
  private let decimal: DecimalMark?
  private let values: StatedValues
  private let acceptsPrices: Bool
  private let sameMinute: SameMinute?
  private let skipsOwnTransfers: Bool
  private let encoding: String?
  private let notation: ParameterNotation

  /// The ids that the user states, by the ticker in capitals.
  private let map: [String: String]

  /// Reads the parameters.
  ///
  /// - Parameters:
  ///   - values: The values of `value`, in order.
  ///   - maps: The values of `map`, in order.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a value or a mapping that cannot be read.
  package init(_ parameters: some Parameters, values: [String], maps: [String]) throws(BitpalError) {
    asID = parameters["as"]
    dates = parameters["dates"].flatMap(DateOrder.init)
    decimal = parameters["decimal"].flatMap(DecimalMark.init)
    acceptsPrices = try parameters.flag("accept-prices")
    sameMinute = parameters["same-minute"].flatMap(SameMinute.init)
    skipsOwnTransfers = try parameters.flag("skip-own-transfers")
    encoding = parameters["encoding"]?.lowercased()
    notation = parameters.notation
    if let encoding, !ImportRecognition.canRead(encoding) {
      throw .usage(
        "\(parameters.notation("encoding")): \"\(encoding.printable(limit: 60))\" is not a character set that is read",
        hint: "write it like windows-1252, iso-8859-2 or utf-16le")
    }
    self.values = try StatedValues(values, parameters.notation)
    var map: [String: String] = [:]
    for text in maps {
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let ticker = parts.first, let id = parts.last else {
        throw .usage(
          "\(parameters.notation("map")) takes a ticker and the id of its coin, like UNI=uniswap, not "
            + "\"\(text.printable(limit: 60))\"")
      }
      guard map.updateValue(String(id), forKey: ticker.uppercased()).map({ $0 == id }) ?? true else {
        throw .usage(
          "\(parameters.notation("map")) says twice which coin \(ticker.prefix(60)) is", hint: "give one of both")
      }
    }
    self.map = map
  }

  /// Reads a file and adds its transactions to a portfolio.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: The name of the file, for messages.
  ///   - isDryRun: Whether everything is checked and nothing stored.
  /// - Throws: ``ImportRefusal`` for a file with faults, of which nothing is imported; `BitpalError` for a file that is
  ///   not recognized and for settings that cannot be read; `PortfolioError` for another currency.
  package func record(
    _ bytes: consuming [UInt8], named name: String, in book: PortfolioBook, _ surroundings: Surroundings, isDryRun: Bool
  ) async throws -> ImportAnswer {
    let (bytes, apparent) = try ImportRecognition.text(of: bytes, name: name, encoding: encoding)
    var content: ImportContent
    switch try recognition(of: bytes, name, book, surroundings.settings) {
    case .own: content = try await own(try ownRows(bytes, name, book, surroundings), name, book)
    case .known(let specification, let file):
      content = try await foreign(file, specification, name, book, surroundings)
    }
    content.encoding = apparent
    let currency = content.rows.lazy.compactMap(\.currency).first ?? book.currency
    if sameMinute != .add,
      let shifted = try ShiftedImport(content.rows, stored: { try book.store.transactions(of: $0) })
    {
      throw BitpalError.dataFile(path: name, reason: shifted.reason(add: notation(["same-minute": "add"])))
    }
    let recorded = try book.store.transactions()
    try refuseOtherCoin(content, name, recorded)
    try refuseOtherOrder(content, name, recorded)
    let (rows, skipped) = try withoutTwins(content, name, recorded, surroundings.zone ?? .utc, book)
    func add(_ rows: [ImportedTransaction]) throws -> (added: [ImportedTransaction], known: Int) {
      try book.store.add(rows, currency: currency, now: book.now, isDryRun: isDryRun)
    }
    do {
      let result: (added: [ImportedTransaction], known: Int)
      do {
        result = try add(rows)
      } catch is PortfolioError where content.sheet == nil {
        // The rows of one day may stand in any order; what came in goes first, as in the files of others.
        let going = rows.filter { !$0.transaction.type.isIncoming }
        result = try add(rows.filter(\.transaction.type.isIncoming) + going)
      }
      return ImportAnswer(
        added: result.added, known: result.known + skipped, currency: currency, content: content,
        ownTransfers: try ownTransfers(result.added, book, isDryRun: isDryRun),
        removedBefore: try book.store.removed(among: result.added))
    } catch let error as PortfolioError {
      let faults = try content.bookingFaults(in: book, name)
      throw faults.issues.isEmpty ? error : ImportRefusal(faults, file: name)
    }
  }

  /// Throws where the transactions of a coin are recorded under another one, as after an import with another `map`.
  private func refuseOtherCoin(_ content: ImportContent, _ name: String, _ recorded: [Transaction]) throws {
    guard sameMinute != .add, content.sheet != nil,
      let found = ShiftedImport.otherCoin(of: content.rows, in: recorded)
    else { return }
    let ticker = WellKnownCoins.coin(ofID: found.coin)?.symbol.uppercased() ?? "TICKER"
    let rows =
      found.count == 1 ? "1 transaction of \(found.coin) is" : "\(found.count) transactions of \(found.coin) are"
    throw BitpalError.dataFile(
      path: name,
      reason:
        "\(rows) there already as \(found.other), at the same times; \(notation(["map": "\(ticker)=\(found.other)"])) if it is that "
        + "coin, \"bitpal portfolio undo\" takes that import back, \(notation(["same-minute": "add"])) records these too if they are "
        + "others; nothing was imported")
  }

  /// Throws where an order is recorded with another amount, or where its fills are and come to another.
  private func refuseOtherOrder(_ content: ImportContent, _ name: String, _ recorded: [Transaction]) throws {
    guard sameMinute != .add, let (row, other) = ImportedOrder.contradiction(of: content.rows, in: recorded) else {
      return
    }
    throw BitpalError.dataFile(
      path: "\(name):\(row.line)",
      reason:
        "\(other.shortID) is of the same order, and what is recorded of it comes to another amount; \"bitpal portfolio remove "
        + "\(other.shortID)\" if the file has all of it, or take the row out of the file if what is recorded is all; nothing was imported"
    )
  }

  /// Returns the probable transfers between accounts of the user, of which one side was added.
  private func ownTransfers(
    _ added: [ImportedTransaction], _ book: PortfolioBook, isDryRun: Bool
  ) throws -> [OwnTransfer] {
    guard added.contains(where: { $0.transaction.label == .transfer }) else { return [] }
    let new = added.map(\.transaction)
    let all = try book.store.transactions() + (isDryRun ? new : [])
    return OwnTransfer.pairs(in: all, new: Set(new.map(\.id)))
  }

  /// Returns the rows to be recorded, and the number of those that are left out because they are recorded in the same
  /// minute, or on the day; see ``/BitpalPortfolio/CutTimes``.
  ///
  /// - Throws: ``ImportRefusal`` with each such row where the user has not stated what they are.
  private func withoutTwins(
    _ content: ImportContent, _ name: String, _ recorded: [Transaction], _ zone: ClockZone, _ book: PortfolioBook
  ) throws -> (rows: [ImportedTransaction], skipped: Int) {
    let corrected = corrected(content, recorded)
    if sameMinute == nil { try report(corrected, content, name, book) }
    let (skip, add) = (notation(["same-minute": "skip"]), notation(["same-minute": "add"]))
    if sameMinute == .add {
      var (rows, ids) = (content.rows, Set(recorded.map(\.id)))
      let others = Set(corrected.map(\.row.transaction.id))
      for index in rows.indices where others.contains(rows[index].transaction.id) { rows[index].renumber(beside: &ids) }
      return (rows, 0)
    }
    let twins = CutTimes.twins(of: content.rows, in: recorded, zone: zone)
    if twins.isEmpty { return (content.rows, 0) }
    guard sameMinute == .skip else {
      let issues = twins.prefix(CSVFaults.mostTold).map { twin in
        let (stored, row) = (twin.stored, twin.row.transaction)
        let reason =
          CutTimes.isDay(stored) || CutTimes.isDay(row)
          ? "one of the two has its day alone"
          : CutTimes.hasOtherDigits(stored, row)
            ? "one of the two may have fewer digits of its amount, \(stored.amount.plainText) and \(row.amount.plainText)"
            : "one of the two files may have its times cut to the minute"
        return content.issue(
          "\(stored.shortID) is the same \(CutTimes.isDay(stored) ? "on \(stored.date.dayText)" : "at \(stored.date.utcText)"): "
            + "\(reason); \(skip) if such rows are the same, \(add) if not",
          at: twin.row, name)
      }
      throw ImportRefusal(CSVFaults(issues: Array(issues), count: twins.count), file: name)
    }
    let left = Set(twins.map { $0.row.transaction.id })
    return (content.rows.filter { !left.contains($0.transaction.id) }, twins.count)
  }

  /// Warns of rows that say something else than what is recorded in their place, in a file of another program.
  ///
  /// - Throws: ``ImportRefusal`` with each of them in a file of our own, of which every row is meant.
  private func report(
    _ corrected: [(recorded: Transaction, row: ImportedTransaction)], _ content: ImportContent, _ name: String,
    _ book: PortfolioBook
  ) throws {
    guard let (other, row) = corrected.first else { return }
    let (skip, add) = (notation(["same-minute": "skip"]), notation(["same-minute": "add"]))
    guard content.sheet == nil else {
      let more = corrected.count > 1 ? " and \(corrected.count - 1) more" : ""
      return book.remark(
        .warning(
          "line \(row.line)\(more): \(other.shortID) is recorded \(Self.difference(other, row.transaction)), and counts as the "
            + "same trade; \(add) records it as another one"))
    }
    let issues = corrected.prefix(CSVFaults.mostTold).map { other, row in
      content.issue(
        "\(other.shortID) is recorded \(Self.difference(other, row.transaction)); \(skip) keeps what is recorded, \(add) records "
          + "the row as another transaction, and \"bitpal portfolio edit \(other.shortID)\" corrects it",
        at: row, name)
    }
    throw ImportRefusal(CSVFaults(issues: Array(issues), count: corrected.count), file: name)
  }

  /// Returns the rows that say something else than what is recorded in their place.
  ///
  /// In a file of our own that is what has their ids. In one of another program it is a trade of the same coin, amount and
  /// second, in whatever order the file has several; what else came or went has a value that is often an estimate.
  private func corrected(
    _ content: ImportContent, _ recorded: [Transaction]
  ) -> [(recorded: Transaction, row: ImportedTransaction)] {
    guard !recorded.isEmpty else { return [] }
    if content.sheet == nil {
      let known = Dictionary(recorded.map { ($0.id, $0) }) { first, _ in first }
      return content.rows.compactMap { row in
        known[row.transaction.id].flatMap { row.contradicts($0) ? ($0, row) : nil }
      }
    }
    func isTrade(_ transaction: Transaction) -> Bool { transaction.type.isForMoney && transaction.label == nil }
    let rows = content.rows.filter { isTrade($0.transaction) }.map { (row: $0, identity: $0.transaction.identity) }
    var open: [TransactionIdentity: [Transaction]] = [:]
    for (_, identity) in rows { open[identity] = [] }
    for transaction in recorded where isTrade(transaction) { open[transaction.identity]?.append(transaction) }
    let others = rows.filter { row, identity in
      guard let same = open[identity]?.firstIndex(where: { !row.contradicts($0) }) else { return true }
      open[identity]?.remove(at: same)
      return false
    }
    return others.compactMap { row, identity in open[identity]?.popLast().map { ($0, row) } }
  }

  private static func difference(_ recorded: Transaction, _ row: Transaction) -> String {
    if recorded.amount != row.amount { return "with \(recorded.amount.plainText) coins, not \(row.amount.plainText)" }
    if recorded.pricePerCoin != row.pricePerCoin {
      let (old, new) = (recorded.pricePerCoin?.plainText ?? "none", row.pricePerCoin?.plainText ?? "none")
      return "at the price \(old), not \(new)"
    }
    if recorded.fee != row.fee { return "with the fee \(recorded.fee.plainText), not \(row.fee.plainText)" }
    if recorded.date != row.date { return "at \(recorded.date.utcText), not \(row.date.utcText)" }
    return "with other notes, another label, coin or type"
  }

  private func recognition(
    of bytes: [UInt8], _ name: String, _ book: PortfolioBook, _ settings: Settings
  ) throws -> ImportRecognition {
    if asID == ImportRecognition.ownID { return .own }
    let catalog = ImportCatalog(settings: settings)
    if let asID {
      return try ImportRecognition(
        text: bytes, name: name, among: [try catalog.specification(for: asID)], isOwnKnown: false)
    }
    let listings = catalog.list()
    for case .failure(let problem) in listings.map(\.outcome) {
      book.remark(.warning("an import file is ignored: \(problem)"))
    }
    return try ImportRecognition(text: bytes, name: name, among: listings.compactMap { try? $0.outcome.get() })
  }

  // MARK: Files of others

  private func foreign(
    _ file: RecognizedFile, _ specification: ImportSpecification, _ name: String, _ book: PortfolioBook,
    _ surroundings: Surroundings
  ) async throws -> ImportContent {
    let aliases = surroundings.settings.aliases
    var options = ImportOptions(
      currency: surroundings.currency, now: book.now, dates: dates, decimal: decimal, value: values.rule,
      coins: Set(map.keys).union(aliases.keys.map { $0.uppercased() }))
    options.meansMoney(Set(map.filter { CurrencyCoin.currency(of: $0.value) != nil }.keys))
    options.zone = surroundings.zone
    options.prices = values.prices
    options.price = values.price
    options.acceptsPrices = acceptsPrices
    options.skipsOwnTransfers = skipsOwnTransfers
    var sheet = try ImportReader(specification).read(file, name: name, options: options)
    let (ids, unknown) = try await ImportedNames(book: book, map: map, aliases: aliases).resolve(sheet.coins)
    let unused = try unused(ids, sheet.coins)
    let currency = sheet.currency ?? book.currency
    let closes = try await ImportedCloses(sheet.closesNeeded(ids), currency, in: book, policy: book.policy)
    let known = try await ImportedCloses(sheet.pricedDays(ids), currency, in: book, policy: .offline)
    do {
      let rows = try sheet.transactions(
        ids: ids, unknown: unknown, reasons: closes.reasons, close: closes.price, known: known.price)
      warn(of: unused, nil, book)
      let (withoutValue, openings) = (sheet.skipped(ids), sheet.openings(ids))
      sheet.forgetEntries()
      var content = ImportContent(importID: sheet.importID, rows: rows, sheet: sheet, withoutValue: withoutValue)
      if !openings.isEmpty { content.setOpenings(openings, beside: try book.store.transactions()) }
      return content
    } catch let error as CSVFaults {
      warn(of: unused, error, book)
      throw ImportRefusal(error, file: name)
    }
  }

  /// Warns of parameters that name a coin which the file does not have, and no row with a fault either.
  private func warn(of unused: [(coin: String, parameter: String)], _ faults: CSVFaults?, _ book: PortfolioBook) {
    let rows = faults?.issues.compactMap { $0.excerpt?.uppercased() } ?? []
    for (coin, parameter) in unused where !rows.contains(where: { $0.contains(coin) }) {
      book.remark(.warning("\(parameter) has no effect: no transaction of the file is of that coin"))
    }
  }

  /// Returns the parameters that name a coin which the file does not have; one that is money in a file has no transactions.
  private func unused(
    _ ids: [String: String], _ coins: [String]
  ) throws(BitpalError) -> [(coin: String, parameter: String)] {
    let named = Set(coins.flatMap { [$0.uppercased(), ImportOptions.parts(of: $0).ticker.uppercased()] })
    let maps = map.filter { !named.contains($0.key) && CurrencyCoin.currency(of: $0.value) == nil }
    return try values.unused(ids, notation).map {
      ($0, notation(["value": "\($0)=\(values.prices[$0]?.plainText ?? "")"]))
    } + maps.sorted { $0.key < $1.key }.map { ($0.key, notation(["map": "\($0.key)=\($0.value)"])) }
  }

  // MARK: Files of our own

  /// Reads the rows of a file, which is not needed any longer.
  private func ownRows(
    _ bytes: consuming [UInt8], _ name: String, _ book: PortfolioBook, _ surroundings: Surroundings
  ) throws -> [ImportedTransaction] {
    guard values.isEmpty else {
      throw BitpalError.usage(
        "\(notation("value")) has no effect on a file of bitpal's own form, in which every purchase, sale and receipt has a price",
        hint: "leave it out, and write what coins were worth into the column price")
    }
    guard !skipsOwnTransfers else {
      throw BitpalError.usage(
        "\(notation("skip-own-transfers")) has no effect on a file of bitpal's own form",
        hint: "leave such rows out of the file")
    }
    do throws(CSVFaults) {
      return try TransactionCSV.transactions(
        bytes, file: name, now: book.now, currency: surroundings.currency, dates: dates, decimal: decimal,
        zone: surroundings.zone ?? .utc, isNumbering: false)
    } catch {
      throw ImportRefusal(error, file: name)
    }
  }

  private func own(
    _ read: consuming [ImportedTransaction], _ name: String, _ book: PortfolioBook
  ) async throws -> ImportContent {
    // Moved, because a copy would be made when rows are renamed.
    var rows = read
    let held = Set(try book.store.transactions().map(\.coinId))
    var names: [String: String] = [:]
    var issues: [ConfigurationIssue] = []
    // A coin of the portfolio is named by its id, and so is a coin in a row that bitpal wrote.
    var seen = held
    for row in rows where !row.hasOwnID && seen.insert(row.transaction.coinId).inserted {
      let coin = row.transaction.coinId
      do {
        names[coin] = try await book.service.resolve(map[coin.uppercased()] ?? coin, policy: book.policy)
      } catch let error as BitpalError {
        issues.append(ConfigurationIssue(file: name, line: row.line, message: error.description))
      }
    }
    guard issues.isEmpty else { throw ImportRefusal(CSVFaults(issues: issues), file: name) }
    // The identity of a row depends on its coin, and so does the test for a row that is already stored.
    try ImportedTransaction.rename(&rows, names)
    let written = rows.lazy.filter { !$0.hasOwnID }.map(\.transaction.coinId)
    try await checkCoins(Set(written).subtracting(held), rows, name, book)
    return ImportContent(importID: ImportRecognition.ownID, rows: rows)
  }

  /// Throws for a coin that has neither an entry in a coin list nor a price; without a list the file is believed.
  ///
  /// - Parameters:
  ///   - new: The coins that the portfolio does not have.
  ///   - rows: The rows; one that bitpal wrote has the id of a coin that could be recorded.
  /// - Throws: `BitpalError.dataFile` with the line of the first such coin.
  private func checkCoins(
    _ new: Set<String>, _ rows: [ImportedTransaction], _ name: String, _ book: PortfolioBook
  ) async throws {
    let (service, policy) = (book.service, book.policy)
    guard !new.isEmpty, let unlisted = await service.unlisted(new.sorted(), policy: policy) else { return }
    var unknown = new.intersection(unlisted)
    if !unknown.isEmpty {
      let names = unknown.sorted().map { service.name(ofID: $0) }
      let answer = try await service.existing(names, currency: book.currency, policy: policy)
      unknown.formIntersection(answer.failures.map(\.coin))
    }
    guard let row = rows.first(where: { !$0.hasOwnID && unknown.contains($0.transaction.coinId) }) else { return }
    let coin = row.transaction.coinId
    let suggestion = (try? await service.resolve(coin, policy: policy)) ?? service.nearestCoin(to: coin)
    let hint = suggestion.map { " (did you mean \"\($0)\"?)" } ?? ""
    throw BitpalError.dataFile(
      path: "\(name):\(row.line)", reason: "\"\(coin)\" is not the id of a coin\(hint); nothing was imported")
  }
}
