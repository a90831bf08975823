import BitpalJSON
import BitpalModel

/// The identity of a source in the cache, made of its requests and of the reading of its answers.
///
/// A file of the same id with other requests or another reading is another source. The cache must not mix their
/// answers, because it keeps a close in the past for good. Properties that change no answer (name, attribution, budget,
/// key, examples) and the program's version are not part of it.
package enum CacheIdentity {
  /// Returns the identity of a source on the web: its id, `@`, and 64 bits of a checksum in hexadecimal.
  package static func of(_ specification: ProviderSpecification) -> String {
    var parts = [
      "folder", specification.untrustedFolder ?? "", specification.kindName,
      specification.requestURL ?? "",
    ]
    if let api = specification.declared {
      parts += list("symbols", specification.symbols) + list("ids", api.ids) + list("codes", api.currencyCodes)
      parts += list("headers", api.headers.flatMap { [$0.name, $0.value.text] })
      parts += list("error", api.error.map(\.text)) + ["currency", api.answeredCurrency?.text ?? ""]
      parts += ["only", api.only?.rawValue ?? ""]
      if !api.without.isEmpty { parts += list("without", api.without.sorted()) }
      for meaning in DeclaredAPI.Meaning.allCases { parts += list(meaning.rawValue, api.errors[meaning] ?? []) }
      for capability in Capability.allCases {
        if let operation = api.operations[capability] { parts += [capability.rawValue] + self.parts(of: operation) }
      }
    }
    return "\(specification.id)@\(digest(parts))"
  }

  /// Returns the identity of a source behind a plugin.
  ///
  /// - Parameter plugin: A text that changes with the program.
  package static func of(_ specification: ProviderSpecification, plugin: String) -> String {
    let parts = ["folder", specification.untrustedFolder ?? "", specification.kindName, plugin]
    return "\(specification.id)@\(digest(parts + list("symbols", specification.symbols)))"
  }

  /// Returns the identity of a recording whose answers another source's dialect reads.
  ///
  /// - Parameters:
  ///   - id: The id of the provider.
  ///   - file: The absolute path of the recording's file.
  ///   - fingerprint: A text that changes with the file.
  ///   - reader: The cache identity of the source whose dialect reads it.
  static func of(recording id: String, file: String, fingerprint: String, reader: String) -> String {
    "\(id)@\(digest([file, fingerprint, reader]))"
  }

  /// Returns the identity of a file of prices in its present state and reading.
  ///
  /// - Parameters:
  ///   - specification: The provider's file.
  ///   - source: The file of prices and its defaults.
  ///   - fingerprint: A text that changes with the file.
  static func of(
    _ specification: ProviderSpecification, prices source: FileKind, fingerprint: String
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
    // A request without a body differs from one with an empty body.
    let request = list("reaches", reaches) + list("send", operation.send.map { [$0.text] } ?? [])
    let base = operation.baseURL.map { ["base", $0] } ?? []
    return base + ["get", operation.get.text] + request + [
      "next", operation.isCounted ? "count" : operation.next?.text ?? "",
    ] + rows + [
      "time", operation.time?.text ?? "", "days", operation.days?.text.text ?? "", "batch",
      operation.batch.map { "\($0)" } ?? "",
      "limit", operation.limit.map { "\($0)" } ?? "",
    ] + list("intervals", operation.intervals.flatMap { ["\($0.width.milliseconds)", $0.code] })
      + parts(of: operation.body) + list("encoding", operation.encoding.map { [$0] } ?? [])
      + parts(of: operation.numbers)
  }

  /// Returns the parts of the reading of numbers; none for the default reading.
  private static func parts(of numbers: DeclaredNumbers) -> [String] {
    numbers == DeclaredNumbers()
      ? []
      : [
        "numbers", numbers.marks?.example ?? "", numbers.factor?.plainText ?? "", numbers.isInverted ? "inverted" : "",
      ]
  }

  /// Returns the parts of the form of bodies.
  ///
  /// JSON has none, so that answers cached by versions that read only JSON stay valid.
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
      return ["body", "csv", "\(layout.delimiter)", "\(layout.skip)"] + header
    }
  }

  /// Returns a list with its length, so that two different lists never have the same parts.
  private static func list(_ name: String, _ items: [String]) -> [String] { [name, "\(items.count)"] + items }

  private static func list(_ name: String, _ entries: [String: String]) -> [String] {
    list(name, entries.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] })
  }

  /// Returns the first 64 bits of a SHA-256, which keeps the rows of a coin list short, in each of which it stands.
  private static func digest(_ parts: [String]) -> String {
    // Each price needs it: `joined()` would look through all conformances of the program for the one of `String`.
    var text: [UInt8] = []
    for part in parts { text += "\(part.utf8.count):\(part)".utf8 }
    return String(SHA256.hexDigest(of: text).prefix(16))
  }
}
