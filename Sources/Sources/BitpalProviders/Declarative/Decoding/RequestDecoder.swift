import BitpalJSON
import BitpalModel

/// A decoder of the request of an operation in a file of `kind: http`: one path, or several for different ranges, a
/// body, and the path to the next page's cursor.
struct RequestDecoder {
  /// The decoded request.
  struct Request {
    var get: DeclaredText
    var reaches: [DeclaredOperation.Reach] = []
    var send: DeclaredText?
    var next: DeclaredText?
    var isCounted = false
  }

  let operation: OperationDecoder

  /// The maximum number of coins of one request; nil for one request per coin.
  let batch: Int?

  /// Returns the request; nil when a required key is missing, which is reported.
  func decode(_ decoder: MappingDecoder, of value: DeclaredValue) -> Request? {
    var isCounted = false
    if case .scalar(Self.count, _)? = decoder["next"]?.entry.value.content { isCounted = true }
    let next = isCounted ? nil : decoder["next"].flatMap { operation.path($0) }
    var allowed = operation.allowed(batch: batch)
    let intervals = decoder["intervals"]?.entry.value.entries?.count ?? 0
    if intervals > 0 { allowed.append(.interval) }
    if decoder["next"] != nil { allowed += isCounted ? [.page, .offset] : [.cursor] }
    if isCounted, decoder["limit"] == nil {
      decoder["next"]?.report("next: count needs limit, the number of rows of a full page")
    }
    if decoder["post"] != nil { decoder["get"]?.reportKey("get and post are two ways to ask; use one of them") }
    if decoder["post"] == nil {
      decoder["send"]?.reportKey("send is the body of a POST; write post: in the place of get:")
    }
    guard let entry = decoder["post"] ?? decoder["get"] else {
      value.reportKey("\(value.name) lacks get, what follows base_url, like /ticker?id={id}")
      return nil
    }
    let body = decoder["send"].map { SentBodyDecoder(allowed: allowed, issues: operation.issues).decode($0) }
    let paths = self.paths(entry).map { ($0.entry, $0.reach, path($0.entry, allowed: allowed)) }
    for (entry, _, path) in paths {
      guard let path, body.map({ $0 != nil }) ?? true else { continue }
      check(path.parts + (body??.parts ?? []), of: entry, intervals: intervals)
      let names = Set((path.parts + (body??.parts ?? [])).compactMap(\.name))
      if isCounted, names.isDisjoint(with: [.page, .offset]) {
        entry.report("with next: count, \(entry.name) must hold {page} (1, 2, …) or {offset} (0, and then by limit)")
      }
    }
    var request: Request?
    var reaches: [DeclaredOperation.Reach] = []
    for case (_, let reach, let path?) in paths {
      if let reach {
        reaches.append(DeclaredOperation.Reach(length: reach, get: path.text))
      } else {
        request = Request(get: path.text)
      }
    }
    request?.reaches = reaches.sorted { $0.length < $1.length }
    request?.send = body??.text ?? (decoder["post"] == nil ? nil : DeclaredText(""))
    request?.next = next
    request?.isCounted = isCounted
    return request
  }

  /// Returns the path, or the paths with the range that each covers; a nil range means all there is.
  private func paths(_ entry: DeclaredValue) -> [(entry: DeclaredValue, reach: Duration?)] {
    guard entry.entry.value.entries != nil else { return [(entry, nil)] }
    guard [.line, .candles].contains(operation.capability) else {
      entry.report("only line and candles go back in time; \(entry.name) must be one path")
      return []
    }
    let values = entry.mapping(keys: nil).values
    if !values.contains(where: { $0.entry.key == Self.all }) {
      entry.report("\(entry.name) lacks \(Self.all), the path of all there is, like { 90d: /90-days, max: /all }")
    }
    return values.compactMap { value in
      if value.entry.key == Self.all { return (value, nil) }
      guard let reach = Duration(unitText: value.entry.key), reach > .zero else {
        value.reportKey(
          "how far back a path answers is a duration like 90d, or \(Self.all), not "
            + "\"\(value.entry.key.printable(limit: 60))\"")
        return nil
      }
      return (value, reach)
    }
  }

