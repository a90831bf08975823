/// The form of an answer's body.
package enum DeclaredBody: Hashable, Sendable {
  /// JSON (RFC 8259).
  case json

  /// CSV; each line becomes an object with a text for each column.
  case csv(CSVLayout)

  /// XML; the elements become objects.
  case xml

  /// The name of the form in provider files.
  package var name: String {
    switch self {
    case .json: "json"
    case .csv: "csv"
    case .xml: "xml"
    }
  }

  /// The media types that a request accepts.
  package var mediaTypes: String {
    switch self {
    case .json: "application/json"
    case .csv: "text/csv"
    case .xml: "application/xml, text/xml"
    }
  }
}

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
