import BitpalJSON
import BitpalModel

/// A compiler of the operations of a provider file, which makes one SELECT of each form.
///
/// It finds every fault before the first request.
struct OperationCompiler {
  /// The parameters that a SELECT may name.
  static let parameters = [":body", ":id", ":ID", ":symbol", ":SYMBOL", ":currency", ":CURRENCY"]

  /// The connection that has compiled the statements of the operations without a fault.
  let connection: SandboxPool.Connection
  private(set) var issues: [ConfigurationIssue] = []

  /// The content type of request bodies in the file; nil where it states none.
  let contentType: String?

  /// Creates a compiler with a connection of its own.
  ///
  /// - Throws: `Sandbox.Failure` when SQLite has no memory for the connection.
  init(contentType: String?) throws(Sandbox.Failure) {
    connection = try SandboxPool.Connection()
    self.contentType = contentType
  }

  /// Returns the compiled operation; nil for an operation with faults, which are added to ``issues``.
  mutating func compile(_ capability: Capability, _ operation: DeclaredOperation) -> CompiledOperation? {
    let count = issues.count
    let (sql, from, place) = select(capability, operation)
    guard issues.count == count else { return nil }
    let statement: SandboxStatement
    do throws(Sandbox.Failure) {
      statement = try connection.prepare(sql)
    } catch {
      var offset: Int?
      if case .select = operation.rows { offset = error.offset }
      issues.append(place.issue(error.message, at: offset))
      return nil
    }
    check(statement, capability, operation, place)
    let arrays = self.arrays(of: operation)
    let days = self.days(of: operation)
    let body = self.body(of: operation)
    if let next = operation.next { check(path: next) }
    guard issues.count == count else { return nil }
    return CompiledOperation(
      declared: operation, sql: sql, from: from, place: place, columns: statement.columns,
      parameters: statement.parameters + (arrays?.parameters ?? []) + (days?.parameters ?? []),
      url: Self.parts(of: operation.get),
      reaches: operation.reaches.map { ($0.length, Self.parts(of: $0.get)) }, body: body, columnsSQL: arrays?.sql,
      daysSQL: days?.sql)
  }

  /// Returns the parts of a URL, whose faults the reader of the file has reported.
  private static func parts(of url: DeclaredText) -> [DeclaredPlaceholder.Part] {
    (try? DeclaredPlaceholder.parts(of: url.text, allowed: DeclaredPlaceholder.allCases)) ?? []
  }

  /// Returns the SELECT of the array of each column, and its parameters; nil unless the answer has arrays per column.
  private mutating func arrays(of operation: DeclaredOperation) -> (sql: String, parameters: [String])? {
    guard case .columns(let fields) = operation.rows else { return nil }
    let arrays = fields.map { array(of: $0) }
    let sql = "SELECT " + arrays.joined(separator: ", ")
    // The faults of the single arrays have been reported.
    guard let statement = try? connection.prepare(sql) else { return nil }
    return (sql, statement.parameters)
  }

  /// Returns the SQL of a column's array: the value at a path, or an expression over the body.
  private mutating func array(of field: DeclaredOperation.Field) -> String {
    let text = field.source.text
    if text.hasPrefix("$") {
      check(path: field.source)
      return ":body -> \(JSONPathText(text).sql)"
    }
    let start = "SELECT ("
    do throws(Sandbox.Failure) {
      _ = try connection.prepare("\(start)\(text))")
    } catch {
      issues.append(field.source.issue(error.message, at: error.offset.map { $0 - start.utf8.count }))
    }
    return "(\(text))"
  }

  /// Returns the SELECT of the zone whose days the rows are, and its parameters; nil unless the answer says it.
  private mutating func days(of operation: DeclaredOperation) -> (sql: String, parameters: [String])? {
    guard case .source(let source)? = operation.days else { return nil }
    if source.text.hasPrefix("$") { check(path: source) }
    let start = "SELECT ("
    let sql =
      source.text.hasPrefix("$") ? "SELECT :body ->> \(JSONPathText(source.text).sql)" : "\(start)\(source.text))"
    do throws(Sandbox.Failure) {
      return (sql, try connection.prepare(sql).parameters)
    } catch {
      issues.append(source.issue(error.message, at: error.offset.map { $0 - start.utf8.count }))
      return nil
    }
  }

