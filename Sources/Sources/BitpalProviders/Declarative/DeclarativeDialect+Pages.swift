import BitpalJSON
package import BitpalModel
package import BitpalNetwork
import BitpalReplay

extension DeclarativeDialect {
  /// The most pages of one answer (20); more mean a mistake in the file, or a source with tiny pages.
  static let mostPages = 20

  /// Returns the request for the page that a response names at its operation's `next` path; nil after the last page.
  ///
  /// - Throws: `BitpalError.unreadable` for too many pages, a page requested before, or one of another origin.
  package func next(
    after requests: [HTTPRequest], asking query: ProviderQuery, response: HTTPResponse
  ) throws(BitpalError) -> HTTPRequest? {
    let operation = try operation(query.capability)
    guard let last = requests.last, response.isSuccess, let cursor = cursor(in: response, query, operation) else {
      return nil
    }
    guard requests.count < Self.mostPages else {
      throw unreadable("it has more than \(Self.mostPages) pages", operation)
    }
    var next = last
    if operation.placeholders.contains(.cursor) {
      next = try request(for: query, cursor: cursor)
    } else {
      next.url = try url(cursor, after: last, operation)
    }
    guard !requests.contains(where: { $0.url == next.url && $0.body == next.body }) else {
      throw unreadable(
        "its page \(requests.count) says that the next is \(cursor.text.printable(limit: 120)), which it was before",
        operation)
    }
    return next
  }

  /// Returns the request for the page after a full one whose pages are counted; nil after the last page.
  ///
  /// A SELECT, or places with `null` in `columns`, may leave out rows of a full page, so there only a page without rows
  /// is the last.
  ///
  /// - Parameter rows: The number of rows of the last page; nil for one that cannot be read.
  /// - Throws: `BitpalError.unreadable` for too many pages.
  func nextCounted(
    after exchanges: [HTTPExchange], of rows: Int?, asking query: ProviderQuery
  ) throws(BitpalError) -> HTTPRequest? {
    let operation = try operation(query.capability)
    guard let rows, let limit = operation.declared.limit else { return nil }
    let least = if case .each = operation.declared.rows { limit } else { 1 }
    guard rows >= least else { return nil }
    guard exchanges.count < Self.mostPages else {
      throw unreadable("it has more than \(Self.mostPages) pages", operation)
    }
    return try request(for: query, cursor: nil, after: exchanges.count)
  }

  /// Returns the number of rows of a page; nil for an error, and for one that cannot be read.
  func rows(
    in response: HTTPResponse, of operation: CompiledOperation, answering query: ProviderQuery
  ) -> Int? {
    guard response.isSuccess else { return nil }
    var rows = 0
    do {
      let body = try json(of: response, operation, answering: query).0
      try forEachRow(of: operation, answering: query, in: body) { _ in rows += 1 }
    } catch {
      return nil
    }
    return rows
  }

  /// Returns the failure that ends counted pages; nil where the last page is to be read.
  ///
  /// Behind its last page a source answers with nothing, with HTTP 404, or with its last page again. One whose second page is
  /// its first does not count pages.
  ///
  /// - Throws: `BitpalError.unreadable` for such a source; a complaint of the source.
  func endOfCount(
    _ exchanges: [HTTPExchange], of rows: Int?, _ query: ProviderQuery
  ) throws(BitpalError) -> BitpalError? {
    guard exchanges.count > 1, let last = exchanges.last?.response else { return nil }
    if last.body.isEmpty && last.isSuccess || last.status == 404 { return noData(query) }
    if rows == 0 {
      // A complaint has no rows either, but for that of a page behind the last.
      if last.isSuccess, let error = sourceError(in: last, asked: query), error.code != .notFound { throw error }
      return noData(query)
    }
    guard last.isSuccess, last.body == exchanges[exchanges.count - 2].response.body else { return nil }
    guard exchanges.count > 2 else {
      throw unreadable(
        "its second page is the first again, so it does not count pages", try operation(query.capability))
    }
    return noData(query)
  }

  /// Returns the value at the `next` path; nil for none, and for an empty value, such as `null`, `false`, `0` or `[]`.
  private func cursor(
    in response: HTTPResponse, _ query: ProviderQuery, _ operation: CompiledOperation
  ) -> RequestValues.Cursor? {
    // The reader of the rows reports the problems of the body.
    guard let path = operation.declared.next, let body = try? read(response.body, operation, query).json else {
      return nil
    }
    let sql = JSONPathText(path.text).sql
    var cursor: RequestValues.Cursor?
    try? sandboxes.forEach("SELECT :body ->> \(sql), :body -> \(sql)", in: body, values: names(of: query)) { row in
      if let text = row.text(0), let json = row.text(1), !["null", "false", "0", "\"\"", "[]", "{}"].contains(json) {
        cursor = RequestValues.Cursor(text: text, json: json)
      }
    }
    return cursor
  }

  /// Returns the URL of the next page, which is absolute or relative to the URL before.
  ///
  /// - Throws: `BitpalError.unreadable` for a text that is not a URL, or one of another origin or with `.` or `..`.
  private func url(
    _ cursor: RequestValues.Cursor, after request: HTTPRequest, _ operation: CompiledOperation
  ) throws(BitpalError) -> String {
    let text = cursor.text
    func elsewhere(_ message: String) -> BitpalError {
      unreadable("its next page is \(text.printable(limit: 120)), \(message)", operation)
    }
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains("\\"), cursor.json.hasPrefix("\"") else {
      throw elsewhere("which is not a URL; with {cursor} in get: or send: it need not be one")
    }
    let before = request.url.prefix { $0 != "?" && $0 != "#" }
    let path = before.firstRange(of: "://").map { before[$0.upperBound...].drop { $0 != "/" } } ?? ""
    let origin = before[..<path.startIndex]
    var url: String
    if text.contains("://") || text.hasPrefix("//") {
      url = text.hasPrefix("//") ? "\(RequestURL(request.url).scheme):\(text)" : text
    } else if text.hasPrefix("/") {
      url = origin + text
    } else if text.hasPrefix("?") {
      url = before + text
    } else {
      url = before[...(before.lastIndex(of: "/") ?? before.startIndex)] + text
    }
    url = String(url.prefix { $0 != "#" })
    let (asked, known) = (RequestURL(url), RequestURL(request.url))
    let authority = url.firstRange(of: "://").map { url[$0.upperBound...].prefix { $0 != "/" && $0 != "?" } } ?? ""
    guard asked.scheme == known.scheme, asked.host == known.host, !authority.contains("@") else {
      throw elsewhere("which is not of \(known.scheme)://\(known.host)")
    }
    guard !asked.path.split(separator: "/").contains(where: { !URLText.isSegment($0) }) else {
      throw elsewhere("which contains . or ..")
    }
    // The transport removes the key from responses, and fills it in again at the mark.
    return request.queryKey == nil ? url : url.replacing(Redaction.mark, with: HTTPRequest.keyMark)
  }
}
