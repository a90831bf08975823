package import BitpalJSON

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
