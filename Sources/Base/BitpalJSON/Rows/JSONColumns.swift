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
    let columns = columns.map { Array($0.utf8) }
    var parts: [[Range<Int>]] = []
    for (index, column) in columns.enumerated() {
      parts.append(try column.withUnsafeBufferPointer { try elements($0, index) })
    }
    let first = parts.first?.count ?? 0
    for (index, column) in parts.enumerated() where column.count != first {
      throw Failure.unequal(index, count: column.count, first: first)
    }
    var rows: [UInt8] = [UInt8(ascii: "[")]
    for place in 0..<first {
      let row = zip(columns, parts).map { $0[$1[place]] }
      if row.contains(where: { $0.elementsEqual("null".utf8) }) { continue }
      if rows.count > 1 { rows.append(UInt8(ascii: ",")) }
      for (index, element) in row.enumerated() {
        rows.append(UInt8(ascii: index == 0 ? "[" : ","))
        rows += element
      }
      rows.append(UInt8(ascii: "]"))
    }
    return rows + [UInt8(ascii: "]")]
  }

  private static func elements(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) throws(Failure) -> [Range<Int>] {
    guard text.first == UInt8(ascii: "["), StrictJSON.isCanonical(text) else { throw .noArray(index) }
    var (elements, ranges) = (JSONElements(JSONNode(text)), [Range<Int>]())
    while elements.next() { ranges.append(elements.offset..<(elements.offset + elements.value().bytes.count)) }
    return ranges
  }
}
