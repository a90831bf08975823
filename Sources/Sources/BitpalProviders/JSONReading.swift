import BitpalJSON
import BitpalModel
import BitpalNetwork

/// A reader of bodies for dialects: SQL over JSON, with every failure turned into `.unreadable`.
struct JSONReading {
  /// The required type of the outermost value of a body.
  enum Shape: String {
    case array = "["
    case object = "{"
  }

  /// The provider of the answer, for the error.
  let provider: String

  private static let readers = JSONRowsPool()

  /// Runs `sql` over the body and calls `row` for each row; `?1` is the body, and `?2`… are `parameters`.
  ///
  /// - Throws: `BitpalError.unreadable`, or any error of `row`.
  func rows(
    _ sql: String, in body: [UInt8], expecting shape: Shape, parameters: [String] = [],
    _ row: (JSONRow) throws -> Void
  ) throws {
    try read(body, expecting: shape) { try $0.forEach(sql, in: body, parameters: parameters, row) }
  }

  /// Calls `row` with the members of each element of the array at `path`.
  ///
  /// `members` has the name of each member, and its path inside the element.
  ///
  /// - Throws: `BitpalError.unreadable`, or any error of `row`.
  func elements(
    of path: String = "$", in body: [UInt8], expecting shape: Shape, members: KeyValuePairs<String, String>,
    _ row: (JSONMembers) throws -> Void
  ) throws {
    try read(body, expecting: shape) { try $0.forEachElement(of: path, in: body, members: members, row) }
  }

  /// Calls `use` with members of the body itself, each given by its name and its path.
  ///
  /// - Throws: `BitpalError.unreadable`, or any error of `use`.
  func members(
    of body: [UInt8], expecting shape: Shape, _ members: KeyValuePairs<String, String>,
    _ use: (JSONMembers) throws -> Void
  ) throws {
    try read(body, expecting: shape) { try $0.withMembers(of: body, members, use) }
  }

  private func read(_ body: [UInt8], expecting shape: Shape, _ read: (JSONRows) throws -> Void) throws {
    let first = body.first { $0 > 0x20 }
    guard first == shape.rawValue.utf8.first else {
      if body.isWebPage { throw unreadable("it is a web page instead of JSON, as sources send that block an address") }
      let start = body.isEmpty ? "it is empty" : "it starts with \(String(decoding: body.prefix(60), as: UTF8.self))"
      throw unreadable("it should be a JSON \(shape), but \(start)")
    }
    do {
      try Self.readers.withRows(read)
    } catch let problem as ColumnProblem {
      throw unreadable(problem.description)
    } catch JSONRows.Failure.notJSON(let start) {
      throw unreadable("it is not JSON; it starts with \(start)")
    } catch JSONRows.Failure.failed(let message) {
      throw unreadable(message)
    }
  }

  func unreadable(_ reason: String) -> BitpalError {
    .unreadable(provider: provider, reason: reason)
  }

  /// Returns the failure of an answer about a coin that was not asked for.
  func anotherCoin(_ id: String, asked coin: String) -> BitpalError {
    unreadable(Self.anotherCoin(id, asked: coin))
  }

  static func anotherCoin(_ id: String, asked coin: String) -> String {
    "it is about \"\(id.printable(limit: 80))\", not \"\(coin.printable(limit: 80))\""
  }
}

extension [UInt8] {
  /// Whether a body is a web page, by its first 600 bytes.
  var isWebPage: Bool {
    let start = String(decoding: prefix(600), as: UTF8.self).lowercased()
    return start.contains("<html") || start.contains("<!doctype html")
  }
}
