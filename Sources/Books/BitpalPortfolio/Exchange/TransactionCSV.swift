package import BitpalModel
package import FoundationEssentials

/// The CSV form of transactions (RFC 4180): one header, one row per transaction, every digit kept.
///
/// A coin or a note that a spreadsheet would run as a formula is written with an apostrophe before it, which is removed
/// when the file is read.
///
/// `id` may be omitted: the id then follows from the content, so that the same file can be imported twice.
package enum TransactionCSV {
  /// The columns in the order in which they are written; only the required ones must be in a file that is read.
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

    /// The place among all columns.
    var place: Int {
      switch self {
      case .id: 0
      case .date: 1
      case .type: 2
      case .coin: 3
      case .amount: 4
      case .price: 5
      case .fee: 6
      case .notes: 7
      case .currency: 8
      case .label: 9
      case .group: 10
      case .total: 11
      }
    }
  }

  /// Returns transactions as a CSV text, with lines ended by CR LF.
  ///
  /// - Parameters:
  ///   - transactions: The transactions, in the order of the rows.
  ///   - currency: The portfolio's currency.
  package static func text(_ transactions: [Transaction], currency: String) -> String {
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
  ///   - currency: The portfolio's currency, lower case; nil for a portfolio without one, which takes that of a row.
  ///   - names: The coins' ids by tickers and aliases, for rows without an `id`; a row with one has the coin's own id.
  ///   - dates: The order of the parts of numeric dates that do not begin with the year; nil when such dates are
  ///     faults.
  ///   - decimal: The decimal mark; nil when a comma is a fault.
  ///   - zone: The time zone of times without an offset.
  ///   - isNumbering: Whether rows without an id get the one that follows from their content; false where
  ///     ``ImportedTransaction/rename(_:_:)`` gives it.
  /// - Throws: ``CSVFaults`` with every fault of the file.
  package static func transactions(
    _ bytes: [UInt8], file: String, now: Date, currency: String? = nil, names: [String: String] = [:],
    dates: DateOrder? = nil, decimal: DecimalMark? = nil, zone: ClockZone = .utc, isNumbering: Bool = true
  ) throws(CSVFaults) -> [ImportedTransaction] {
    guard (try? UTF8Span(validating: bytes.span)) != nil else {
      throw CSVFaults(issues: [ConfigurationIssue(file: file, message: "the file is not UTF-8 text")])
    }
    var sheet = TransactionSheet(
      bytes, file: file, now: now, currency: currency, names: names, dates: dates, decimal: decimal,
      zone: zone, isNumbering: isNumbering)
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

/// The faults of a CSV file, of which nothing is imported.
package struct CSVFaults: Error, Hashable, Sendable {
  /// The most faults that are reported one by one.
  package static let mostTold = 20

  /// The first faults with line and column, in the order of the file, at most twenty.
  package let issues: [ConfigurationIssue]

  /// The number of all faults.
  package let count: Int

  package init(issues: [ConfigurationIssue], count: Int? = nil) {
    self.issues = issues
    self.count = max(count ?? 0, issues.count)
  }
}

extension CSVFaults: CustomStringConvertible {
  /// The faults one below the other, each followed by its line of the file.
  package var description: String { issues.map(\.description).joined(separator: "\n") }
}

/// A transaction read from a file, with its line in the file.
package struct ImportedTransaction: Hashable, Sendable {
  /// The transaction.
  package private(set) var transaction: Transaction

  /// The line on which it begins, counted from 1.
  package let line: Int

  /// Whether the row has an id of its own, as in files that bitpal writes.
  package private(set) var hasOwnID: Bool

  /// The currency of its money, lower case; nil when the row does not state it.
  package let currency: String?

  /// Gives the coins of rows other ids, except in rows with an id of their own.
  ///
  /// The ids of these rows follow from their content.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - names: The new ids by the present ones; a coin without one keeps its own.
  /// - Throws: ``PortfolioError/coinNotFound(_:)`` for a new id that is empty.
  package static func rename(_ rows: inout [ImportedTransaction], _ names: [String: String]) throws(PortfolioError) {
    var numbering = TransactionNumbering()
    for index in rows.indices where !rows[index].hasOwnID {
      let old = rows[index].transaction
      let coin = names[old.coinId] ?? old.coinId
      guard !coin.isEmpty else { throw .coinNotFound("") }
      let identity = TransactionIdentity(coinId: coin, type: old.type, amount: old.amount, date: old.date)
      rows[index].transaction = Transaction(old, id: numbering.next(identity), coinId: coin)
    }
  }

  /// Returns whether the row says something else than the transaction that is recorded under its id.
  ///
  /// Without an id of its own a row may have a price or a fee that is rounded to another digit.
  package func contradicts(_ recorded: Transaction) -> Bool {
    let new = transaction
    guard hasOwnID else {
      func isFar(_ left: Decimal, _ right: Decimal, percent: Int) -> Bool {
        max(left, right).compared(to: min(left, right), times: Decimal(100 + percent).hundredths) == .greater
      }
      let areFarFees = new.fee > 0 && recorded.fee > 0 && abs(new.fee - recorded.fee) > Decimal(2).hundredths
      if areFarFees, isFar(new.fee, recorded.fee, percent: 10) { return true }
      guard let price = new.pricePerCoin, let other = recorded.pricePerCoin else { return false }
      return isFar(price, other, percent: 1)
    }
    return (new.coinId, new.type, new.amount, new.date) != (
      recorded.coinId, recorded.type, recorded.amount, recorded.date
    )
      || new.pricePerCoin != recorded.pricePerCoin || new.fee != recorded.fee
      || new.notes ?? recorded.notes != recorded.notes || new.label ?? recorded.label != recorded.label
  }

  /// Gives the row an id that is not among `ids`, as to another transaction with the same identity.
  package mutating func renumber(beside ids: inout Set<UUID>) {
    var number = 2
    while !ids.insert(transaction.identity.id(number: number)).inserted { number += 1 }
    transaction = Transaction(transaction, id: transaction.identity.id(number: number), coinId: transaction.coinId)
    hasOwnID = true
  }

  /// Keeps the date as a time where it is midnight in UTC, which means a day without a time.
  mutating func keepTime() { transaction = Transaction(transaction, date: transaction.date.withTimeOfDay) }

  package init(transaction: Transaction, line: Int, hasOwnID: Bool, currency: String?) {
    self.transaction = transaction
    self.line = line
    self.hasOwnID = hasOwnID
    self.currency = currency
  }
}