  private static let all = "max"
  private static let count = "count"

  private typealias Path = (text: DeclaredText, parts: [DeclaredPlaceholder.Part])

  private func path(_ entry: DeclaredValue, allowed: [DeclaredPlaceholder]) -> Path? {
    guard let get = entry.declaredText("a URL path like /ticker?id={id}") else { return nil }
    guard get.text.hasPrefix("/"), get.text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 }) else {
      return entry.reject("\(entry.name) must begin with / and have no spaces or #; it follows base_url")
    }
    let segments = get.text.prefix { $0 != "?" }.split(separator: "/")
    guard !segments.contains(where: { $0 == "." || $0 == ".." }) else {
      return entry.reject("\(entry.name) must not climb with . or ..; it follows base_url")
    }
    let parts = operation.placeholders(in: get, allowed: allowed + [.key])
    guard !get.text.prefix(while: { $0 != "?" }).contains("{key}") else {
      return entry.reject("{key} belongs behind the ? of \(entry.name), or in headers:")
    }
    return parts.map { (get, $0) }
  }

  /// Checks that the request has the placeholders that it needs, in its path or in its body.
  private func check(_ parts: [DeclaredPlaceholder.Part], of entry: DeclaredValue, intervals: Int) {
    let names = Set(parts.compactMap(\.name))
    if let batch, batch != .max, names.isDisjoint(with: [.ids, .upperSymbols]) {
      entry.report(
        "with batch, \(entry.name) must hold {ids} or {SYMBOLS}; where one answer has all coins, write all: true")
    }
    if intervals > 1, !names.contains(.interval) {
      entry.report("with several intervals, \(entry.name) must hold {interval}")
    }
  }
}

/// A decoder of the body of a request: a mapping or a list, which becomes JSON, or a text.
private struct SentBodyDecoder {
  typealias Body = (text: DeclaredText, parts: [DeclaredPlaceholder.Part])

  let allowed: [DeclaredPlaceholder]
  let issues: IssueList

  /// Returns the body; nil when it has a fault, which is reported.
  func decode(_ value: DeclaredValue) -> Body? {
    let node = value.entry.value
    if case .scalar = node.content {
      return value.declaredText("a text, a mapping or a list").flatMap { text in
        parts(of: text).map { (text, $0) }
      }
    }
    let count = issues.count
    let json = json(node)
    guard issues.count == count else { return nil }
    let text = DeclaredText(json, file: node.source.file, lines: node.declared("").lines)
    return parts(of: text).map { (text, $0) }
  }

  private func parts(of text: DeclaredText) -> [DeclaredPlaceholder.Part]? {
    do throws(DeclaredPlaceholder.Fault) {
      return try DeclaredPlaceholder.parts(ofBody: text.text, allowed: allowed)
    } catch {
      issues.add(text.issue(error.message, at: error.offset))
      return nil
    }
  }

  /// Returns the node as JSON: `"{from}"` is a string, and `{from}` without quotes, which YAML reads as a mapping, a
  /// number.
  private func json(_ node: YAMLNode) -> String {
    switch node.content {
    case .scalar(let text, let isPlain):
      if isPlain, text.isEmpty { return "null" }
      if isPlain, ["true", "false", "null"].contains(text) || Self.isNumber(text) { return text }
      // Each text is checked separately, because the place of a fault is only known here.
      _ = parts(of: node.declared(text))
      return JSONText.quoted(text)
    case .sequence(let items):
      return "[" + items.map(json).joined(separator: ",") + "]"
    case .mapping(let entries):
      if let only = entries.first, entries.count == 1, only.value.isEmpty,
        DeclaredPlaceholder(rawValue: only.key) != nil
      {
        return "{\(only.key)}"
      }
      return "{" + entries.map { JSONText.quoted($0.key) + ":" + json($0.value) }.joined(separator: ",") + "}"
    }
  }

  private static func isNumber(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    let hasLeadingZero = parts.first.map { $0.count > 1 && $0.hasPrefix("0") } ?? false
    return areDigits && (1...2).contains(parts.count) && !hasLeadingZero
  }
}
