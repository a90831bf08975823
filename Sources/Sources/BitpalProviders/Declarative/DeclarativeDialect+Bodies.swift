import BitpalJSON
import BitpalModel
import BitpalNetwork

/// The reading of CSV and XML, which become JSON before the SELECT runs.
extension DeclarativeDialect {
  /// Returns the response with JSON as its body, and warnings about parts that were left out.
  ///
  /// - Throws: The source's own error, or `.unreadable` with line and column of the body.
  func json(
    of response: HTTPResponse, _ operation: CompiledOperation, answering query: ProviderQuery
  ) throws(BitpalError) -> (HTTPResponse, [AnswerWarning]) {
    let body = operation.declared.body
    guard body != .json else { return (response, []) }
    guard response.isSuccess else {
      throw refusal(of: response, asked: query, json: (try? read(response.body, operation, query))?.json)
    }
    // Many sources report errors in JSON, also where data would be in another form.
    if response.body.first.map({ $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }) ?? false,
      let error = sourceError(in: response, asked: query)
    {
      throw error
    }
    guard !response.body.isWebPage else {
      throw ownError(in: response, asked: query)
        ?? unreadable("it is a web page instead of \(body.shownName)", operation)
    }
    let rows: (json: [UInt8], ragged: RaggedRows?, columns: [String]?)
    do throws(BodyFault) {
      rows = try read(response.body, operation, query)
    } catch {
      throw ownError(in: response, asked: query)
        ?? unreadable("it is not \(body.shownName) as it should be: \(error)", operation)
    }
    if let header = rows.columns, Self.isSentence(header), let error = ownError(in: response, asked: query) {
      throw error
    }
    guard rows.json != Self.nothing else {
      if let error = ownError(in: response, asked: query) { throw error }
      if let ragged = rows.ragged { throw unreadable("none of its rows can be read: \(ragged)", operation) }
      if let header = rows.columns { try checkHeader(header, operation, query, response) }
      return (response.with(rows.json), [])
    }
    let warnings = rows.ragged.map {
      AnswerWarning.droppedRows(count: $0.count, first: ColumnProblem.failed("\($0)"))
    }
    return (response.with(rows.json), warnings.map { [$0] } ?? [])
  }

  /// The JSON of CSV without a row.
  private static let nothing = Array("[]".utf8)

  func read(
    _ body: [UInt8], _ operation: CompiledOperation, _ query: ProviderQuery
  ) throws(BodyFault) -> (json: [UInt8], ragged: RaggedRows?, columns: [String]?) {
    switch operation.declared.body {
    case .json: return (body, nil, nil)
    case .xml: return (try XMLReader(list: rowsPath(of: operation, query)).json(body), nil, nil)
    case .csv(let layout):
      let rows = try CSVReader(layout, columns: columns(of: operation, query)).rows(body)
      return (rows.json, rows.ragged, layout.header == .first ? rows.columns : nil)
    }
  }

  /// Checks that CSV without rows has the columns that are read: a sentence on its own is not an empty table.
  ///
  /// - Throws: `.unreadable` with the words of the source.
  private func checkHeader(
    _ header: [String], _ operation: CompiledOperation, _ query: ProviderQuery, _ response: HTTPResponse
  ) throws(BitpalError) {
    let missing = columns(of: operation, query)?.subtracting(header).sorted() ?? []
    // Where a SELECT may read any column, only a sentence is certain not to be a header.
    guard !missing.isEmpty || Self.isSentence(header) else { return }
    let words = String(decoding: response.body.prefix(600), as: UTF8.self).printable(limit: 200)
    guard !words.isEmpty else { return }
    throw unreadable(
      "it has no rows, and " + (missing.isEmpty ? "" : "no column \(missing.joined(separator: ", ")), but ")
        + "says \"\(words)\"", operation)
  }

  /// Returns whether the first line of CSV is a sentence and not the names of columns.
  private static func isSentence(_ header: [String]) -> Bool { header.count == 1 && header[0].contains(" ") }

  /// Returns the only columns of CSV that are read; nil where an expression or a SELECT may read any.
  private func columns(of operation: CompiledOperation, _ query: ProviderQuery) -> Set<String>? {
    members(of: operation, query).map { Set($0.map(\.member)) }
  }

  /// Returns the column of CSV for each field; nil unless every field is just a column.
  private func members(
    of operation: CompiledOperation, _ query: ProviderQuery
  ) -> [(field: DeclaredOperation.Field, member: String)]? {
    guard case .csv = operation.declared.body, case .each(let each, let fields) = operation.declared.rows,
      each.map({ $0.text == "$" }) ?? true
    else { return nil }
    let values = parameters(for: query, operation)
    var members: [(field: DeclaredOperation.Field, member: String)] = []
    for field in fields {
      guard let path = JSONPathText.names(in: field.source.text, values: values), path.count == 1, let name = path.first
      else { return nil }
      members.append((field, name))
    }
    return members
  }

  /// Returns a reader of the rows of CSV that needs no SELECT; nil where a column needs a calculation.
  func flatRows(of operation: CompiledOperation, _ query: ProviderQuery) -> FlatRows? {
    guard operation.declared.numbers.marks == nil, let members = members(of: operation, query) else { return nil }
    return FlatRows(members.map { ($0.field.name, $0.member, operation.declared.isText($0.field)) })
  }

  /// Returns the path of the elements of XML that are rows, which become an array even if there is only one.
  private func rowsPath(of operation: CompiledOperation, _ query: ProviderQuery) -> [String] {
    guard let path = operation.declared.rowsPath else { return [] }
    return JSONPathText.names(in: path, values: parameters(for: query, operation)) ?? []
  }
}

extension DeclaredOperation {
  /// The path of the rows of the short form; nil where the whole body is one row, and for other forms.
  var rowsPath: String? {
    guard case .each(let each, _) = rows else { return nil }
    if case .csv = body, each == nil { return "$" }
    return each?.text
  }
}

extension JSONPathText {
  /// Returns the names in a path that consists of names; nil for any other path.
  ///
  /// - Parameter values: The values of its placeholders, by parameter.
  fileprivate static func names(in path: String, values: [String: String]) -> [String]? {
    let segments = segments(of: path)
    guard segments.first == "$" else { return nil }
    var names: [String] = []
    for segment in segments.dropFirst() {
      guard segment.hasPrefix(".") else { return nil }
      var name = String(segment.dropFirst())
      if name.hasPrefix("\""), name.hasSuffix("\""), name.utf8.count > 1 { name = String(name.dropFirst().dropLast()) }
      for placeholder in DeclaredPlaceholder.allCases where name.contains("{") {
        name = name.replacing("{\(placeholder.rawValue)}", with: values[":\(placeholder.rawValue)"] ?? "")
      }
      names.append(name)
    }
    return names
  }
}

extension DeclaredBody {
  /// The name of the form in messages: `JSON`, `CSV` or `XML`.
  var shownName: String { name.uppercased() }
}
