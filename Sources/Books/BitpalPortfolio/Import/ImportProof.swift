import BitpalJSON
import BitpalModel
package import FoundationEssentials

/// The proof that an import conserves: per coin and currency, the changes that the rows of the file state equal the
/// changes that are recorded or left out.
///
/// The changes that the file states are the result of a SELECT of their own, `movements`. Where that gives `within`, each
/// line of the file is compared, with that tolerance; otherwise the sums of the file are. Where it gives `balance`, each
/// balance must be the one before it, of the same `account` and coin, and the change.
package struct ImportProof {
  /// The columns that the SELECT of the movements may return.
  enum Column: String, CaseIterable {
    case line, coin, change, within, balance, account

    static let required: [Column] = [.line, .coin, .change]
  }

  /// A change of one coin or currency.
  struct Movement {
    let line: Int

    /// The coin or currency in capitals.
    let unit: String
    let change: DecimalParts
  }

  /// The sums of one coin or currency.
  package struct Sum: Hashable, Sendable {
    /// The coin or currency, as the file calls it, in capitals.
    package let unit: String

    /// The change that the rows of the file state.
    package let stated: Decimal

    /// The change that the import records, with what is left out.
    package let recorded: Decimal

    /// Creates a sum.
    package init(unit: String, stated: Decimal, recorded: Decimal) {
      self.unit = unit
      self.stated = stated
      self.recorded = recorded
    }
  }

  private struct Line {
    var stated = DecimalParts.zero
    var recorded = DecimalParts.zero
    var within = DecimalParts.zero

    var difference: DecimalParts? { stated.subtracting(recorded) }
  }

  private struct Account {
    var balance: Decimal
    var digits: Int
    var waiting: [(line: Int, change: Decimal, balance: Decimal, digits: Int)] = []
  }

  private let isByLine: Bool
  private let hasBalances: Bool
  private let columns: [Column]
  private var lines: [String: [Int: Line]] = [:]
  private var accounts: [String: (unit: String, account: Account)] = [:]

  /// Starts a proof.
  ///
  /// - Parameter columns: The columns of the SELECT, in its order.
  init(_ columns: [Column]) {
    self.columns = columns
    isByLine = columns.contains(.within)
    hasBalances = columns.contains(.balance)
  }

  // MARK: What the file states

  /// Adds a row of the SELECT; a row without a change has no effect.
  ///
  /// - Parameter money: The unit of a change without a coin.
  mutating func add(_ row: SandboxRow, money: String, _ faults: inout ImportFaults) {
    var line = 1
    var texts: [Column: String] = [:]
    for (index, column) in columns.enumerated() {
      do throws(ColumnProblem) {
        if column == .line { line = try row.whole(index) } else { texts[column] = try row.plain(index) }
      } catch {
        return faults.add("movements: \(column.rawValue): \(error)", line: line)
      }
    }
    guard !texts.values.contains(Outline.toDo) else {
      return faults.add(
        "movements: the import file says TODO; fill it in there, see docs/imports.md", line: line, cause: "TODO")
    }
    func number(_ column: Column) -> Decimal? {
      guard let text = texts[column] else { return nil }
      guard let number = try? Decimal(strict: text) else {
        faults.add("movements: \(column.rawValue): \"\(text.printable(limit: 60))\" is not a number", line: line)
        return nil
      }
      return number
    }
    guard let change = number(.change) else { return }
    let unit = texts[.coin]?.uppercased() ?? money
    update(unit, line) { $0.stated = $0.stated.totalling(DecimalParts(change) ?? .zero) ?? $0.stated }
    if let within = number(.within) { update(unit, line) { $0.within = DecimalParts(within) ?? .zero } }
    if let balance = number(.balance) {
      let digits = [texts[.change], texts[.balance]].map { Self.digits(of: $0 ?? "") }.max() ?? 0
      follow(unit, texts[.account] ?? "", (line, change, balance, digits))
    }
  }

  private mutating func update(_ unit: String, _ line: Int, _ change: (inout Line) -> Void) {
    change(&lines[unit, default: [:]][line, default: Line()])
  }

  /// Returns the number of digits after the point.
  private static func digits(of text: String) -> Int {
    text.utf8.firstIndex(of: UInt8(ascii: ".")).map { text.utf8.distance(from: $0, to: text.utf8.endIndex) - 1 } ?? 0
  }

  /// The most rows of one account that may stand before the row that they follow, as rows of one instant do.
  private static let mostWaiting = 50

  private mutating func follow(
    _ unit: String, _ name: String, _ row: (line: Int, change: Decimal, balance: Decimal, digits: Int)
  ) {
    let key = "\(unit)\u{0}\(name)"
    guard var (_, account) = accounts[key] else {
      accounts[key] = (unit, Account(balance: row.balance, digits: row.digits))
      return
    }
    guard account.waiting.count < Self.mostWaiting else { return }
    account.waiting.append(row)
    while let next = account.waiting.firstIndex(where: { Self.isNext($0, account) }) {
      let row = account.waiting.remove(at: next)
      (account.balance, account.digits) = (row.balance, row.digits)
    }
    accounts[key] = (unit, account)
  }

  /// Returns whether a balance follows another, to one unit of the last digit that the file gives of either.
  private static func isNext(
    _ row: (line: Int, change: Decimal, balance: Decimal, digits: Int), _ account: Account
  ) -> Bool {
    let difference = account.balance + row.change - row.balance
    return abs(difference) <= Decimal(sign: .plus, exponent: -max(row.digits, account.digits), significand: 1)
  }

  // MARK: What is recorded

  /// Adds a change that is recorded or left out.
  mutating func record(_ movement: Movement) {
    update(movement.unit, movement.line) {
      $0.recorded = $0.recorded.totalling(movement.change) ?? $0.recorded
    }
  }

  // MARK: The proof

  /// Compares the sums and follows the balances; each coin that does not add up is a fault.
  ///
  /// - Returns: The sums, sorted by coin and currency.
  func sums(_ faults: inout ImportFaults) -> [Sum] {
    var sums: [Sum] = []
    for (unit, lines) in lines.sorted(by: { $0.key < $1.key }) {
      let sorted = lines.sorted { $0.key < $1.key }
      let stated = sorted.reduce(DecimalParts.zero) { $0.totalling($1.value.stated) ?? $0 }
      let recorded = sorted.reduce(DecimalParts.zero) { $0.totalling($1.value.recorded) ?? $0 }
      if let line = firstDifference(sorted) {
        faults.add(
          "\(unit.printable(limit: 40)) is not conserved: the rows of the file come to \(Self.signed(stated)), the import to "
            + "\(Self.signed(recorded)); they differ from this row on", line: line)
      }
      guard let stated = stated.decimal, let recorded = recorded.decimal, stated != 0 || recorded != 0 else { continue }
      sums.append(Sum(unit: unit, stated: stated, recorded: recorded))
    }
    for (unit, account) in accounts.values {
      guard let row = account.waiting.first else { continue }
      faults.add(
        "balance of \(unit.printable(limit: 40)): \(row.balance.plainText) does not follow from \(account.balance.plainText) and "
          + "\(row.change.plainText); rows before it are missing, or changed", line: row.line,
        near: .text(row.balance.plainText))
    }
    return sums
  }

  private static func signed(_ parts: DecimalParts) -> String {
    let text = parts.decimal?.plainText ?? "?"
    return parts.isNegative || parts.isZero ? text : "+" + text
  }

  /// Returns the first line from which the stated and the recorded changes differ; nil when they agree.
  private func firstDifference(_ lines: [(key: Int, value: Line)]) -> Int? {
    if isByLine {
      return lines.first { _, line in
        guard var difference = line.difference else { return true }
        difference.isNegative = false
        return line.within.subtracting(difference)?.isBelowZero ?? true
      }?.key
    }
    var difference = DecimalParts.zero
    var first: Int?
    for (number, line) in lines {
      guard let next = line.difference.flatMap({ difference.adding($0) }) else { return number }
      if next.isZero { first = nil } else if difference.isZero { first = number }
      difference = next
    }
    return first
  }
}
