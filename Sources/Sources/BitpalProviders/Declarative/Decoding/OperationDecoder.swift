import BitpalFiles
import BitpalJSON
import BitpalModel

/// A decoder of an operation in a file of `kind: http`: its request, its rows and its intervals.
struct OperationDecoder {
  let capability: Capability
  let issues: IssueList

  private static let coinPlaceholders: [DeclaredPlaceholder] = [
    .id, .upperID, .symbol, .upperSymbol, .currency, .upperCurrency,
  ]
  private static let windowPlaceholders: [DeclaredPlaceholder] = [
    .days, .from, .to, .fromMilliseconds, .toMilliseconds, .fromISO, .toISO, .date,
  ]

  /// Returns the keys that an operation may have.
  static func keys(of capability: Capability) -> [String] {
    var keys = ["base_url", "get", "post", "send", "each", "fields", "select", "time", "weight"] + BodyDecoder.keys
    if capability != .detail { keys += ["columns", "next", "limit"] }
    if capability != .coinList { keys += NumbersDecoder.keys }
    if capability == .quotes { keys += ["batch", "all"] }
    if capability == .candles || capability == .line { keys += ["intervals", "days"] }
    return keys
  }

  /// Returns the operation; nil when a required key is missing, which is reported.
  func decode(_ value: DeclaredValue) -> DeclaredOperation? {
    guard value.entry.value.entries != nil else {
      return value.reject("\(value.name) must hold get and select (or fields), not \(value.entry.value.kindText)")
    }
    let decoder = value.mapping(keys: Self.keys(of: capability))
    var batch = decoder["batch"]?.integer(in: 1...1000)
    let hasAllCoins = decoder["all"]?.bool() ?? false
    if hasAllCoins {
      decoder["batch"]?.reportKey("with all, one answer has every coin; leave out batch")
      batch = .max
    }
    let intervals = decoder["intervals"].map { self.intervals($0) } ?? []
    let limit = decoder["limit"]?.integer(in: 1...1_000_000)
    let time = decoder["time"]?.timeFormat()
    let request = RequestDecoder(operation: self, batch: batch ?? decoder["batch"].map { _ in 1 }).decode(
      decoder, of: value)
    guard let rows = self.rows(decoder, of: value), let request else { return nil }
    if time == nil, decoder["time"] == nil, needsTime(rows) {
      value.reportKey(
        "\(value.name) lacks time: seconds, milliseconds, iso8601 or a pattern (how its time column is written)")
    }
    if capability == .candles, decoder["intervals"] == nil {
      value.reportKey("\(value.name) lacks intervals, the candle widths it has, like { 1m: 1, 1h: 60, 1d: 1440 }")
    }
    var operation = DeclaredOperation(
      get: request.get, rows: rows, time: time, batch: batch, intervals: intervals, limit: limit)
    operation.reaches = request.reaches
    operation.send = request.send
    operation.next = request.next
    operation.isCounted = request.isCounted
    operation.weight = decoder["weight"]?.integer(in: 1...1000) ?? 1
    operation.baseURL = decoder["base_url"].flatMap { $0.baseURL() }
    if !operation.isCounted, ![.line, .candles].contains(capability) {
      decoder["limit"]?.reportKey("limit is for pages that are counted here; write next: count beside it")
    }
    operation.days = decoder["days"].flatMap { days($0) }
    operation.body = BodyDecoder().decode(decoder)
    operation.encoding = decoder["encoding"]?.encoding()
    operation.numbers = NumbersDecoder().decode(decoder)
    return operation
  }

  /// Returns the placeholders that a request may have.
  ///
  /// - Parameter batch: The maximum number of coins of one request; nil for one request per coin.
  func allowed(batch: Int?) -> [DeclaredPlaceholder] {
    switch capability {
    case .quotes:
      switch batch {
      case nil: Self.coinPlaceholders
      case .max: [.currency, .upperCurrency]
      default: [.ids, .upperSymbols, .currency, .upperCurrency]
      }
    case .coinList: []
    case .detail: Self.coinPlaceholders
    case .line, .candles: Self.coinPlaceholders + Self.windowPlaceholders
    }
  }

