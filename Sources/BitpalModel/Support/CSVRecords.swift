/// The records of a CSV file of the user's, as RFC 4180 has them: quoted fields, doubled quotes, line ends of either kind,
/// also inside quotes; each field with its place, for messages.
package struct CSVRecords {
  /// A field and where it begins, counted from 1 in lines and characters.
  package struct Field: Equatable, Sendable {
    package let text: String

    /// The line of its beginning, counted from 1.
    package let line: Int
    package let column: Int
  }

  /// A text that is not CSV.
  package struct Failure: Error, Equatable {
    package let message: String
    package let line: Int
    package let column: Int

    package init(message: String, line: Int, column: Int) {
      self.message = message
      self.line = line
      self.column = column
    }
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var column = 1

  private init(_ text: String) {
    var scalars = Array(text.unicodeScalars)
    // Spreadsheets begin their files with a byte order mark.
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    self.scalars = scalars
  }

  /// All records; empty lines are none.
  package static func read(_ text: String) throws(Failure) -> [[Field]] {
    var reader = CSVRecords(text)
    var records: [[Field]] = []
    while reader.index < reader.scalars.count {
      let record = try reader.record()
      if record.count > 1 || record.first?.text != "" { records.append(record) }
    }
    return records
  }

  private mutating func record() throws(Failure) -> [Field] {
    var fields: [Field] = []
    while true {
      let (line, column) = (line, column)
      let text = current == "\"" ? try quoted() : try bare()
      fields.append(Field(text: text, line: line, column: column))
      if current == "," {
        advance()
        continue
      }
      if current == "\r" { advance() }
      if current == "\n" { advance() }
      return fields
    }
  }

  private mutating func bare() throws(Failure) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = current, scalar != ",", scalar != "\r", scalar != "\n" {
      guard scalar != "\"" else {
        throw Failure(message: "a quote inside a field that does not begin with one", line: line, column: column)
      }
      text.append(scalar)
      advance()
    }
    return String(text)
  }

  private mutating func quoted() throws(Failure) -> String {
    let (startLine, startColumn) = (line, column)
    var text = String.UnicodeScalarView()
    advance()
    while let scalar = current {
      advance()
      if scalar != "\"" {
        text.append(scalar)
      } else if current == "\"" {
        text.append("\"")
        advance()
      } else {
        guard current == nil || current == "," || current == "\r" || current == "\n" else {
          throw Failure(message: "text after the closing quote of a field", line: line, column: column)
        }
        return String(text)
      }
    }
    throw Failure(message: "a quote that is never closed", line: startLine, column: startColumn)
  }

  private var current: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func advance() {
    let scalar = scalars[index]
    index += 1
    // A carriage return alone ends a line, before a line feed it belongs to it.
    if scalar == "\n" || scalar == "\r" && current != "\n" {
      line += 1
      column = 1
    } else {
      column += 1
    }
  }
}
