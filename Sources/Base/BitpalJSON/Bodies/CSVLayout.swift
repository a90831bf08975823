/// The layout of a source's CSV.
package struct CSVLayout: Hashable, Sendable {
  /// The places of the names of the columns.
  package enum Header: Hashable, Sendable {
    /// The names are in the first line of the table.
    case first

    /// There are none; the columns are `c0`, `c1`, ….
    case none

    /// The names are in the provider file; the first line of the table is a row.
    case names([String])
  }

  /// The ASCII character between two fields.
  package var delimiter: UInt8

  /// The place of the names of the columns.
  package var header: Header

  /// The number of lines above the table, which need not be CSV.
  ///
  /// A line `sep=;` above everything is not counted: it sets the delimiter. Without a number, the header is the first
  /// line that has the columns which are read.
  package var skip: Int

  /// Creates a layout.
  package init(delimiter: UInt8 = UInt8(ascii: ","), header: Header = .first, skip: Int = 0) {
    self.delimiter = delimiter
    self.header = header
    self.skip = skip
  }
}
