import BitpalModel

/// Reads one operation of a `kind: http` file: its URL, its rows, its widths.
struct OperationDecoder {
  let capability: Capability
  let issues: IssueList

  private static let coinPlaceholders: [DeclaredPlaceholder] = [
    .id, .symbol, .upperSymbol, .currency, .upperCurrency,
  ]
  private static let windowPlaceholders: [DeclaredPlaceholder] = [
    .days, .from, .to, .fromMilliseconds, .toMilliseconds, .fromISO, .toISO,
  ]

  /// The operation; nil when what it cannot do without is missing, which has been reported.
  func decode(_ value: DeclaredValue) -> DeclaredOperation? {
    var keys = ["get", "each", "fields", "select", "time"] + BodyDecoder.keys
    if capability != .coinList { keys += NumbersDecoder.keys }
    if capability == .quotes { keys.append("batch") }
    if capability == .candles || capability == .line { keys += ["intervals", "limit"] }
    guard value.entry.value.entries != nil else {
      return value.reject("\(value.name) must hold get and select (or fields), not \(value.entry.value.kindText)")
    }
    let decoder = value.mapping(keys: keys)
    let batch = decoder["batch"]?.integer(in: 1...1000)
    let intervals = decoder["intervals"].map { self.intervals($0) } ?? []
    let limit = decoder["limit"]?.integer(in: 1...1_000_000)
    let time = decoder["time"]?.timeFormat()
    guard let get = self.get(decoder, of: value, isBatch: decoder["batch"] != nil),
      let rows = self.rows(decoder, of: value)
    else { return nil }
    if time == nil, decoder["time"] == nil, needsTime(rows) {
      value.reportKey(
        "\(value.name) lacks time: seconds, milliseconds, iso8601 or a pattern (how its time column is written)")
    }
    if capability == .candles, decoder["intervals"] == nil {
      value.reportKey("\(value.name) lacks intervals, the candle widths it has, like { 1m: 1, 1h: 60, 1d: 1440 }")
    }
    var operation = DeclaredOperation(
      get: get, rows: rows, time: time, batch: batch, intervals: intervals, limit: limit)
    operation.body = BodyDecoder().decode(decoder)
    operation.numbers = NumbersDecoder().decode(decoder)
    return operation
  }

  private func get(_ decoder: MappingDecoder, of value: DeclaredValue, isBatch: Bool) -> DeclaredText? {
    guard let entry = decoder["get"] else {
      value.reportKey("\(value.name) lacks get, what follows base_url, like /ticker?id={id}")
      return nil
    }
    guard let get = entry.declaredText("a URL path like /ticker?id={id}") else { return nil }
    guard get.text.hasPrefix("/"), get.text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 }) else {
      return entry.reject("\(entry.name) must begin with / and have no spaces or #; it follows base_url")
    }
    let segments = get.text.prefix { $0 != "?" }.split(separator: "/")
    guard !segments.contains(where: { $0 == "." || $0 == ".." }) else {
      return entry.reject("\(entry.name) must not climb with . or ..; it follows base_url")
    }
    let intervals = decoder["intervals"]?.entry.value.entries?.count ?? 0
    var allowed = allowed(isBatch: isBatch)
    if intervals > 0 { allowed.append(.interval) }
    let parts = placeholders(in: get, allowed: allowed + [.key])
    guard !get.text.prefix(while: { $0 != "?" }).contains("{key}") else {
      return entry.reject("{key} belongs behind the ? of \(entry.name), or in headers:")
    }
    func has(_ placeholder: DeclaredPlaceholder) -> Bool { parts?.contains(.placeholder(placeholder)) ?? true }
    if isBatch, !has(.ids), !has(.upperSymbols) {
      entry.report("with batch, \(entry.name) must hold {ids} or {SYMBOLS}")
    }
    if intervals > 1, !has(.interval) {
      entry.report("with several intervals, \(entry.name) must hold {interval}")
    }
    return parts == nil ? nil : get
  }

  private func allowed(isBatch: Bool) -> [DeclaredPlaceholder] {
    switch capability {
    case .quotes: isBatch ? [.ids, .upperSymbols, .currency, .upperCurrency] : Self.coinPlaceholders
    case .coinList: []
    case .detail: Self.coinPlaceholders
    case .line, .candles: Self.coinPlaceholders + Self.windowPlaceholders
    }
  }

  private func rows(_ decoder: MappingDecoder, of value: DeclaredValue) -> DeclaredOperation.Rows? {
    if let select = decoder["select"] {
      for key in ["each", "fields"] {
        decoder[key]?.reportKey("\(key) is the short form of select; use one of the two")
      }
      return select.declaredText("a SELECT").map { .select($0) }
    }
    guard let fields = decoder["fields"] else {
      value.reportKey("\(value.name) lacks fields (or select), which say where the columns are")
      return nil
    }
    let each = decoder["each"].flatMap { path($0) }
    let columns = DeclaredOperation.columns(of: capability)
    let entries = fields.mapping(keys: columns.required + columns.optional).values
    for column in columns.required where !entries.contains(where: { $0.entry.key == column }) {
      fields.reportKey("\(fields.name) lacks the column \"\(column)\"")
    }
    var read: [DeclaredOperation.Field] = []
    for entry in entries {
      guard let source = entry.declaredText("a path like $.price") else { continue }
      if source.text.hasPrefix("$"), placeholders(in: source, allowed: Self.coinPlaceholders) == nil { continue }
      read.append(DeclaredOperation.Field(name: entry.entry.key, source: source))
    }
    return .each(each, fields: read)
  }

  private func path(_ value: DeclaredValue) -> DeclaredText? {
    guard let text = value.declaredText("a path like $.result") else { return nil }
    guard text.text.hasPrefix("$") else {
      return value.reject("\(value.name) must be a path that begins with $, like $.result")
    }
    return placeholders(in: text, allowed: Self.coinPlaceholders) == nil ? nil : text
  }

  private func placeholders(
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
    if case .each(_, let fields) = rows { return fields.contains { $0.name == "time" } }
    return false
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
