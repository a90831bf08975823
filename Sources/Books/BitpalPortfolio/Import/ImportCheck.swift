package import BitpalModel
import FoundationEssentials

/// A check of an import by its examples, without network access.
package struct ImportCheck {
  /// The result of one example.
  package struct Outcome: Hashable, Sendable {
    /// `file:line` of the example.
    package let place: String

    /// The number of transactions that were read.
    package let transactions: Int

    /// The number of faults that were reported.
    package let faults: Int

    /// The difference from the example; nil when there is none.
    package let problem: String?
  }

  private let reader: ImportReader

  /// Checks the SELECT.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` for a SELECT that cannot be used.
  package init(_ specification: ImportSpecification) throws(BitpalError) {
    reader = try ImportReader(specification)
  }

  /// Returns the result of each example, in the order of the file.
  package func run() -> [Outcome] {
    reader.specification.examples.map { example in
      let place = example.place.place
      do {
        let transactions = try read(example)
        return Outcome(
          place: place, transactions: transactions.count, faults: 0, problem: problem(of: transactions, example))
      } catch let error as CSVFaults {
        return Outcome(place: place, transactions: 0, faults: error.count, problem: problem(of: error, example))
      } catch {
        return Outcome(place: place, transactions: 0, faults: 0, problem: "\(error)")
      }
    }
  }

  private func read(_ example: ImportExample) throws -> [ImportedTransaction] {
    let recognized = try ImportRecognition(
      Array(example.csv.utf8), name: "csv", among: [reader.specification], isOwnKnown: false)
    guard case .known(_, let file) = recognized else { return [] }
    let options = ImportOptions(
      currency: example.currency, now: .distantFuture, dates: example.dates, decimal: example.decimal,
      value: example.value)
    let sheet = try reader.read(file, name: "csv", options: options)
    // An example does not depend on sources: each coin's name serves as its id, and each close is 1.
    return try sheet.transactions(ids: Dictionary(uniqueKeysWithValues: sheet.coins.map { ($0, $0) })) { _, _ in 1 }
  }

  private func problem(of transactions: [ImportedTransaction], _ example: ImportExample) -> String? {
    guard case .rows(let rows) = example.expectation else { return "no fault was found" }
    let found = transactions.map { transaction in Self.values(of: transaction, example.currency) }
    for (index, row) in rows.enumerated() where index < found.count {
      for (column, expected) in row.sorted(by: { $0.key < $1.key }) {
        let value = found[index][column] ?? ""
        if !Self.isSame(value, expected, column) {
          return "transaction \(index + 1): \(column) is \(value.isEmpty ? "nothing" : value), not \(expected)"
        }
      }
    }
    return rows.count == found.count ? nil : "\(found.count) transactions, not \(rows.count)"
  }

  private static func values(of transaction: ImportedTransaction, _ currency: String) -> [String: String] {
    let (line, transaction) = (transaction.line, transaction.transaction)
    return [
      "line": String(line), "date": transaction.date.iso8601, "type": transaction.type.rawValue,
      "coin": transaction.coinId, "amount": transaction.amount.plainText,
      "price": transaction.pricePerCoin?.plainText ?? "none", "fee": transaction.fee.plainText,
      "label": transaction.label?.rawValue ?? "none", "currency": currency, "notes": transaction.notes ?? "none",
      "group": transaction.group == nil ? "none" : "yes",
    ]
  }

  private static func isSame(_ value: String, _ expected: String, _ column: String) -> Bool {
    if value.lowercased() == expected.lowercased() { return true }
    if column == "date", let date = Date(utcText: expected) { return date.iso8601 == value }
    guard let number = try? Decimal(strict: value), let other = try? Decimal(strict: expected) else { return false }
    return number == other
  }

  private func problem(of faults: CSVFaults, _ example: ImportExample) -> String? {
    let first = faults.issues.first.map { "\($0.line ?? 1):\($0.column ?? 1): \($0.message)" } ?? ""
    guard case .faults(let expected) = example.expectation else { return "line \(first)" }
    for (index, words) in expected.enumerated() {
      guard index < faults.issues.count else { return "\(faults.count) faults, not \(expected.count)" }
      let issue = faults.issues[index]
      let text = "\(issue.line ?? 1):\(issue.column ?? 1): \(issue.message)"
      if !text.contains(words) { return "fault \(index + 1) is \"\(text)\", which has no \"\(words)\"" }
    }
    return faults.count == expected.count ? nil : "\(faults.count) faults, not \(expected.count)"
  }
}
