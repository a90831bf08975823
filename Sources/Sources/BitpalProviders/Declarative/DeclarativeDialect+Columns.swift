import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

extension DeclarativeDialect {
  /// Returns the input of an operation's SELECT: the body, or rows made of its arrays per column.
  ///
  /// - Throws: The source's own error, `.noData` without any column, `.unreadable`.
  func body(
    of response: HTTPResponse, asked query: ProviderQuery, _ operation: CompiledOperation
  ) throws -> [UInt8] {
    guard case .columns(let fields) = operation.declared.rows, let sql = operation.columnsSQL else {
      return response.body
    }
    let values = parameters(for: query, operation)
    var texts: [String?] = []
    try sandboxes.forEach(sql, in: response.body, values: values) { row in texts = fields.indices.map { row.text($0) } }
    guard !texts.contains(nil) else { throw missing(fields, texts, query, response, values) }
    do {
      return try JSONColumns.rows(texts.compactMap(\.self))
    } catch JSONColumns.Failure.noArray(let index) {
      let outline = BodyOutline(response.body, values: values)
      throw unreadable(
        fields[index], "is not an array; " + outline.nearest(to: fields[index].source.text), query, response)
    } catch JSONColumns.Failure.unequal(let index, let count, let first) {
      throw unreadable(fields[index], "has \(count) elements, but \(fields[0].name) has \(first)", query, response)
    }
  }

  /// Returns the failure for missing columns.
  ///
  /// If their container exists without any of them, the source has no data, as some answer for a time without trades.
  private func missing(
    _ fields: [DeclaredOperation.Field], _ texts: [String?], _ query: ProviderQuery, _ response: HTTPResponse,
    _ values: [String: String]
  ) -> BitpalError {
    let outline = BodyOutline(response.body, values: values)
    if !texts.contains(where: { $0 != nil }),
      fields.allSatisfy({ !$0.source.text.hasPrefix("$") || outline.hasParent(of: $0.source.text) })
    {
      return sourceError(in: response, asked: query) ?? noData(query)
    }
    guard let index = texts.firstIndex(of: nil) else { return noData(query) }
    let path = fields[index].source.text
    return unreadable(fields[index], "matches nothing; " + outline.nearest(to: path), query, response)
  }

  private func unreadable(
    _ field: DeclaredOperation.Field, _ message: String, _ query: ProviderQuery, _ response: HTTPResponse
  ) -> BitpalError {
    let place = field.source.place
    return sourceError(in: response, asked: query)
      ?? .unreadable(
        provider: descriptor.id,
        reason: "\(field.name): \(field.source.text) \(message)" + (place.isEmpty ? "" : " (\(place))"))
  }
}

extension DeclarativeDialect {
  /// Returns the worth of the unit of an answer in the requested currency, where the file has a path to that unit and it
  /// is a part of the currency; nil where it is the currency itself.
  ///
  /// - Throws: `.unsupportedCurrency` for another one, `.noPrice` where it is null, `.unreadable` when the path matches
  ///   nothing.
  func unit(of response: HTTPResponse, asked query: ProviderQuery, _ operation: CompiledOperation) throws -> Decimal? {
    guard let path = api.answeredCurrency, let currency = query.currency else { return nil }
    var found: String?
    do {
      let sql = "SELECT :body ->> \(JSONPathText(path.text).sql)"
      try sandboxes.forEach(sql, in: response.body, values: [:]) { found = $0.text(0) }
    } catch is Sandbox.Failure {
      // The reader of the rows reports the problem.
      return nil
    }
    guard let found else {
      let outline = BodyOutline(response.body, values: parameters(for: query, operation))
      // What is not traded any more has a null for its currency, or nothing at all.
      if outline.isNull(at: path.text) || outline.hasEmptyContainer(on: path.text), let coin = query.coins.first {
        throw sourceError(in: response, asked: query) ?? .noPrice(coin: coin, provider: descriptor.id)
      }
      throw unreadable("\(path.text), the currency of the answer, matches nothing", operation, query, response)
    }
    guard !names.isCode(found, of: currency) else { return nil }
    let part = MinorUnit(found)
    if let part, part.currency == currency {
      guard operation.declared.numbers.factor != part.factor else {
        throw unreadable(
          "its prices are in \(found), which is converted; factor: \(part.factor.plainText) would divide them again",
          operation, query, response)
      }
      return part.factor
    }
    // Another code in mixed case is not a currency that can be requested.
    let other =
      part.map { [$0.currency] }
      ?? ([found.uppercased(), found.lowercased()].contains(found) ? [found.lowercased()] : [])
    throw BitpalError.unsupportedCurrency(currency, provider: descriptor.id, supported: other)
  }
}
