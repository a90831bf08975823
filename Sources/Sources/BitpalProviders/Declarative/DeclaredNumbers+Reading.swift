import BitpalJSON
import BitpalModel
import FoundationEssentials

extension CompiledOperation {
  /// Returns the price in a column, multiplied by `factor` and then inverted, where the file says so; nil for null.
  ///
  /// - Throws: ``/BitpalJSON/ColumnProblem`` for zero that is to be inverted, and for a product of more than 38 digits.
  func price(_ row: SandboxRow, _ column: Int) throws(ColumnProblem) -> Decimal? {
    guard var price = try row.decimal(column) else { return nil }
    let numbers = declared.numbers
    let name = columns.indices.contains(column) ? columns[column] : ""
    if let factor = numbers.factor {
      guard let product = price.exactProduct(factor) else {
        throw .failed("\(name) times the factor \(factor.plainText) has more than 38 digits")
      }
      price = product
    }
    guard numbers.isInverted else { return price }
    guard let inverse = try? Decimal(1).ratio(to: price) else { throw .failed("\(name) is 0, which has no inverse") }
    return inverse
  }
}

extension DeclaredOperation {
  private static let textColumns: Set<String> = ["id", "symbol", "name", "image"]
  private static let timeColumns: Set<String> = ["time", "ath_date", "atl_date"]

  /// Returns whether the SELECT returns a field without the quotes of JSON.
  func isText(_ field: Field) -> Bool {
    if case .pattern = time, Self.timeColumns.contains(field.name) { return true }
    return Self.textColumns.contains(field.name)
  }

  /// Returns the SQL of the value at a path of the short form.
  ///
  /// Texts are taken out of their quotes (`->>`); numbers are not (`->`), because SQLite would make a `double` of them.
  func value(of field: Field, at path: String) -> String {
    let value = "row.value \(isText(field) ? "->>" : "->") \(path)"
    return hasMarks(in: field.name) ? "number(\(value), '\(field.name)')" : value
  }

  /// Returns whether SQL lacks a call of `number(…)` although the source's numbers have marks, so that it might misread them.
  ///
  /// - Parameters:
  ///   - sql: The SQL.
  ///   - column: The column of the expression; nil for a whole SELECT.
  func lacksNumber(_ sql: String, in column: String? = nil) -> Bool {
    guard column.map({ hasMarks(in: $0) }) ?? (numbers.marks != nil) else { return false }
    return !sql.lowercased().split(whereSeparator: { $0.isWhitespace }).joined().contains("number(")
  }

  private func hasMarks(in column: String) -> Bool {
    numbers.marks != nil && !Self.textColumns.contains(column) && !Self.timeColumns.contains(column)
  }
}

extension OperationCompiler {
  /// The advice for an expression that ignores `number:`.
  static let numberAdvice = "with number:, the texts of numbers are read by number(…): number(row.value->'$.price')"
}
