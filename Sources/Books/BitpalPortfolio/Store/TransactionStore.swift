import BitpalFiles
package import BitpalModel
public import FoundationEssentials

/// The transactions of one portfolio, kept in the user's data file.
///
/// Every change is checked against the ledger in the same transaction of the file in which it is stored.
///
/// Its functions block the calling thread while they read and write, for up to 15 s where another process writes.
public struct TransactionStore: Sendable {
  /// The portfolio's name.
  public let portfolio: PortfolioName

  /// The zone whose days those without a time are; they are the same days in every zone, and this one orders them among times.
  package let zone: ClockZone

  private let file: UserDataFile

  /// Creates a transaction store.
  ///
  /// - Parameters:
  ///   - file: The file that holds the transactions.
  ///   - portfolio: The portfolio's name; the portfolios of a file are independent of each other.
  public init(file: UserDataFile, portfolio: PortfolioName = .main) {
    self.init(file: file, portfolio: portfolio, zone: .utc)
  }

  /// Creates a transaction store whose days without a time are those of a zone.
  package init(file: UserDataFile, portfolio: PortfolioName, zone: ClockZone) {
    self.file = file
    self.portfolio = portfolio
    self.zone = zone
  }

  /// Returns the store with its days in another zone.
  package func placed(in zone: ClockZone) -> TransactionStore {
    TransactionStore(file: file, portfolio: portfolio, zone: zone)
  }

  private func rows(_ connection: SQLiteConnection) -> TransactionRows {
    TransactionRows(connection, portfolio, zone: zone)
  }

  // MARK: Reading

  /// Checks that the portfolio exists; the main one may be missing while others are too.
  ///
  /// - Throws: ``PortfolioError/portfolioNotFound(_:known:)`` with the names of the others.
  package func checkExistence() throws {
    guard try method() == nil else { return }
    let known = try PortfolioCatalog(file: file).portfolios().map(\.name.text)
    if portfolio != .main || !known.isEmpty { throw PortfolioError.portfolioNotFound(portfolio.text, known: known) }
  }

  /// Returns the portfolio's currency, method and extent; nil when there is none of that name.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the file cannot be used.
  public func info() throws -> PortfolioInfo? {
    try file.read { try PortfolioRows($0).info(of: portfolio) } ?? nil
  }

  /// Returns the method for the calculation of gains, without reading the transactions; nil without a portfolio of that name.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the file cannot be used.
  package func method() throws -> GainMethod? {
    try file.read { try PortfolioRows($0).method(of: portfolio) } ?? nil
  }

  /// Returns the currency of the portfolio's amounts of money; nil while it has no transactions.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the file cannot be used.
  public func currency() throws -> String? {
    try info()?.ownCurrency
  }

  /// Returns all transactions, or those of one coin, by date; those of one instant in the order of their recording.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the file cannot be used or has a damaged row.
  public func transactions(of coin: String? = nil) throws -> [Transaction] {
    PortfolioLedger.ordered(try file.read { try rows($0).recorded(of: coin.map { [$0] }) } ?? [])
  }

  /// Returns the errors of renamings and splits that lack a half, as files of older versions may have.
  package func loneHalves() throws -> [PortfolioError] {
    JoinedHalves.faults(among: try file.read { try rows($0).halves() } ?? [])
  }

  /// The fewest characters of an id that select a transaction; fewer would match one by accident.
  private static let shortestPrefix = 4

  /// Returns the transaction whose id begins with `prefix`, which has at least four characters.
  ///
  /// - Throws: ``PortfolioError/transactionNotFound(_:)``, also for a shorter prefix;
  ///   ``PortfolioError/ambiguousTransaction(_:candidates:)`` with the first four of several.
  public func transaction(_ prefix: String) throws -> Transaction {
    guard prefix.utf8.count >= Self.shortestPrefix else { throw PortfolioError.transactionNotFound(prefix) }
    let found = try file.read { try rows($0).beginning(with: prefix) } ?? []
    guard let first = found.first else { throw PortfolioError.transactionNotFound(prefix) }
    guard found.count == 1 else {
      throw PortfolioError.ambiguousTransaction(prefix, candidates: found.prefix(4).map(\.id))
    }
    return first
  }

