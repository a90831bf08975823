import Bitpal
package import BitpalModel
package import BitpalPortfolio
package import FoundationEssentials

/// The content of an imported file.
package struct ImportContent {
  /// The id of the import that read the file.
  package let importID: String

  /// The transactions of the file.
  package let rows: [ImportedTransaction]

  /// The sheet of a file that bitpal did not write; nil for one of its own.
  package let sheet: ImportedSheet?

  /// The rows that are left out, counted by reason.
  package let skippedRows: [SkippedRow]

  /// The balances before the first rows of the file that are not recorded, by the ids of the coins.
  package private(set) var openings: [String: Decimal] = [:]

  /// The character set that the bytes showed; nil for UTF-8, and for one that the user states.
  package internal(set) var encoding: String?

  init(importID: String, rows: [ImportedTransaction], sheet: ImportedSheet? = nil, withoutValue: Int = 0) {
    self.importID = importID
    self.rows = rows
    self.sheet = sheet
    skippedRows =
      (sheet?.skippedRows ?? [])
      + (withoutValue > 0 ? [SkippedRow(reason: "without a value", rows: withoutValue)] : [])
  }

  /// Sets the balances before the first rows that are not recorded.
  ///
  /// - Parameters:
  ///   - stated: The balances before the first rows, by the ids of the coins.
  ///   - recorded: The transactions of the portfolio.
  mutating func setOpenings(_ stated: [String: Decimal], beside recorded: [Transaction]) {
    let (own, coins) = (Set(rows.map(\.transaction.id)), Dictionary(grouping: rows, by: \.transaction.coinId))
    for (coin, opening) in stated {
      guard let first = coins[coin]?.map(\.transaction.date).min() else { continue }
      let before = recorded.filter { $0.coinId == coin && $0.date < first && !own.contains($0.id) }
      let missing = before.reduce(opening) { $1.type.isIncoming ? $0 - $1.amount : $0 + $1.amount }
      if missing > 0 { openings[coin] = min(missing, opening) }
    }
  }

  /// Returns how what was there before the file begins is recorded, with the command.
  func advice(_ coin: String, _ amount: Decimal, before date: Date, _ book: PortfolioBook) -> String {
    "what was there before the file begins comes from an older file, which is imported first, or is recorded: bitpal receive "
      + "\((openings[coin] ?? amount).plainText) \(book.service.name(ofID: coin)) --price PRICE --date "
      + date.adding(.seconds(-86_400)).dayText
  }

  /// Returns what was there before the first rows and is not recorded, in sentences.
  package func openingSentences(in book: PortfolioBook) -> [String] {
    openings.sorted { $0.key < $1.key }.compactMap { coin, amount in
      guard let first = rows.lazy.filter({ $0.transaction.coinId == coin }).map(\.transaction.date).min() else {
        return nil
      }
      return
        "the balances of the file begin with \(amount.plainText) \(coin.printable(limit: 80)) that is not recorded; "
        + advice(coin, amount, before: first, book)
    }
  }

  /// Returns the faults of every coin whose transactions cannot be booked, each with the first row that shows it.
  func bookingFaults(in book: PortfolioBook, _ name: String) throws -> CSVFaults {
    var issues: [ConfigurationIssue] = []
    let recorded = try book.store.transactions()
    let before = Dictionary(grouping: recorded, by: \.coinId)
    let new = TransactionStore.new(rows, beside: recorded, Set(recorded.map(\.id)))
    for (coin, added) in Dictionary(grouping: new, by: \.transaction.coinId).sorted(by: { $0.key < $1.key }) {
      let all = PortfolioLedger.ordered((before[coin] ?? []) + added.map { $0.transaction.placed(in: book.store.zone) })
      guard let (error, transaction) = PortfolioLedger.firstFault(of: all) else { continue }
      var message = error.message
      if case .insufficientBalance(_, let owned, let attempted, let date, _) = error {
        message += "; " + advice(coin, attempted - owned, before: min(all[0].date, date), book)
      }
      let row = added.first { $0.transaction.id == transaction.id }
      issues.append(
        row.map { issue(message, at: $0, name) } ?? ConfigurationIssue(file: name, message: message))
    }
    let lone = Set(JoinedHalves.lone(among: recorded + new.map(\.transaction)).map(\.id))
    for row in new where lone.contains(row.transaction.id) && !issues.contains(where: { $0.line == row.line }) {
      issues.append(issue(PortfolioError.unpaired(row.transaction).message, at: row, name))
    }
    return CSVFaults(issues: issues.sorted { ($0.line ?? 0) < ($1.line ?? 0) })
  }

  /// Returns a fault of a row, at its amount where that can be found.
  func issue(_ message: String, at row: ImportedTransaction, _ name: String) -> ConfigurationIssue {
    sheet?.issue(message, line: row.line, near: row.transaction.amount.plainText)
      ?? ConfigurationIssue(file: name, line: row.line, message: message)
  }
}

/// The transactions that an import has added, or would add.
package struct ImportAnswer {
  package let added: [ImportedTransaction]

  /// The number of transactions that the portfolio had already.
  package let known: Int

  /// The currency of the money of the file, lower case.
  package let currency: String
  package let content: ImportContent

  /// The probable transfers between accounts of the user, whose cost and date are lost.
  package let ownTransfers: [OwnTransfer]

  /// The added transactions that the user had removed.
  package let removedBefore: [Transaction]
}

/// The faults of a file, of which nothing was imported.
package struct ImportRefusal: Error {
  package let faults: CSVFaults

  /// The failure in a sentence, with the number of faults.
  package let failure: BitpalError

  init(_ faults: CSVFaults, file: String) {
    self.faults = faults
    let more = faults.count - faults.issues.count
    failure = .dataFile(
      path: file,
      reason: "\(faults.count) \(faults.count == 1 ? "fault" : "faults")"
        + (more > 0 ? ", \(more) of them not shown" : "")
        + "; nothing was imported")
  }
}