  /// Returns the body of a request; nil for a GET, and for a faulty body, which is added to ``issues``.
  private mutating func body(of operation: DeclaredOperation) -> BodyTemplate? {
    guard let send = operation.send else { return nil }
    do {
      return try BodyTemplate(send.text, contentType: contentType)
    } catch {
      issues.append(send.issue(error.message))
      return nil
    }
  }

  /// Returns the SELECT, the table after its FROM for the short form, and the place that its faults name.
  private mutating func select(
    _ capability: Capability, _ operation: DeclaredOperation
  ) -> (sql: String, from: String?, place: DeclaredText) {
    switch operation.rows {
    case .select(let text):
      if operation.lacksNumber(text.text) { issues.append(text.issue(Self.numberAdvice)) }
      return (Self.withRowKey(text.text), nil, text)
    case .each(let each, let fields):
      let hasPaths = fields.contains { $0.source.text.hasPrefix("$") }
      let from =
        operation.rowsPath.map { Self.rows(at: JSONPathText($0).sql, haveMembers: hasPaths) }
        ?? "(SELECT :body AS value, NULL AS key) AS row"
      if let each { check(path: each) }
      let columns = fields.map { field in
        "\(expression(of: field, from: from, operation)) AS \(field.name)"
      }
      let place = each ?? fields.first?.source ?? operation.get
      return ("SELECT \(columns.joined(separator: ", ")) FROM \(from)", from, place)
    case .columns(let fields):
      let columns = fields.enumerated().map { index, field in
        "\(operation.value(of: field, at: "\(index)")) AS \(field.name)"
      }
      return (
        "SELECT \(columns.joined(separator: ", ")) FROM json_each(:body) AS row", nil,
        fields.first?.source ?? operation.get
      )
    }
  }

  /// Returns the table of the rows of the short form.
  ///
  /// Where fields have paths into the rows, a row that is a text becomes NULL. SQLite would read it as JSON, and stop
  /// with an error.
  private static func rows(at path: String, haveMembers: Bool) -> String {
    guard haveMembers else { return "json_each(:body, \(path)) AS row" }
    return "(SELECT key, type, atom, id, parent, fullkey, path, iif(type = 'text', NULL, value) AS value"
      + " FROM json_each(:body, \(path))) AS row"
  }

  /// Returns a field as a column of the SELECT: a path into the row, or any other text as SQL.
  ///
  /// Texts are taken out of their quotes (`->>`); numbers are not (`->`), because SQLite would make a `double` of them.
  private mutating func expression(
    of field: DeclaredOperation.Field, from: String, _ operation: DeclaredOperation
  ) -> String {
    let text = field.source.text
    if text.hasPrefix("$") {
      check(path: field.source)
      return operation.value(of: field, at: JSONPathText(text).sql)
    }
    if operation.lacksNumber(text, in: field.name) { issues.append(field.source.issue(Self.numberAdvice)) }
    let expression = Self.withRowKey(text)
    let start = "SELECT ("
    do throws(Sandbox.Failure) {
      _ = try connection.prepare("\(start)\(expression)) FROM \(from)")
    } catch {
      issues.append(field.source.issue(error.message, at: error.offset.map { $0 - start.utf8.count }))
    }
    return "(\(expression))"
  }

  /// Reports a malformed path, because SQLite would find it only with a body that matches its beginning.
  private mutating func check(path: DeclaredText) {
    guard !JSONPathText.isPath(path.text) else { return }
    issues.append(path.issue("this is not a path; write one like $.result.price, $.rows[0] or $.\"a key\""))
  }

