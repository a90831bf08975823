public import BitpalModel
public import FoundationEssentials

/// Transactions as CSV (RFC 4180): one header, one row a transaction, every digit kept.
///
/// A coin or a note that a spreadsheet would run as a formula is written with an apostrophe before it, which is taken away
/// again when the file is read.
///
/// `id` may be left out: the content then says which row is which, so that the same file can be read twice.
public enum TransactionCSV {
  /// The columns, as they are written; but for the required ones they may be missing when a file is read.
  package enum Column: String, CaseIterable {
    case id
    case date
    case type
    case coin
    case amount
    case price
    case fee
    case notes
    case currency
    case label
    case group
    case total

    package static let required: [Column] = [.date, .type, .coin, .amount, .price]
  }

  /// The transactions as a CSV text, lines ended by CR LF.
  ///
  /// - Parameter currency: The portfolio's.
  public static func text(_ transactions: [Transaction], currency: String) -> String {
    var text = Column.allCases.map(\.rawValue).joined(separator: ",") + "\r\n"
    for transaction in transactions {
      let fields = Column.allCases.map { field($0, of: transaction, currency) }
      text += fields.map(CSVField.text).joined(separator: ",") + "\r\n"
    }
    return text
  }

  /// Reads a CSV text.
  ///
  /// - Parameters:
  ///   - bytes: The text, in UTF-8.
  ///   - file: The file's name in messages.
  ///   - now: The latest time that a transaction may have.
  ///   - currency: The portfolio's, lower case; nil for one without a currency yet, which a row may name.
  ///   - names: The ids behind tickers and aliases, for rows without an `id`. A row with an `id` was written by us,
  ///     with the coin's own.
  ///   - dates: The order of the parts of numeric dates that do not begin with the year; nil when such dates are
  ///     faults.
  ///   - decimal: The decimal mark; nil when a comma is a fault.
  /// - Throws: ``CSVFaults`` with every fault of the file.
  public static func transactions(
    _ bytes: [UInt8], file: String, now: Date, currency: String? = nil, names: [String: String] = [:],
    dates: DateOrder? = nil, decimal: DecimalMark? = nil
  ) throws(CSVFaults) -> [ImportedTransaction] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CSVFaults(issues: [ConfigurationIssue(file: file, message: "the file is not UTF-8 text")])
    }
    var sheet = TransactionSheet(
      text, file: file, now: now, currency: currency, names: names, dates: dates, decimal: decimal)
    return try sheet.read()
  }

  private static func field(_ column: Column, of transaction: Transaction, _ currency: String) -> String {
    switch column {
    case .id: transaction.id.uuidString.lowercased()
    case .date: transaction.date.iso8601
    case .type: transaction.type.rawValue
    case .coin: transaction.coinId
    case .amount: transaction.amount.plainText
    case .price: transaction.pricePerCoin?.plainText ?? ""
    case .fee: transaction.fee.plainText
    case .notes: transaction.notes ?? ""
    case .currency: currency
    case .label: transaction.label?.rawValue ?? ""
    case .group: transaction.group ?? ""
    case .total: transaction.total?.plainText ?? ""
    }
  }
}

/// Everything that is wrong with a CSV file; nothing of it has been imported.
public struct CSVFaults: Error, Hashable, Sendable {
  /// The most that are told one by one.
  package static let mostTold = 20

  /// One issue a fault, with line and column, in the order of the file; of many the first.
  public let issues: [ConfigurationIssue]

  /// The number of faults.
  public let count: Int

  package init(issues: [ConfigurationIssue], count: Int? = nil) {
    self.issues = issues
    self.count = max(count ?? 0, issues.count)
  }
}

extension CSVFaults: CustomStringConvertible {
  /// One line a fault, with the line of the file below it.
  public var description: String { issues.map(\.description).joined(separator: "\n") }
}

/// A transaction read from a file, and the line it came from.
public struct ImportedTransaction: Hashable, Sendable {
  /// The transaction.
  public let transaction: Transaction

  /// The line on which it begins, counted from 1.
  public let line: Int

  /// Whether the file says which transaction it is, as those do that we write.
  public let hasOwnID: Bool

  /// The currency of its money, lower case; nil when the file does not say.
  public let currency: String?

  /// The same rows with other names for the coins of those without an id of their own, whose ids follow from that.
  ///
  /// - Throws: ``PortfolioError/coinNotFound(_:)`` for a name that is empty.
  package static func renaming(
    _ rows: [ImportedTransaction], _ names: [String: String]
  ) throws(PortfolioError) -> [ImportedTransaction] {
    var numbering = TransactionNumbering()
    var renamed: [ImportedTransaction] = []
    renamed.reserveCapacity(rows.count)
    for row in rows {
      guard !row.hasOwnID else {
        renamed.append(row)
        continue
      }
      let old = row.transaction
      let draft = TransactionDraft(
        coinId: names[old.coinId] ?? old.coinId, type: old.type, amount: old.amount, pricePerCoin: old.pricePerCoin,
        total: old.total, fee: old.fee, date: old.date, notes: old.notes, label: old.label, group: old.group)
      renamed.append(
        ImportedTransaction(
          transaction: try draft.transaction(id: numbering.next(draft.identity)), line: row.line, hasOwnID: false,
          currency: row.currency))
    }
    return renamed
  }

  package init(transaction: Transaction, line: Int, hasOwnID: Bool, currency: String?) {
    self.transaction = transaction
    self.line = line
    self.hasOwnID = hasOwnID
    self.currency = currency
  }
}