  // MARK: Writing

  /// Records a transaction.
  ///
  /// - Parameters:
  ///   - draft: The transaction, without an id.
  ///   - currency: The currency of its amounts of money, which must be the portfolio's.
  ///   - now: The current time; a later transaction is refused.
  ///   - isDryRun: Whether everything is checked and nothing stored.
  /// - Throws: ``PortfolioError`` with nothing stored.
  public func add(
    _ draft: TransactionDraft, currency: String, now: Date, isDryRun: Bool = false
  ) throws -> Transaction {
    try add(joined: draft, with: [], currency: currency, now: now, isDryRun: isDryRun)[0]
  }

  /// Records a transaction and the ones that happened with it, all or none.
  ///
  /// The short id of the first becomes the group of all.
  ///
  /// - Throws: ``PortfolioError`` with nothing stored.
  public func add(
    joined draft: TransactionDraft, with others: [TransactionDraft], currency: String, now: Date, isDryRun: Bool = false
  ) throws -> [Transaction] {
    try change(isDryRun) { rows in
      try rows?.check(currency: currency)
      var transactions: [Transaction] = []
      for var draft in [draft] + others {
        func transaction() throws -> Transaction {
          try draft.transaction { id in
            try transactions.contains { $0.id == id } || (try rows?.has(id) ?? false)
          }
        }
        if !others.isEmpty { draft.group = try transactions.first?.group ?? transaction().shortID }
        transactions.append(try transaction().placed(in: zone))
      }
      _ = try TransactionChange.adding(transactions, to: try rows?.recorded(beside: transactions) ?? [], now: now)
      return (transactions, { try $0.insert(transactions, currency, at: now) })
    }
  }

  /// Replaces the content of a transaction, which keeps its id and its place among those of one instant.
  ///
  /// - Throws: ``PortfolioError`` with nothing stored: for an unknown id, a date after `now`, or a sale that would not
  ///   be covered any more.
  public func replace(_ transaction: Transaction, now: Date, isDryRun: Bool = false) throws -> Transaction {
    try replaceHalves(transaction, now: now, isDryRun: isDryRun)[0]
  }

  /// Replaces what ``replace(_:now:isDryRun:)`` does, and of a split or a renaming gives the other half the new date too.
  ///
  /// - Returns: All that was changed, the transaction itself first.
  package func replaceHalves(_ transaction: Transaction, now: Date, isDryRun: Bool = false) throws -> [Transaction] {
    try change(isDryRun) { rows in
      guard let rows, let old = try rows.beginning(with: transaction.id.uuidString).first else {
        throw PortfolioError.transactionNotFound(transaction.id.uuidString.lowercased())
      }
      let recorded = try rows.recorded(beside: [old, transaction])
      let others = old.date == transaction.date ? [] : JoinedHalves.others(of: old, among: recorded)
      let changed =
        [transaction.placed(in: zone)] + others.map { Transaction($0, date: transaction.date).placed(in: zone) }
      _ = try TransactionChange.replacing(changed, in: recorded, now: now)
      return (changed, { try $0.update(changed, at: now) })
    }
  }

  /// Removes a transaction; of a split or a renaming both halves, of which one alone means nothing.
  ///
  /// - Returns: The removed transaction.
  /// - Throws: ``PortfolioError`` with nothing stored: for an unknown id, or a sale that would not be covered any more.
  public func remove(_ id: UUID, now: Date, isDryRun: Bool = false) throws -> Transaction {
    try removeHalves(id, now: now, isDryRun: isDryRun)[0]
  }

  /// Removes what ``remove(_:now:isDryRun:)`` does, and returns all of it, the transaction of the id first.
  package func removeHalves(_ id: UUID, now: Date, isDryRun: Bool = false) throws -> [Transaction] {
    try change(isDryRun) { rows in
      guard let rows, let old = try rows.beginning(with: id.uuidString).first else {
        throw PortfolioError.transactionNotFound(id.uuidString.lowercased())
      }
      let recorded = try rows.recorded(beside: [old])
      let others = JoinedHalves.others(of: old, among: recorded)
      let removed = [old] + others
      _ = try TransactionChange.remove(id).applied(to: recorded.filter { !others.contains($0) }, now: now)
      return (removed, { try $0.remove(removed.map(\.id), at: now) })
    }
  }

