import BitpalJSON
import BitpalModel

/// The rows of a line or of candles: those that can be read, and what became of the others.
struct SeriesRows<Point> {
  /// What could be read, in the order of the rows.
  private(set) var points: [Point] = []

  /// What is wrong with the first row that cannot be read; nil when nothing is.
  private(set) var problem: ColumnProblem?

  private var unreadable = 0
  private var nulls = 0

  /// Whether there was no row at all.
  var isEmpty: Bool { points.isEmpty && unreadable == 0 && nulls == 0 }

  /// Adds a row.
  ///
  /// - Parameter read: The row's point; nil when one of its values is null.
  /// - Throws: Whatever `read` throws that is no ``/BitpalSQLite/ColumnProblem``.
  mutating func add(_ read: () throws -> Point?) throws {
    do {
      if let point = try read() { points.append(point) } else { nulls += 1 }
    } catch let problem as ColumnProblem {
      unreadable += 1
      self.problem = self.problem ?? problem
    }
  }

  /// What was odd about the rows.
  ///
  /// - Parameters:
  ///   - invalid: How many of the points broke a rule.
  ///   - isRounded: Whether a number had more digits than fit.
  func warnings(invalid: Int, isRounded: Bool) -> [AnswerWarning] {
    var warnings: [AnswerWarning] = []
    if nulls > 0 { warnings.append(.droppedRows(count: nulls, reason: "the price is null")) }
    if let problem { warnings.append(.droppedRows(count: unreadable, first: problem)) }
    if invalid > 0 {
      warnings.append(.droppedRows(count: invalid, reason: "negative prices, or a high or low that is not one"))
    }
    if isRounded { warnings.append(.roundedNumbers) }
    return warnings
  }
}

extension AnswerWarning {
  /// Rows that cannot be read were left out; what is wrong with the first tells what is wrong with the others.
  static func droppedRows(count: Int, first problem: ColumnProblem) -> AnswerWarning {
    .droppedRows(count: count, reason: count == 1 ? "\(problem)" : "of the first, \(problem)")
  }
}
