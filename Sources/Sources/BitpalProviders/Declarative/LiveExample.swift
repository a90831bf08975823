import BitpalJSON
package import BitpalModel
package import BitpalNetwork
package import BitpalReplay
package import FoundationEssentials

/// An example of a provider file, made of a live answer.
///
/// The answer is kept even when it cannot be read yet, as an example without rows, so that the reading is corrected
/// without asking again.
package struct LiveExample: Sendable {
  /// The question, answers and result.
  package private(set) var example: DeclaredExample

  /// The rows that come of the answer; empty where it cannot be read yet, and for an example of a failure.
  package private(set) var rows: [[String: String]] = []

  /// The reason why the answer cannot be read; nil when it can.
  package private(set) var problem: BitpalError?

  /// The body in a file of its own, for a body that a provider file cannot hold; nil for others.
  package private(set) var bodyFile: (name: String, bytes: [UInt8])?

  /// The largest body that is written into the provider file (16 KiB).
  private static let largestBody = 16 << 10

  /// The mark of an example whose answer has not been read.
  private static let unread = "rows: []   # not read yet"

  /// Makes an example of the exchanges that answered a question.
  ///
  /// - Parameters:
  ///   - exchanges: The exchanges in their order; of several attempts at one page the last counts.
  ///   - now: The instant of the question; nil for one that does not depend on the time.
  ///   - redaction: Removes the keys.
  ///   - source: The dialect that reads the answer, with the base of its URLs.
  /// - Throws: `BitpalError` when the source did not answer, and for a character set that is not read.
  package init(
    _ exchanges: [CapturedExchange], answering query: ProviderQuery, now: Date?, hiding redaction: Redaction,
    of source: DialectWithExamples
  ) throws(BitpalError) {
    let id = source.dialect.descriptor.id
    var pages: [Int: CapturedExchange] = [:]
    for exchange in exchanges { pages[exchange.request.page] = exchange }
    var bodies: [DeclaredExample.Body] = []
    for page in pages.keys.sorted() where bodies.isEmpty || source.baseURL.isEmpty {
      guard let exchange = pages[page] else { continue }
      let response = try exchange.response.inUTF8(from: id, assuming: exchange.request.charset)
      bodies.append(.inline(redaction.text(String(decoding: response.body, as: UTF8.self))))
    }
    guard let first = pages.keys.min().flatMap({ pages[$0] }), let body = bodies.first else {
      throw .unreadable(provider: id, reason: "nothing went over the wire")
    }
    example = DeclaredExample(query: query, status: first.response.status, body: body, expectation: .rows([]))
    example.furtherBodies = Array(bodies.dropFirst())
    example.now = now
    let base = source.baseURL(of: query.capability)
    if first.request.keys.isEmpty, first.request.url.hasPrefix(base) {
      example.url = String(first.request.url.dropFirst(base.count))
      example.send = first.request.body.map { String(decoding: $0, as: UTF8.self) }
    }
    read(source)
  }

  /// Reads an example whose answer was kept before; nil unless the file has one.
  package init?(keptIn source: DialectWithExamples) {
    guard let kept = source.examples.first(where: { $0.expectation == .rows([]) && $0.status == 200 }) else {
      return nil
    }
    example = kept
    read(source)
  }

  private mutating func read(_ source: DialectWithExamples) {
    do throws(BitpalError) {
      rows = try ExampleCheck(source).rows(of: example)
      example.expectation = .rows(rows)
    } catch {
      if error.isOfSource { problem = error } else { example.expectation = .failure(error.code) }
    }
  }

  // MARK: Writing

  /// Returns the text of a provider file with the example in it; nil for a file whose `examples` are not a list in lines.
  package mutating func added(to file: String, named name: String) -> String? {
    var lines = file.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.isEmpty ?? false { lines.removeLast() }
    if problem == nil, let kept = lines.firstIndex(where: { $0.hasSuffix(Self.unread) }) {
      let indent = String(lines[kept].prefix { $0 == " " })
      lines.replaceSubrange(kept...kept, with: expectationLines.map { indent + $0 })
      return lines.joined(separator: "\n") + "\n"
    }
    let item = itemLines(named: name)
    guard let key = lines.firstIndex(where: { $0.hasPrefix("examples:") }) else {
      return (lines + ["", "examples:"] + item.map { "  \($0)" }).joined(separator: "\n") + "\n"
    }
    let rest = lines[key].dropFirst("examples:".count).drop { $0 == " " }
    guard rest.isEmpty || rest.hasPrefix("#") else { return nil }
    let block = lines[(key + 1)...].prefix { $0.isEmpty || $0.hasPrefix(" ") || $0.hasPrefix("-") || $0.hasPrefix("#") }
    let end = block.lastIndex { $0.hasPrefix(" ") || $0.hasPrefix("-") } ?? key
    let indent = String(block.first { $0.drop { $0 == " " }.hasPrefix("-") }?.prefix { $0 == " " } ?? "  ")
    lines.insert(contentsOf: item.map { indent + $0 }, at: end + 1)
    return lines.joined(separator: "\n") + "\n"
  }

  private mutating func itemLines(named name: String) -> [String] {
    var lines = ["- ask: \(example.query.capability.rawValue)"]
    func add(_ key: String, _ value: String?) { if let value { lines.append("  \(key): \(value)") } }
    add("coin", example.query.coins.first.map(Outline.quoted))
    add("currency", example.query.currency)
    if let now = example.now ?? example.query.window?.end { add("now", now.iso8601) }
    add("window", example.query.window?.length.unitText)
    if case .candles(_, _, _, let width) = example.query { add("width", width.unitText) }
    if example.status != 200 { add("status", "\(example.status)") }
    add("url", example.url.map(Outline.quoted))
    add("send", example.send.map { JSONText.quoted($0) })
    let texts = ([example.body] + example.furtherBodies).map { body in
      if case .inline(let text) = body { text } else { "" }
    }
    if texts.count > 1 {
      lines.append("  body:")
      for text in texts { lines += ["    - |2"] + Self.lines(of: text, indent: "      ") }
    } else if texts[0].utf8.count <= Self.largestBody, YAMLText.canHold(texts[0].replacing("\r\n", with: "\n")) {
      lines += ["  body: |2"] + Self.lines(of: texts[0], indent: "    ")
    } else {
      let file = "\(name)-\(example.query.capability.rawValue).txt"
      // The mark says that the file is UTF-8, whatever the source sends.
      bodyFile = (file, BodyFault.byteOrderMark + Array(texts[0].utf8))
      add("body_file", file)
    }
    return lines + expectationLines.map { "  \($0)" }
  }

  private static func lines(of text: String, indent: String) -> [String] {
    var lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
    while lines.count > 1, lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines.map { $0.isEmpty ? "" : indent + $0 }
  }

  private var expectationLines: [String] {
    if problem != nil { return [Self.unread] }
    if case .failure(let code) = example.expectation { return ["error: \(code.rawValue)"] }
    let shown = ["price", "change_24h", "time", "open", "high", "low", "close", "volume", "market_cap", "rank"]
    return ["rows:"]
      + rows.map { row in
        let cells = shown.compactMap { column in row[column].map { "\(column): \($0)" } }
        return "  - { \(cells.joined(separator: ", ")) }"
      }
  }
}
