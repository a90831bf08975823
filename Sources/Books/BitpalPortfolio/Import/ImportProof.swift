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

    fileprivate var place: Int {
      switch self {
      case .line: 0
      case .coin: 1
      case .change: 2
      case .within: 3
      case .balance: 4
      case .account: 5
      }
    }
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

    /// The balance before the first row; zero where the file states none.
    package let opening: Decimal

    /// Creates a sum.
    package init(unit: String, stated: Decimal, recorded: Decimal, opening: Decimal = 0) {
      self.unit = unit
      self.stated = stated
      self.recorded = recorded
      self.opening = opening
    }
  }

  /// The changes of one coin or currency.
  private struct Unit {
    var stated = DecimalParts.zero
    var recorded = DecimalParts.zero

    /// The lines that were compared.
    var compared = LineSet()

    /// The stated changes less the recorded ones, by line; most lines differ by nothing and are not kept.
    var differences: [UInt32: DecimalParts] = [:]

    /// The tolerance of most lines, the lines that have it, and those of other lines.
    var usual: DecimalParts?
    var usualLines = LineSet()
    var tolerances: [UInt32: DecimalParts] = [:]

    /// Adds a change that the file states, and compares the first one of a line with what is recorded on it.
    mutating func state(
      _ change: DecimalParts, within tolerance: DecimalParts?, on line: UInt32, against recorded: [Movement],
      of name: String
    ) {
      stated = stated.totalling(change) ?? stated
      var difference = differences[line] ?? .zero
      difference = difference.totalling(change) ?? difference
      if compared.insert(Int(line)) {
        for movement in recorded where movement.unit == name {
          difference = difference.totalling(movement.change.negated) ?? difference
        }
      }
      if !difference.isZero { differences[line] = difference } else if !differences.isEmpty { differences[line] = nil }
      if let tolerance { allow(tolerance, on: line) }
    }

    /// Adds a change that is recorded; on a line for which the file states nothing of the coin it is a difference.
    mutating func record(_ change: DecimalParts, on line: UInt32) {
      recorded = recorded.totalling(change) ?? recorded
      guard !compared.contains(Int(line)) else { return }
      let difference = differences[line] ?? .zero
      differences[line] = difference.totalling(change.negated) ?? difference
    }

    func tolerance(_ line: UInt32) -> DecimalParts {
      tolerances[line] ?? (usualLines.contains(Int(line)) ? usual : nil) ?? .zero
    }

    private mutating func allow(_ tolerance: DecimalParts, on line: UInt32) {
      if tolerance.isZero, !usualLines.contains(Int(line)) { return tolerances[line] = nil }
      let isUsual = usual.map { $0 == tolerance } ?? true
      if isUsual { (usual, tolerances[line]) = (tolerance, nil) } else { tolerances[line] = tolerance }
      if isUsual { usualLines.insert(Int(line)) }
    }
  }

  /// The texts of a row by column; an array that all rows share, because a file may have a hundred thousand.
  private struct Texts {
    private(set) var all = [String?](repeating: nil, count: Column.allCases.count)

    subscript(column: Column) -> String? {
      get { all[column.place] }
      set { all[column.place] = newValue }
    }
  }

  private struct AccountName: Hashable {
    let unit: String
    let account: String
  }

  private struct Account {
    var balance: Decimal
    var digits: Int
    var waiting: [(line: Int, change: Decimal, balance: Decimal, digits: Int)] = []
  }

  private let isByLine: Bool
  private let hasBalances: Bool
  private let columns: [Column]
  private let recorded: RecordedChanges

  /// The line of ``recent``.
  private var recentLine: Int?

  /// The changes that are recorded on the line that was asked for last.
  private var recent: [Movement] = []
  private var texts = Texts()

  /// The lines of which the file states a change.
  private(set) var lines = LineSet()
  private var units: [String: Unit] = [:]
  private var accounts: [AccountName: Account] = [:]

  /// The balances before the first rows of all accounts, by unit.
  private var openings: [String: Decimal] = [:]

  /// Starts a proof.
  ///
  /// - Parameters:
  ///   - columns: The columns of the SELECT, in its order.
  ///   - recorded: The changes that are recorded or left out.
  init(_ columns: [Column], recorded: RecordedChanges) {
    self.columns = columns
    self.recorded = recorded
    isByLine = columns.contains(.within)
    hasBalances = columns.contains(.balance)
  }

  // MARK: What the file states

  /// Adds a row of the SELECT; a row without a change has no effect.
  ///
  /// - Parameter money: The unit of a change without a coin.
  mutating func add(_ row: SandboxRow, money: String, _ faults: inout ImportFaults) {
    var line = 1
    for (index, column) in columns.enumerated() {
      do throws(ColumnProblem) {
        if column == .line { line = try row.whole(index) } else { texts[column] = try row.plain(index) }
      } catch {
        return faults.add("movements: \(column.rawValue): \(error)", line: line)
      }
    }
    guard !texts.all.contains(Outline.toDo) else {
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
    // A balance has to follow from the one before it also where the row does not say by how much it changed.
    guard let change = number(.change) ?? (texts[.balance] == nil ? nil : 0) else { return }
    lines.insert(line)
    let unit = texts[.coin]?.uppercased() ?? money
    state(DecimalParts(change) ?? .zero, within: number(.within).flatMap { DecimalParts($0) }, of: unit, on: line)
    if let balance = number(.balance) {
      let digits = [texts[.change], texts[.balance]].map { Self.digits(of: $0 ?? "") }.max() ?? 0
      follow(unit, texts[.account] ?? "", (line, change, balance, digits))
    }
  }

  private mutating func state(_ change: DecimalParts, within tolerance: DecimalParts?, of name: String, on line: Int) {
    if recentLine != line {
      var changes: [Movement] = []
      swap(&changes, &recent)
      changes.removeAll(keepingCapacity: true)
      recorded.on(line) { changes.append($0) }
      (recentLine, recent) = (line, changes)
    }
    units[name, default: Unit()].state(change, within: tolerance, on: UInt32(clamping: line), against: recent, of: name)
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
    let key = AccountName(unit: unit, account: name)
    guard var account = accounts[key] else {
      let opening = row.balance - row.change
      if opening > Decimal(sign: .plus, exponent: -row.digits, significand: 1) { openings[unit, default: 0] += opening }
      accounts[key] = Account(balance: row.balance, digits: row.digits)
      return
    }
    if account.waiting.isEmpty, Self.isNext(row, account) {
      accounts[key] = Account(balance: row.balance, digits: row.digits)
      return
    }
    guard account.waiting.count < Self.mostWaiting else { return }
    account.waiting.append(row)
    while let next = account.waiting.firstIndex(where: { Self.isNext($0, account) }) {
      let row = account.waiting.remove(at: next)
      (account.balance, account.digits) = (row.balance, row.digits)
    }
    accounts[key] = account
  }

  /// Returns whether a balance follows another, to one unit of the last digit that the file gives of either.
  private static func isNext(
    _ row: (line: Int, change: Decimal, balance: Decimal, digits: Int), _ account: Account
  ) -> Bool {
    if let balance = DecimalParts(account.balance), let change = DecimalParts(row.change),
      let next = DecimalParts(row.balance), balance.adding(change)?.subtracting(next)?.isZero == true
    {
      return true
    }
    let difference = account.balance + row.change - row.balance
    return abs(difference) <= Decimal(sign: .plus, exponent: -max(row.digits, account.digits), significand: 1)
  }

  // MARK: The proof

  /// Compares the sums and follows the balances; each coin that does not add up is a fault.
  ///
  /// - Returns: The sums, sorted by coin and currency.
  mutating func sums(_ faults: inout ImportFaults) -> [Sum] {
    var units: [String: Unit] = [:]
    swap(&units, &self.units)
    recorded.forEach { movement in
      units[movement.unit, default: Unit()].record(movement.change, on: UInt32(clamping: movement.line))
    }
    var sums: [Sum] = []
    for (name, unit) in units.sorted(by: { $0.key < $1.key }) {
      if let line = firstDifference(unit) {
        faults.add(
          "\(name.printable(limit: 40)) is not conserved: the rows of the file come to \(Self.signed(unit.stated)), the import "
            + "to \(Self.signed(unit.recorded)); they differ from this row on", line: Int(line))
      }
      let opening = openings[name] ?? 0
      guard let stated = unit.stated.decimal, let recorded = unit.recorded.decimal,
        stated != 0 || recorded != 0 || opening != 0
      else { continue }
      sums.append(Sum(unit: name, stated: stated, recorded: recorded, opening: opening))
    }
    for (name, account) in accounts {
      guard let row = account.waiting.first else { continue }
      faults.add(
        "balance of \(name.unit.printable(limit: 40)): \(row.balance.plainText) does not follow from \(account.balance.plainText) and "
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
  private func firstDifference(_ unit: Unit) -> UInt32? {
    let lines = unit.differences.sorted { $0.key < $1.key }
    if isByLine {
      return lines.first { line, difference in
        var size = difference
        size.isNegative = false
        return unit.tolerance(line).subtracting(size)?.isBelowZero ?? true
      }?.key
    }
    var difference = DecimalParts.zero
    var first: UInt32?
    for (line, change) in lines {
      guard let next = difference.adding(change) else { return line }
      if next.isZero { first = nil } else if difference.isZero { first = line }
      difference = next
    }
    return first
  }
}
