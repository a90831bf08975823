import BitpalJSON
import BitpalModel
import BitpalProviders

/// The manifest of a plugin: its answer to `hello`.
struct PluginManifest: Hashable, Sendable {
  /// The version of the protocol that the host implements.
  static let version = 1

  /// The plugin's display name; nil where the manifest has none.
  var name: String?

  /// The kinds of questions that it answers.
  var capabilities: Set<Capability> = []

  /// The source's request budgets; empty where the manifest names none.
  var rateLimits: [RateLimit] = []

  /// The most coins of one question, 1 to ``PluginLimits/batch``.
  var batch = 1

  /// The header in which every request carries the key; nil where only `{key}` stands for it.
  var keyHeader: String?

  /// The candle widths that the source has, narrowest first.
  var intervals: [DeclaredOperation.Interval] = []

  /// The currencies it answers in, in lower case; empty when any may be tried.
  var currencies: [String] = []

  /// The attribution that the source requires; nil where it requires none.
  var attribution: String?

  /// The HTTP statuses of failure (400 to 499 without 429) that the plugin reads itself.
  private var failures: Set<Int> = []

  /// Returns whether the plugin reads responses of that status; the host reads all others.
  func reads(_ status: Int) -> Bool { (200...299).contains(status) || failures.contains(status) }

  /// Reads an answer to `hello`.
  ///
  /// - Throws: ``PluginFault/broken(_:)`` with the first rule that it breaks.
  init(_ line: [UInt8], limits: PluginLimits) throws(PluginFault) {
    let members = try PluginMessage(line, answering: "hello").members()
    func texts(_ name: String) -> [String] { members[name]?.map(\.text) ?? [] }
    guard let version = texts("bitpal").first, version == String(Self.version) else {
      let found = texts("bitpal").first.map { "version \($0.printable(limit: 20))" } ?? "no version"
      throw .broken("uses \(found) of the protocol, not \(Self.version): hello needs {\"bitpal\": \(Self.version), …}")
    }
    name = texts("name").first
    attribution = texts("attribution").first
    let answers = texts("answers")
    for answer in answers {
      guard let capability = Capability(rawValue: answer) else {
        let known = Capability.allCases.map(\.rawValue).joined(separator: ", ")
        throw .broken("says that it answers \(answer.printable(limit: 40)); there are \(known)")
      }
      capabilities.insert(capability)
    }
    guard !capabilities.isEmpty else { throw .broken("names no kind of question under answers in hello") }
    keyHeader = members["key"]?.first { $0.name == "header" }?.text
    try readSource(texts, limits)
  }

  /// Reads the members that describe the source: budgets, batch, key header, intervals, statuses and currencies.
  private mutating func readSource(_ texts: (String) -> [String], _ limits: PluginLimits) throws(PluginFault) {
    let budgets = texts("rate_limit")
    guard budgets.count <= RateLimit.mostBudgets else { throw .broken("names \(budgets.count) budgets in hello") }
    for text in budgets {
      guard let limit = RateLimit(text: text) else {
        throw .broken("names the budget \(text.printable(limit: 40)); one is written 60/1m")
      }
      rateLimits.append(limit)
    }
    if let text = texts("batch").first {
      guard let number = Int(text), (1...limits.batch).contains(number) else {
        throw .broken("has the batch size \(text.printable(limit: 20)); valid are 1 to \(limits.batch)")
      }
      batch = number
    }
    if let header = keyHeader {
      guard RequestHeader.isName(header), !RequestHeader.isTransports(header) else {
        throw .broken("wants its key in the header \(header.printable(limit: 40)), which no provider can set")
      }
    }
    for text in texts("intervals") {
      guard let width = Duration(unitText: text), width > .zero else {
        throw .broken("has candles of \(text.printable(limit: 20)); a width is written 5m, 1h or 1d")
      }
      intervals.append(DeclaredOperation.Interval(width: width, code: text))
    }
    intervals.sort { $0.width < $1.width }
    guard !capabilities.contains(.candles) || !intervals.isEmpty else {
      throw .broken("answers candles but lists no intervals in hello")
    }
    for text in texts("reads") {
      // The host must see rate limits (429) and server errors (5xx) for its cool-down and circuit breaker.
      guard let status = Int(text), (400...499).contains(status), status != 429 else {
        throw .broken("wants to read answers of status \(text.printable(limit: 20)); valid are 400 to 499 except 429")
      }
      failures.insert(status)
    }
    currencies = texts("currencies").map { $0.lowercased() }
  }
}
