package import BitpalModel

/// Names a source in the cache by what it is asked and how its answers are read.
///
/// A file of the same id that asks elsewhere or reads otherwise is another source, whose answers must not pass for this
/// one's: a close in the past is kept for good. Whatever changes no answer (name, credit, budget, key, examples) has no part
/// in it, and neither has the program's version.
package enum CacheIdentity {
  /// The name of a source on the web: `kraken@` and a digest.
  package static func of(_ specification: ProviderSpecification) -> String {
    var parts = [
      "folder", specification.untrustedFolder ?? "", specification.kind.name.rawValue,
      specification.requestURL ?? "",
    ]
    if let api = specification.declared {
      parts += list("symbols", specification.symbols) + list("ids", api.ids) + list("codes", api.currencyCodes)
      parts += list("headers", api.headers.flatMap { [$0.name, $0.value.text] })
      parts += list("error", api.error.map(\.text)) + ["currency", api.answeredCurrency?.text ?? ""]
      parts += ["only", api.only?.rawValue ?? ""]
      for meaning in DeclaredAPI.Meaning.allCases { parts += list(meaning.rawValue, api.errors[meaning] ?? []) }
      for capability in Capability.allCases {
        if let operation = api.operations[capability] { parts += [capability.rawValue] + self.parts(of: operation) }
      }
    }
    return "\(specification.id)@\(digest(parts))"
  }

  /// Returns the name of a source that a plugin asks.
  ///
  /// - Parameter plugin: A text that changes whenever the program does.
  package static func of(_ specification: ProviderSpecification, plugin: String) -> String {
    let parts = ["folder", specification.untrustedFolder ?? "", specification.kind.name.rawValue, plugin]
    return "\(specification.id)@\(digest(parts + list("symbols", specification.symbols)))"
  }

  /// Returns the name of a recording that is read as another source's answers.
  ///
  /// - Parameters:
  ///   - file: The recording's own file, absolute.
  ///   - fingerprint: A text that changes whenever the file does.
  ///   - reader: The cache identity of the source whose dialect reads it.
  static func of(recording id: String, file: String, fingerprint: String, reader: String) -> String {
    "\(id)@\(digest([file, fingerprint, reader]))"
  }

  /// Returns the name of a file of prices in its present state and reading.
  ///
  /// - Parameter fingerprint: A text that changes whenever the file does.
  static func of(
    _ specification: ProviderSpecification, prices source: ProviderSpecification.PriceSource, fingerprint: String
  ) -> String {
    let parts = [
      "folder", specification.untrustedFolder ?? "", source.path, fingerprint, source.commodity ?? "",
      source.currency ?? "",
    ]
    return "\(specification.id)@\(digest(parts + list("symbols", specification.symbols)))"
  }

  private static func parts(of operation: DeclaredOperation) -> [String] {
    let rows: [String] =
      switch operation.rows {
      case .select(let sql): ["select", sql.text]
      case .each(let path, let fields):
        ["each", path?.text ?? ""] + list("fields", fields.flatMap { [$0.name, $0.source.text] })
      case .columns(let fields): list("columns", fields.flatMap { [$0.name, $0.source.text] })
      }
    let reaches = operation.reaches.flatMap { ["\($0.length.milliseconds)", $0.get.text] }
    // No body is another request than an empty one.
    let request = list("reaches", reaches) + list("send", operation.send.map { [$0.text] } ?? [])
    return ["get", operation.get.text] + request + ["next", operation.next?.text ?? ""] + rows + [
      "time", operation.time?.text ?? "", "batch", operation.batch.map { "\($0)" } ?? "",
      "limit", operation.limit.map { "\($0)" } ?? "",
    ] + list("intervals", operation.intervals.flatMap { ["\($0.width.milliseconds)", $0.code] })
      + parts(of: operation.body) + parts(of: operation.numbers)
  }

  /// Nothing for numbers as they are.
  private static func parts(of numbers: DeclaredNumbers) -> [String] {
    numbers == DeclaredNumbers()
      ? []
      : [
        "numbers", numbers.marks?.example ?? "", numbers.factor?.plainText ?? "", numbers.isInverted ? "inverted" : "",
      ]
  }

  /// Nothing for JSON, so that what was cached before there was anything else stays good.
  private static func parts(of body: DeclaredBody) -> [String] {
    switch body {
    case .json: return []
    case .xml: return ["body", "xml"]
    case .csv(let layout):
      let header: [String] =
        switch layout.header {
        case .first: ["first"]
        case .none: ["none"]
        case .names(let names): list("names", names)
        }
      return ["body", "csv", "\(layout.delimiter)"] + header
    }
  }

  /// A list with its length, so that no other list can look the same.
  private static func list(_ name: String, _ items: [String]) -> [String] { [name, "\(items.count)"] + items }

  private static func list(_ name: String, _ entries: [String: String]) -> [String] {
    list(name, entries.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] })
  }

  /// 64 bits of SHA-256: a name stands in every row of a coin list.
  private static func digest(_ parts: [String]) -> String {
    let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
    return String(SHA256.hexDigest(of: Array(text.utf8)).prefix(16))
  }
}
