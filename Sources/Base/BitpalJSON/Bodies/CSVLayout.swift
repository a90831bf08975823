/// The layout of a source's CSV.
package struct CSVLayout: Hashable, Sendable {
  /// The places of the names of the columns.
  package enum Header: Hashable, Sendable {
    /// The names are in the first line.
    case first

    /// There are none; the columns are `c0`, `c1`, ….
    case none

    /// The names are in the provider file; the first line is a row.
    case names([String])
  }

  /// The ASCII character between two fields.
  package var delimiter: UInt8

  /// The place of the names of the columns.
  package var header: Header

  /// Creates a layout.
  package init(delimiter: UInt8 = UInt8(ascii: ","), header: Header = .first) {
    self.delimiter = delimiter
    self.header = header
  }
}