  /// Adds the rows of a file that the portfolio does not have yet: all of them or, when one cannot be added, none.
  ///
  /// - Returns: The added rows, and the number of rows that the portfolio had already.
  /// - Throws: ``PortfolioError`` with nothing stored.
  package func add(
    _ rows: [ImportedTransaction], currency: String, now: Date, isDryRun: Bool = false
  ) throws -> (added: [ImportedTransaction], known: Int) {
    try change(isDryRun) { stored in
      try stored?.check(currency: currency)
      let all = rows.lazy.map { $0.transaction }
      let recorded = try stored?.recorded(beside: all) ?? []
      let added = Self.new(rows, beside: recorded, try stored?.ids() ?? [])
      let new = added.lazy.map { $0.transaction.placed(in: zone) }
      for transaction in new { try TransactionChange.check(transaction, now) }
      try JoinedHalves.check([recorded, Array(new.filter { $0.label?.movesCost == true })].joined(), before: recorded)
      // A file of a hundred thousand rows is not copied where nothing precedes it.
      if recorded.isEmpty { try PortfolioLedger.check(new) } else { try PortfolioLedger.check(recorded + new) }
      return ((added, rows.count - added.count), { try $0.insert(new, currency, at: now) })
    }
  }

  /// Returns the transactions of those rows that were removed; removals before the last hundred changes are not known.
  package func removed(among rows: [ImportedTransaction]) throws -> [Transaction] {
    if rows.isEmpty { return [] }
    let ids = try file.read { try ChangeLog($0, portfolio).removedIDs() } ?? []
    return ids.isEmpty ? [] : rows.map(\.transaction).filter { ids.contains($0.id) }
  }

  /// Returns the rows of a file that are not recorded yet: neither their id is, nor a transaction with their identity
  /// that no other row has, nor, where one export has the fills of a second or of an order and another their sum, transactions of
  /// the same second or order that come to the same.
  ///
  /// - Parameters:
  ///   - recorded: The transactions of the rows' coins.
  ///   - ids: The ids of all transactions.
  package static func new(
    _ rows: [ImportedTransaction], beside recorded: [Transaction], _ ids: Set<UUID>
  ) -> [ImportedTransaction] {
    if ids.isEmpty { return rows }
    let own = Set(rows.map(\.transaction.id))
    var alike: [TransactionIdentity: Int] = [:]
    for transaction in recorded where !own.contains(transaction.id) { alike[transaction.identity, default: 0] += 1 }
    let new = rows.filter { row in
      if ids.contains(row.transaction.id) { return false }
      guard !alike.isEmpty, !row.hasOwnID, let count = alike[row.transaction.identity], count > 0 else { return true }
      alike[row.transaction.identity] = count - 1
      return false
    }
    guard !new.isEmpty, alike.contains(where: { $1 > 0 }) else { return new }
    let others = recorded.filter { transaction in
      guard !own.contains(transaction.id), let count = alike[transaction.identity], count > 0 else { return false }
      alike[transaction.identity] = count - 1
      return true
    }
    let stored = Self.sums(of: others)
    let stated = Self.sums(of: new.lazy.filter { !$0.hasOwnID }.map(\.transaction))
    return new.filter { row in
      row.hasOwnID
        || !Whole.all(row.transaction).contains { whole in
          whole.counterparts.contains { stored[$0] != nil && stored[$0] == stated[whole] }
        }
    }
  }

  /// A second or an order of which a coin's transactions of one type may be parts.
  private enum Whole: Hashable {
    case second(String, TransactionType, Date)
    case order(ImportedOrder, inFills: Bool)

    /// Returns those of a transaction; of a day without a time no second.
    static func all(_ transaction: Transaction) -> [Whole] {
      let order = ImportedOrder(transaction).map { Whole.order($0, inFills: $0.isFill(transaction)) }
      let second: Whole? =
        transaction.isOfDay
        ? nil : .second(transaction.coinId, transaction.type, transaction.date.startOfSecond)
      return [second, order].compactMap(\.self)
    }

