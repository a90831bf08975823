package import BitpalJSON
package import BitpalModel

/// The types of values that only provider files have.
extension DeclaredValue {
  /// Reads the base URL of requests, without a trailing slash: https, or http on this machine.
  ///
  /// - Parameter isRelay: Whether the URL is that of another bitpal server, which may use http on any host.
  package func baseURL(isRelay: Bool = false) -> String? {
    guard let text = text("a URL like https://api.example.com/v1") else { return nil }
    guard let url = BaseURL(text) else {
      return reject("\(name) must be a URL like https://api.example.com/v1, without user, query or spaces")
    }
    guard url.isSecure || url.isLoopback || isRelay else {
      return reject("\(name) must begin with https:// (http:// is only for localhost, 127.0.0.1 and [::1])")
    }
    return url.text
  }

  /// Reads request budgets, all of which hold: `60/1m`, a list of such budgets, or `{ limit: 60/1m, burst: 5 }`.
  package func rateLimits() -> [RateLimit] {
    guard entry.value.entries == nil else { return evenBudget() }
    let items = items()
    guard items.count <= Self.mostBudgets else {
      _ = reject("\(name) can have at most \(Self.mostBudgets) budgets, not \(items.count)") as Int?
      return []
    }
    return items.compactMap { $0.budget() }
  }

  private static let mostBudgets = 4

  /// Reads a budget with a burst, as a second budget of `burst` requests in the proportional part of the window.
  private func evenBudget() -> [RateLimit] {
    let decoder = mapping(keys: ["limit", "burst"])
    guard let value = decoder["limit"] else {
      _ = reject("\(name) lacks limit, like 60/1m") as Int?
      return []
    }
    guard let budget = value.budget() else { return [] }
    guard let burst = decoder["burst"]?.integer(in: 1...budget.limit), burst < budget.limit else { return [budget] }
    return [budget, RateLimit(limit: burst, window: budget.window * burst / budget.limit)].compactMap { $0 }
  }

  /// Reads currency codes: a list, or a mapping of each to the source's own code (`{ usd: USDT }`).
  package func currencies() -> [String] {
    guard let entries = entry.value.entries else { return items().compactMap { $0.currency() } }
    return entries.compactMap { entry in
      let currency = Currency.normalized(entry.key)
      if currency == nil { reportKey(Currency.problem(of: entry.key)) }
      return currency
    }
  }

  /// Reads the name of an environment variable.
  package func variableName() -> String? {
    guard let text = text("the name of an environment variable") else { return nil }
    let isName = text.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") }
    let startsWithDigit = text.first.map(\.isNumber) ?? true
    guard isName, !startsWithDigit else {
      return reject("\(name) must be the name of an environment variable, like COINGECKO_API_KEY, not the key itself")
    }
    return text
  }

  /// Reads a host name, in lower case.
  ///
  /// - Parameter mayBeBracketed: Whether `[::1]`, this machine's IPv6 address, is valid.
  package func host(mayBeBracketed: Bool = false) -> String? {
    guard let text = text("a host like api.example.com") else { return nil }
    return BaseURL.isHost(text) || mayBeBracketed && text == "[::1]"
      ? text.lowercased() : reject("\(name) must hold hosts like api.example.com, without https:// or a path")
  }

  private func budget() -> RateLimit? {
    guard let text = text("a budget like 60/1m") else { return nil }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts.first, let last = parts.last, let limit = Int(first), limit >= 1,
      let window = Duration(unitText: last), window > .zero
    else {
      return reject(
        "\(name) must be a budget like 60/1m (60 requests a minute), not \"\(text.printable(limit: 60))\"")
    }
    guard limit <= RateLimit.largest else {
      return reject("\(name) can allow at most \(RateLimit.largest) requests, not \(limit)")
    }
    return RateLimit(limit: limit, window: window)
  }
}

extension YAMLNode {
  /// Returns a text of this node with the places of its lines in the file.
  package func declared(_ text: String) -> DeclaredText {
    let first = line(of: mark.line, from: mark)
    guard let character = source.scalar(at: mark) else { return DeclaredText(text, file: source.file, lines: [first]) }
    switch character {
    case "|":
      return DeclaredText(text, file: source.file, lines: blockLines(of: text) ?? [first])
    case "\"", "'":
      let line = DeclaredText.Line(number: first.number, column: first.column + 1, excerpt: first.excerpt)
      return DeclaredText(text, file: source.file, lines: [line])
    default:
      return DeclaredText(text, file: source.file, lines: [first])
    }
  }

  /// Returns the places of the lines of a block after `|`; nil unless the file has the lines unchanged.
  private func blockLines(of text: String) -> [DeclaredText.Line]? {
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
    let excerpts = rows.indices.map { source.line(mark.line + 1 + $0) }
    guard let filled = excerpts.first(where: { !$0.allSatisfy { $0 == " " } }) else { return nil }
    let indent = filled.prefix { $0 == " " }.count
    var lines: [DeclaredText.Line] = []
    for (offset, (row, excerpt)) in zip(rows, excerpts).enumerated() {
      // The text ends with the last line end.
      if offset == rows.count - 1, row.isEmpty { break }
      guard excerpt.dropFirst(indent) == row || row.allSatisfy({ $0 == " " }) else { return nil }
      lines.append(DeclaredText.Line(number: mark.line + 1 + offset, column: indent + 1, excerpt: excerpt))
    }
    return lines
  }

  private func line(of number: Int, from mark: YAMLMark) -> DeclaredText.Line {
    let issue = source.issue("", at: mark)
    return DeclaredText.Line(number: number, column: issue.column ?? 1, excerpt: issue.excerpt ?? "")
  }
}

extension DeclaredValue {
  /// Returns the text of a scalar with its place; nil when it is empty or not a scalar.
  package func declaredText(_ expected: String = "text") -> DeclaredText? {
    text(expected).map { entry.value.declared($0) }
  }
}
