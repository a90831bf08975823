/// Arrays that stand side by side, an array for each column, made rows.
///
/// SQLite 3.40 walks over an array from its beginning for each element that is asked for, so a join of two by position
/// takes as long as the square of their length.
package enum JSONColumns {
  /// Why there are no rows; columns are counted from 0.
  package enum Failure: Error, Hashable, Sendable {
    /// A column is no array.
    case noArray(Int)

    /// A column has another length than the first.
    case unequal(Int, count: Int, first: Int)
  }

  /// A JSON array of rows, each an array of the elements that stand at one place, as the very text that they have.
  ///
  /// A place at which one of the columns has null is no row.
  ///
  /// - Parameter columns: The text of each array, without layout.
  package static func rows(_ columns: [String]) throws -> [UInt8] {
    var columns = columns
    return try withParts(of: &columns, from: 0, []) { parts in
      let first = parts.first?.count ?? 0
      for (index, column) in parts.enumerated() where column.count != first {
        throw Failure.unequal(index, count: column.count, first: first)
      }
      var rows: [UInt8] = [UInt8(ascii: "[")]
      for place in 0..<first where !parts.contains(where: { $0[place].elementsEqual("null".utf8) }) {
        if rows.count > 1 { rows.append(UInt8(ascii: ",")) }
        for (index, column) in parts.enumerated() {
          rows.append(UInt8(ascii: index == 0 ? "[" : ","))
          rows += column[place]
        }
        rows.append(UInt8(ascii: "]"))
      }
      return rows + [UInt8(ascii: "]")]
    }
  }

  private typealias Parts = [UnsafeBufferPointer<UInt8>]

  /// Calls `use` with the elements of every column; what they point at is good only within the call.
  private static func withParts<Result>(
    of columns: inout [String], from index: Int, _ found: [Parts], _ use: ([Parts]) throws -> Result
  ) throws -> Result {
    guard index < columns.count else { return try use(found) }
    var column = columns[index]
    return try column.withUTF8 { text in
      guard text.first == UInt8(ascii: "[") else { throw Failure.noArray(index) }
      var parts: Parts = []
      JSONArrayText.split(text, into: &parts)
      return try withParts(of: &columns, from: index + 1, found + [parts], use)
    }
  }
}
