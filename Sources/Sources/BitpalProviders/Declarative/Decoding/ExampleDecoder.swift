import BitpalJSON
import BitpalModel
import FoundationEssentials

/// A decoder of the examples in a provider file.
struct ExampleDecoder {
  /// The keys of an example.
  static let keys = [
    "ask", "coin", "currency", "now", "window", "width", "status", "url", "send", "body", "body_file", "rows", "error",
  ]

  /// Whether a question may need several requests, each with an answer of its own.
  var hasSeveralBodies = false

  /// Returns the example; nil when something is missing or wrong, which is reported.
  func decode(_ value: DeclaredValue) -> DeclaredExample? {
    guard value.entry.value.entries != nil else {
      return value.reject("an example must hold ask, body and rows (or error)")
    }
    let decoder = value.mapping(keys: Self.keys)
    guard let ask = decoder["ask"] else { return missing("ask, one of \(Self.capabilities)", in: value) }
    guard let capability = ask.choice(of: Capability.self), let query = query(capability, decoder, value),
      let bodies = bodies(decoder, value), let body = bodies.first,
      let expectation = expectation(capability, decoder, value)
    else { return nil }
    var example = DeclaredExample(
      query: query, status: decoder["status"]?.integer(in: 100...599) ?? 200, url: decoder["url"]?.text(), body: body,
      expectation: expectation, place: value.entry.value.declared("example"))
    example.send = decoder["send"]?.text("the text that is sent")
    example.furtherBodies = Array(bodies.dropFirst())
    if let now = decoder["now"] {
      guard let instant = instant(now) else { return nil }
      example.now = instant
    }
    return example
  }

  private static let capabilities = Capability.allCases.map(\.rawValue).joined(separator: ", ")

  private func missing<Value>(_ what: String, in value: DeclaredValue) -> Value? {
    value.reject("this example lacks \(what)")
  }

  private func query(_ capability: Capability, _ decoder: MappingDecoder, _ value: DeclaredValue) -> ProviderQuery? {
    if capability == .coinList { return .coinList }
    guard let coins = decoder["coin"]?.texts(), let coin = coins.first else { return missing("coin", in: value) }
    let currency = decoder["currency"].map { $0.currency() } ?? "usd"
    guard let currency else { return nil }
    if capability == .quotes { return .quotes(coins: coins, currency: currency) }
    if capability == .detail { return .detail(coin: coin, currency: currency) }
    guard let now = decoder["now"] else { return missing("now, the end of the window", in: value) }
    guard let window = decoder["window"] else { return missing("window, like 1d", in: value) }
    guard let end = instant(now), let length = window.duration() else { return nil }
    let stretch = TimeWindow(ending: end, length: length)
    if capability == .line { return .line(coin: coin, currency: currency, window: stretch) }
    guard let width = decoder["width"] else { return missing("width, like 15m", in: value) }
    return width.duration().map { .candles(coin: coin, currency: currency, window: stretch, width: $0) }
  }

  private func instant(_ value: DeclaredValue) -> Date? {
    guard let text = value.text("a time") else { return nil }
    return Date(utcText: text)
      ?? value.reject("now must be a time like 2025-01-15T10:30:00Z, not \"\(text.printable(limit: 60))\"")
  }

  /// Returns the bodies of the answers; nil when one of them is wrong.
  private func bodies(_ decoder: MappingDecoder, _ value: DeclaredValue) -> [DeclaredExample.Body]? {
    if let file = decoder["body_file"] { return all(file, self.file) }
    guard let body = decoder["body"] else { return missing("body (or body_file)", in: value) }
    return all(body, inline)
  }

  private func all(
    _ value: DeclaredValue, _ read: (DeclaredValue) -> DeclaredExample.Body?
  ) -> [DeclaredExample.Body]? {
    guard hasSeveralBodies, case .sequence(let items) = value.entry.value.content else {
      return read(value).map { [$0] }
    }
    let bodies = value.items().compactMap(read)
    guard !items.isEmpty else { return value.reject("\(value.entry.key) must hold a body for each request") }
    return bodies.count == items.count ? bodies : nil
  }

  private func file(_ value: DeclaredValue) -> DeclaredExample.Body? {
    guard let name = value.text("a file name") else { return nil }
    guard !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
      return value.reject("body_file must be a file below the folder of this one")
    }
    return .file(name, in: value.entry.source.directory)
  }

  private func inline(_ value: DeclaredValue) -> DeclaredExample.Body? {
    guard case .scalar(let text, _) = value.entry.value.content else {
      return value.reject("body must be text; put  |  after body: and the text below it")
    }
    return .inline(text)
  }

  private func expectation(
    _ capability: Capability, _ decoder: MappingDecoder, _ value: DeclaredValue
  ) -> DeclaredExample.Expectation? {
    if let error = decoder["error"] { return error.choice(of: ErrorCode.self).map { .failure($0) } }
    guard let rows = decoder["rows"] else { return missing("rows (or error)", in: value) }
    let columns = DeclaredOperation.columns(of: capability)
    let keys = (columns.required + columns.optional).filter { $0 != "open_24h" }
    return .rows(
      rows.items().map { row in
        var cells: [String: String] = [:]
        for cell in row.mapping(keys: keys).values { cells[cell.entry.key] = cell.text() }
        return cells
      })
  }
}
