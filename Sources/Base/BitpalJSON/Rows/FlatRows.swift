import BitpalModel

/// A reader for rows of texts that a ``CSVReader`` has just written, which needs a tenth of SQLite's time for two
/// columns of a long sheet.
///
/// It requires an array of objects with the same members in the same order and without escapes. It reads no other text.
package struct FlatRows {
  /// The columns, and the member from which each is taken.
  private let columns: [String]
  private let members: [String]

  /// Whether each column is returned as a text, without the quotes of JSON.
  private let areTexts: [Bool]

  /// Creates a reader.
  ///
  /// - Parameter columns: Each column, its member, and whether it is a text and not a number or a time.
  package init(_ columns: [(name: String, member: String, isText: Bool)]) {
    self.columns = columns.map(\.name)
    members = columns.map(\.member)
    areTexts = columns.map(\.isText)
  }

  /// Calls `row` with each row, within the budget of a SELECT.
  ///
  /// - Returns: False, with nothing read, when the text does not have the required form.
  /// - Throws: ``Sandbox/Failure/overBudget(_:)``, ``Sandbox/Failure/failed(_:)`` for a row unlike the first, or the
  ///   errors of `row`.
  package func forEach(in json: [UInt8], _ row: (SandboxRow) throws -> Void) throws -> Bool {
    try json.withUnsafeBufferPointer { try forEach(in: $0, row) }
  }

  private func forEach(in json: UnsafeBufferPointer<UInt8>, _ row: (SandboxRow) throws -> Void) throws -> Bool {
    guard !json.contains(UInt8(ascii: "\\")), let keys = Self.keys(of: json) else { return false }
    let places = members.map { member in keys.firstIndex { String(decoding: json[$0], as: UTF8.self) == member } }
    guard !places.contains(nil) else { return false }
    let guardian = SandboxGuard()
    guardian.beginRun(.standard, body: json.count)
    defer { guardian.end() }
    var values = [Range<Int>](repeating: 0..<0, count: keys.count)
    var index = 1
    var count = 0
    // The rows are between the brackets of the array.
    while index < json.count - 1 {
      for (position, key) in keys.enumerated() {
        // `{"` or `,"` before the key, `":"` after it.
        let start = index + 2 + key.count + 3
        guard start < json.count, let end = json[start...].firstIndex(of: UInt8(ascii: "\"")) else {
          throw Sandbox.Failure.failed("a row is unlike the first")
        }
        values[position] = (start - 1)..<(end + 1)
        index = end + 1
      }
      let cells = zip(places, areTexts).map { place, isText -> UnsafeBufferPointer<UInt8> in
        let value = values[place ?? 0]
        return UnsafeBufferPointer(
          rebasing: json[isText ? (value.lowerBound + 1)..<(value.upperBound - 1) : value])
      }
      try row(SandboxRow(cells: cells, columns: columns, guardian: guardian))
      guardian.countOutput(Sandbox.Budget.rowBytes)
      count += 1
      if count % 1024 == 0 { guardian.checkTime() }
      if let overrun = guardian.overrun { throw Sandbox.Failure.overBudget(overrun) }
      // Skips `}` and the comma before the next row, whose brace is the byte before the key.
      index += 2
    }
    return true
  }

  /// Returns the ranges of the keys of the first row; nil without such a row.
  private static func keys(of json: UnsafeBufferPointer<UInt8>) -> [Range<Int>]? {
    guard json.count > 2, json[0] == UInt8(ascii: "["), json[1] == UInt8(ascii: "{") else { return nil }
    var keys: [Range<Int>] = []
    var index = 1
    while index + 1 < json.count, json[index + 1] == UInt8(ascii: "\"") {
      let start = index + 2
      guard let end = json[start...].firstIndex(of: UInt8(ascii: "\"")), end + 3 < json.count,
        json[end + 1] == UInt8(ascii: ":"), json[end + 2] == UInt8(ascii: "\""),
        let close = json[(end + 3)...].firstIndex(of: UInt8(ascii: "\""))
      else { return nil }
      keys.append(start..<end)
      index = close + 1
      guard index < json.count, json[index] == UInt8(ascii: ",") else { break }
    }
    return keys.isEmpty ? nil : keys
  }
}