  private func rows(_ decoder: MappingDecoder, of value: DeclaredValue) -> DeclaredOperation.Rows? {
    if let select = decoder["select"] {
      for key in ["each", "fields", "columns"] {
        decoder[key]?.reportKey("\(key) is the short form of select; use one of the two")
      }
      return select.declaredText("a SELECT").map { .select($0) }
    }
    if let columns = decoder["columns"] {
      for key in ["each", "fields"] {
        decoder[key]?.reportKey("\(key) is for rows, and columns for an array a column; use one of the two")
      }
      return .columns(self.fields(columns) { pathOrExpression($0) })
    }
    guard let fields = decoder["fields"] else {
      value.reportKey("\(value.name) lacks fields (or select), which say where the columns are")
      return nil
    }
    let each = decoder["each"].flatMap { path($0) }
    return .each(each, fields: self.fields(fields) { pathOrExpression($0) })
  }

  /// Reads a path with the placeholders of a coin, or an SQL expression.
  private func pathOrExpression(_ entry: DeclaredValue) -> DeclaredText? {
    guard let source = entry.declaredText("a path like $.price") else { return nil }
    return source.text.hasPrefix("$") && placeholders(in: source, allowed: Self.coinPlaceholders) == nil ? nil : source
  }

  /// Returns the columns of a mapping, each read by `read`; missing required columns are reported.
  private func fields(
    _ value: DeclaredValue, _ read: (DeclaredValue) -> DeclaredText?
  ) -> [DeclaredOperation.Field] {
    let columns = DeclaredOperation.columns(of: capability)
    let entries = value.mapping(keys: columns.required + columns.optional).values
    for column in columns.required where !entries.contains(where: { $0.entry.key == column }) {
      value.reportKey("\(value.name) lacks the column \"\(column)\"")
    }
    return entries.compactMap { entry in
      read(entry).map { DeclaredOperation.Field(name: entry.entry.key, source: $0) }
    }
  }

  /// Reads a path into an answer, with the placeholders of a coin.
  func path(_ value: DeclaredValue) -> DeclaredText? {
    guard let text = value.declaredText("a path like $.result") else { return nil }
    guard text.text.hasPrefix("$") else {
      return value.reject("\(value.name) must be a path that begins with $, like $.result")
    }
    return placeholders(in: text, allowed: Self.coinPlaceholders) == nil ? nil : text
  }

  /// Reads whose days the rows are: a zone or an offset, or a path or an SQL expression that gives one.
  private func days(_ value: DeclaredValue) -> DeclaredOperation.Days? {
    guard let text = value.declaredText("a time zone like America/New_York") else { return nil }
    if text.text.hasPrefix("$") {
      return placeholders(in: text, allowed: Self.coinPlaceholders) == nil ? nil : .source(text)
    }
    if text.text.contains(where: { "(>' ".contains($0) }) { return .source(text) }
    do throws(ZoneFiles.Problem) {
      _ = try ZoneFiles.system.zone(text.text)
    } catch {
      // On a machine without zones the rows are refused when they are read.
      if !error.isOfMachine { return value.reject(error.description) }
    }
    return .zone(text)
  }

  /// Returns the parts of a text with placeholders; nil for a text with a fault, which is reported.
  func placeholders(
    in text: DeclaredText, allowed: [DeclaredPlaceholder]
  ) -> [DeclaredPlaceholder.Part]? {
    do throws(DeclaredPlaceholder.Fault) {
      return try DeclaredPlaceholder.parts(of: text.text, allowed: allowed)
    } catch {
      issues.add(text.issue(error.message, at: error.offset))
      return nil
    }
  }

  private func needsTime(_ rows: DeclaredOperation.Rows) -> Bool {
    if DeclaredOperation.columns(of: capability).required.contains("time") { return true }
    switch rows {
    case .select: return false
    case .each(_, let fields), .columns(let fields): return fields.contains { $0.name == "time" }
    }
  }

  private func intervals(_ value: DeclaredValue) -> [DeclaredOperation.Interval] {
    var intervals: [DeclaredOperation.Interval] = []
    for entry in value.mapping(keys: nil).values {
      guard let width = Duration(unitText: entry.entry.key), width > .zero else {
        entry.reportKey(
          "a candle width is a duration like 1m, 4h or 1d, not \"\(entry.entry.key.printable(limit: 60))\"")
        continue
      }
      if let code = entry.text() { intervals.append(DeclaredOperation.Interval(width: width, code: code)) }
    }
    return intervals.sorted { $0.width < $1.width }
  }
}
