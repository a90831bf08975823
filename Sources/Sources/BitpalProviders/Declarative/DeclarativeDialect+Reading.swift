import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

extension DeclarativeDialect {
  /// Runs an operation's SELECT over a response and calls `row` for each row.
  ///
  /// - Throws: The source's own error, `.unreadable`, or an error of `row`.
  func forEachRow(
    of operation: CompiledOperation, answering query: ProviderQuery, in response: HTTPResponse,
    _ row: (SandboxRow) throws -> Void
  ) throws {
    guard response.isSuccess else { throw refusal(of: response, asked: query) }
    do {
      if let flat = flatRows(of: operation, query), try flat.forEach(in: response.body, row) { return }
      let body = try body(of: response, asked: query, operation)
      try sandboxes.forEach(
        operation.sql, in: body, values: parameters(for: query, operation), marks: operation.declared.numbers.marks, row
      )
    } catch let failure as Sandbox.Failure {
      if let error = sourceError(in: response, asked: query) { throw error }
      if case .notJSON = failure, let error = ownError(in: response, asked: query) { throw error }
      throw unreadable(Self.message(failure), operation)
    } catch let problem as ColumnProblem {
      throw unreadable(problem.description, operation, query, response)
    }
  }

  /// Returns the failure for rows that cannot be used: the source's own error, otherwise `reason`.
  func unreadable(
    _ reason: String, _ operation: CompiledOperation, _ query: ProviderQuery, _ response: HTTPResponse
  ) -> BitpalError {
    sourceError(in: response, asked: query) ?? unreadable(reason, operation)
  }

  /// Returns the instant in a column, in the operation's notation of times; nil for null.
  ///
  /// - Throws: ``/BitpalJSON/ColumnProblem`` for a value in another notation.
  func instant(_ row: SandboxRow, _ column: Int, _ operation: CompiledOperation) throws -> Date? {
    switch operation.declared.time {
    case .seconds, nil: try row.instant(column, millisecondsPerUnit: 1000)
    case .milliseconds: try row.instant(column, millisecondsPerUnit: 1)
    case .iso8601: try row.instant(column)
    case .pattern(let pattern): try row.instant(column, pattern: pattern)
    }
  }

  /// Returns whether the instant in a column is written as a day without a time.
  func isDay(_ row: SandboxRow, _ column: Int, _ operation: CompiledOperation) -> Bool {
    switch operation.declared.time {
    case .iso8601: row.isDayAlone(column)
    case .pattern(let pattern): !pattern.hasTimeOfDay
    case .seconds, .milliseconds, nil: false
    }
  }

  /// Returns the failure for an answer without rows: the source's own error, or a description of the body.
  func nothing(
    _ operation: CompiledOperation, _ query: ProviderQuery, _ response: HTTPResponse
  ) -> BitpalError {
    if let error = sourceError(in: response, asked: query) { return error }
    let outline = BodyOutline(response.body, values: parameters(for: query, operation))
    if case .each(let each?, _) = operation.declared.rows {
      if outline.isEmptyContainer(at: each.text) || outline.saysNothing(at: each.text) { return noData(query) }
      return unreadable(
        "\(each.text) matches nothing; " + outline.nearest(to: each.text), operation)
    }
    if outline.isEmptyContainer(at: "$") || operation.columnsSQL != nil { return noData(query) }
    // A SELECT without a row over a body whose list of rows is empty.
    let places = operation.sql.matches(of: /json_each\(\s*:body\s*,\s*'(\$[^']*)'/).map { String($0.1) }
    if places.contains(where: { outline.isEmptyContainer(at: $0) || outline.saysNothing(at: $0) }) {
      return noData(query)
    }
    return unreadable("the SELECT gives no rows; " + outline.nearest(to: "$"), operation)
  }

  /// Returns the problem of rows that are texts, although fields have paths into them; nil for other rows.
  private func noRows(_ operation: CompiledOperation, _ outline: BodyOutline) -> String? {
    guard case .each(let each?, let fields) = operation.declared.rows, let from = operation.from,
      fields.contains(where: { $0.source.text.hasPrefix("$") }), outline.hasTexts(in: from)
    else { return nil }
    return "\(each.text) does not contain rows with paths; " + outline.nearest(to: each.text)
  }

  /// Returns the failure for a required column that is empty in every row.
  func missing(
    _ column: String, _ operation: CompiledOperation, _ query: ProviderQuery, _ response: HTTPResponse
  ) -> BitpalError {
    if let error = sourceError(in: response, asked: query) { return error }
    let values = parameters(for: query, operation)
    if let reason = noRows(operation, BodyOutline(response.body, values: values)) {
      return unreadable(reason, operation)
    }
    if case .each(_, let fields) = operation.declared.rows, let from = operation.from,
      let field = fields.first(where: { $0.name == column }), field.source.text.hasPrefix("$"),
      let row = BodyOutline.firstRow(of: response.body, from: from, values: values)
    {
      let message = BodyOutline(row, values: values).nearest(to: field.source.text, whole: "the row")
      return .unreadable(
        provider: descriptor.id,
        reason: "\(column): \(field.source.text) matches nothing; \(message)\(Self.suffix(field.source))")
    }
    let message = BodyOutline(response.body, values: values).nearest(to: "$")
    return unreadable("the column \(column) is empty; \(message)", operation)
  }

  /// Returns an `.unreadable` failure with the place in the provider file after the reason.
  func unreadable(_ reason: String, _ operation: CompiledOperation) -> BitpalError {
    .unreadable(provider: descriptor.id, reason: reason + Self.suffix(operation.place))
  }

  /// Returns the failure for an answer without data: `.noPrice` for quotes, otherwise `.noData`.
  func noData(_ query: ProviderQuery) -> BitpalError {
    switch query {
    case .quotes(let coins, _):
      .noPrice(coin: coins.first ?? "?", provider: descriptor.id, reason: "the answer is empty")
    case .top: .noData(question: "the largest coins", provider: descriptor.id)
    case .coinList: .noData(question: "the coin list", provider: descriptor.id)
    case .detail(let coin, _): .noData(question: "the detail of \(coin)", provider: descriptor.id)
    case .line(let coin, _, _): .noData(question: "the line of \(coin)", provider: descriptor.id)
    case .candles(let coin, _, _, _): .noData(question: "candles of \(coin)", provider: descriptor.id)
    }
  }

  private static func suffix(_ place: DeclaredText) -> String {
    place.place.isEmpty ? "" : " (\(place.place))"
  }

  private static func message(_ failure: Sandbox.Failure) -> String {
    switch failure {
    case .notJSON(let start): start.isEmpty ? "it is empty" : "it is not JSON; it starts with \(start)"
    case .overBudget(let message): "the SELECT was stopped: \(message)"
    case .syntax(let message, _), .forbidden(let message, _), .failed(let message): message
    }
  }
}