  /// Reports columns that are missing, unknown or duplicate, and settings that do not fit the columns.
  private mutating func check(
    _ statement: SandboxStatement, _ capability: Capability, _ operation: DeclaredOperation, _ place: DeclaredText
  ) {
    let found = statement.columns
    let columns = DeclaredOperation.columns(of: capability)
    let known = columns.required + columns.optional
    for column in columns.required where !found.contains(column) {
      issues.append(
        place.issue("the SELECT lacks the column \"\(column)\" (it has: \(Self.list(found))); write  … AS \(column)"))
    }
    for (index, column) in found.enumerated() {
      if !known.contains(column) {
        let advice =
          NearestName.match(column, among: known).map { "did you mean \"\($0)\"?" }
          ?? "valid here: \(known.joined(separator: ", "))"
        issues.append(place.issue("unknown column \"\(column.printable(limit: 60))\" (\(advice))"))
      } else if found[..<index].contains(column) {
        issues.append(place.issue("the column \"\(column)\" is there twice"))
      }
    }
    if found.contains("time"), operation.time == nil {
      issues.append(place.issue("time: is missing beside get: (seconds, milliseconds, iso8601 or a pattern)"))
    }
    if operation.numbers.isInverted, let change = found.first(where: { $0.hasPrefix("change_") }) {
      let advice = change == "change_24h" ? "; give open_24h instead" : ""
      issues.append(
        place.issue("with invert, \(change) would be the change of the price that is not inverted\(advice)"))
    }
    if operation.batch != nil, !found.contains("id"), !found.contains("symbol") {
      issues.append(
        place.issue("no row says whose it is; map id or symbol, because one answer is of several coins"))
    }
    if operation.batch != nil {
      for name in [":id", ":ID", ":symbol", ":SYMBOL"] where statement.parameters.contains(name) {
        issues.append(place.issue("\(name) is one coin, but one answer is of several; map id or symbol instead"))
      }
    }
    for name in statement.parameters where !Self.parameters.contains(name) {
      // The placeholders in paths of the short form are parameters too, and have been checked.
      let shown = name.isEmpty ? "?" : name.printable(limit: 60)
      let offset = place.text.ranges(of: shown).first.map {
        place.text.utf8.distance(from: place.text.startIndex, to: $0.lowerBound)
      }
      issues.append(
        place.issue(
          "unknown parameter \(shown) (valid here: \(Self.parameters.joined(separator: " ")) :key)", at: offset))
    }
  }

  private static func list(_ names: [String]) -> String {
    names.map { $0.printable(limit: 30) }.joined(separator: ", ")
  }

  /// Returns the SQL with the column ` key` in place of `:key` outside of quotes and comments; every byte keeps its place.
  static func withRowKey(_ sql: String) -> String {
    var result: [UInt8] = []
    var end: String?
    let bytes = Array(sql.utf8)
    let word = Array(":key".utf8)
    for (index, byte) in bytes.enumerated() {
      result.append(byte)
      let rest = bytes[index...]
      if let open = end {
        if rest.starts(with: open.utf8) { end = nil }
      } else if let open = [("'", "'"), ("\"", "\""), ("--", "\n"), ("/*", "*/")].first(where: {
        rest.starts(with: $0.0.utf8)
      }) {
        end = open.1
      } else if byte == word[0], rest.starts(with: word) {
        let next = index + word.count
        let isWhole = next >= bytes.count || !(bytes[next].isIdentifierPart)
        if isWhole { result[result.count - 1] = UInt8(ascii: " ") }
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isIdentifierPart: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension Sandbox.Failure {
  /// The offset of the fault in the SQL, in bytes; nil where it is unknown.
  fileprivate var offset: Int? {
    switch self {
    case .syntax(_, let offset), .forbidden(_, let offset): offset
    case .notJSON, .overBudget, .failed: nil
    }
  }

  /// The description of the fault, for SQL that does not compile.
  fileprivate var message: String {
    switch self {
    case .syntax(let message, _): "this is not SQL that SQLite can read: \(message.printable(limit: 200))"
    case .forbidden(let what, _): "a provider's SELECT may only read JSON; \(what) is not allowed"
    case .notJSON(let start): "not JSON: \(start)"
    case .overBudget(let message), .failed(let message): message
    }
  }
}
