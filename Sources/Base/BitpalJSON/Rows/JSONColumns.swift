/// A conversion of parallel arrays, one array per column, to rows.
///
/// SQLite 3.40 walks over an array from its start for each element, so a join of two arrays by position takes time that
/// grows with the square of their length.
package enum JSONColumns {
  /// The reason why the rows are missing; columns are counted from 0.
  package enum Failure: Error, Hashable, Sendable {
    /// A column is not an array.
    case noArray(Int)

    /// A column differs in length from the first.
    case unequal(Int, count: Int, first: Int)
  }

  /// Returns a JSON array of rows, each an array of the elements at one position, with their text unchanged.
  ///
  /// A position at which one of the columns has null gives no row.
  ///
  /// - Parameter columns: The text of each array, minified.
  /// - Throws: ``Failure``.
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

  /// Calls `use` with the elements of every column; the pointers are valid only during the call.
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