    /// The forms in which another export has the same; two fills of one order are two, whatever they come to.
    var counterparts: [Whole] {
      guard case .order(let order, let inFills) = self else { return [self] }
      return inFills ? [.order(order, inFills: false)] : [self, .order(order, inFills: true)]
    }
  }

  private static func sums(of transactions: some Sequence<Transaction>) -> [Whole: Decimal] {
    transactions.reduce(into: [:]) { sums, transaction in
      for whole in Whole.all(transaction) { sums[whole, default: 0] += transaction.amount }
    }
  }

  /// Undoes the last change: removes what it added, and restores what it replaced or removed.
  ///
  /// - Throws: ``PortfolioError/nothingToUndo(portfolio:)``.
  package func undo(isDryRun: Bool = false) throws -> UndoneChange {
    guard file.exists else { throw PortfolioError.nothingToUndo(portfolio: portfolio.text) }
    return try file.write { connection in
      let log = ChangeLog(connection, portfolio)
      let change = try log.last()
      if !isDryRun { try log.takeBack(change) }
      return change.undone
    }
  }

  /// Decides on a change, then stores it; a dry run stops after the decision and creates no file.
  private func change<Result: Sendable>(
    _ isDryRun: Bool,
    _ decide: (TransactionRows?) throws -> (result: Result, perform: (TransactionRows) throws -> Void)
  ) throws -> Result {
    if isDryRun {
      return try file.read { try decide(rows($0)).result } ?? decide(nil).result
    }
    return try file.write { connection in
      let rows = rows(connection)
      let decision = try decide(rows)
      try decision.perform(rows)
      return decision.result
    }
  }
}

extension TransactionRows {
  /// Returns the recorded transactions of the coins of others, or all of them where a coin replaced another.
  fileprivate func recorded(beside others: some Sequence<Transaction>) throws -> [Transaction] {
    let own = try recorded(of: others.reduce(into: []) { $0.insert($1.coinId) })
    let isRenaming = own.contains { $0.label == .rename } || others.contains { $0.label == .rename }
    return isRenaming ? try recorded() : own
  }

  /// Checks that the portfolio's money has that currency, because amounts of two currencies cannot be added up.
  fileprivate func check(currency asked: String) throws {
    guard let own = try PortfolioRows(connection).info(of: portfolio)?.ownCurrency, own != asked else { return }
    throw PortfolioError.currencyMismatch(portfolio: portfolio.text, currency: own, asked: asked)
  }

  fileprivate func insert(_ transactions: some Collection<Transaction>, _ currency: String, at now: Date) throws {
    if transactions.isEmpty { return }
    try PortfolioRows(connection).put(portfolio, currency: currency)
    if let places = try insert(transactions) { try log.noteAddition(of: places, at: now) }
  }

  fileprivate func update(_ transactions: [Transaction], at now: Date) throws {
    try log.note(.replace, of: transactions.map(\.id), at: now)
    for transaction in transactions { try update(transaction) }
  }

  fileprivate func remove(_ ids: [UUID], at now: Date) throws {
    try log.note(.remove, of: ids, at: now)
    for id in ids { try delete(id) }
  }

  private var log: ChangeLog { ChangeLog(connection, portfolio) }
}

/// The name of a portfolio: up to 64 of `a-z 0-9 - _`, beginning with a letter or digit.
public struct PortfolioName: Hashable, Sendable {
  /// The portfolio that is used when no other is named.
  public static let main = PortfolioName(unchecked: "main")

  /// The name.
  public let text: String

  /// Checks a name.
  ///
  /// - Throws: ``PortfolioError/invalidPortfolioName(_:)`` for a text with another form.
  public init(_ text: String) throws(PortfolioError) {
    func isPlain(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    guard let first = text.utf8.first, isPlain(first), text.utf8.count <= 64,
      text.utf8.allSatisfy({ isPlain($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
    else { throw .invalidPortfolioName(text) }
    self.text = text
  }

  private init(unchecked text: String) {
    self.text = text
  }
}
