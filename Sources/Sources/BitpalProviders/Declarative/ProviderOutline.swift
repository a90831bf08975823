import BitpalJSON
package import BitpalModel
import BitpalNetwork
import FoundationEssentials

/// The outline of a provider file for one answer of a source: its paths with sample values, the fields that are beyond
/// doubt, and a TODO for each other.
///
/// A field is beyond doubt when one path alone has exactly the usual name, every name above it is neutral or that of the
/// coin or the currency, and its value fits. Of several rows that is never the price of a coin.
package struct ProviderOutline: Sendable {
  /// The fields, the points to decide, and the text of the file.
  package private(set) var outline = Outline()

  /// The name of the JSON Schema that stands beside the file, for editors.
  package static let schemaFile = "provider.schema.json"

  private let id: String
  private let request: SampleRequest
  private let answer: SampleAnswer
  private var meaning: AnswerMeaning { AnswerMeaning(answer: answer, request: request) }

  /// The steps to the rows; nil for an answer that is one row, and where a person has to decide.
  private var rows: [String]?
  private var paths: [String: [String]] = [:]

  /// The value beside the price that may change its meaning; nil for none.
  private var doubt: String?

  /// Makes the outline.
  ///
  /// - Throws: `BitpalError.usage` for an answer that is neither JSON nor CSV nor XML, or has no number above zero.
  package init(_ body: [UInt8], of request: SampleRequest, id: String) throws(BitpalError) {
    (self.id, self.request) = (id, request)
    answer = try SampleAnswer(request.redaction.bytes(body))
    // Each row of a sheet is a row of the operation.
    if answer.isSheet { rows = [] }
    if request.isSeries, answer.arrays.count == 1, isNeutral(answer.arrays[0]) { rows = answer.arrays[0] }
    for (field, names) in Self.names[request.capability] ?? [] {
      let found = answer.leaves.filter { fits($0, field, names) }
      guard found.count == 1 else { continue }
      if field == "price" { doubt = meaning.doubt(about: found[0], namesCurrency: used.contains("{CURRENCY}")) }
      if field != "price" || doubt == nil {
        paths[field] = Array(found[0].steps.dropFirst(rows.map { $0.count + 1 } ?? 0))
      }
    }
    outline.text =
      ([
        "# yaml-language-server: $schema=\(Self.schemaFile)",
        "# The outline of one answer, by `bitpal providers new`. Each TODO is a decision; docs/providers.md explains the keys.",
      ]
      + answer.comments + headLines() + [""] + operationLines() + [""] + exampleLines()).joined(separator: "\n") + "\n"
  }

  // MARK: Fields beyond doubt

  /// The plain names that mean a field.
  ///
  /// A time of candles without "open" in its name may be that of the close.
  private static let names: [Capability: [(field: String, names: Set<String>)]] = [
    .quotes: [
      ("id", ["id"]),
      ("price", ["price", "last", "lastprice", "currentprice"]), ("open_24h", ["open24h"]),
      ("change_24h", ["percentchange24h", "pricechangepercentage24h"]),
      ("time", ["lastupdated", "lastupdatedat", "updatedat"]),
    ],
    .line: [("time", ["time", "timestamp", "date"]), ("price", ["price"])],
    .candles: [
      ("time", ["opentime", "timeopen"]), ("open", ["open"]), ("high", ["high"]), ("low", ["low"]),
      ("close", ["close"]),
    ],
  ]

  /// The plain names above a field that do not change its meaning.
  private static let neutral: Set<String> = [
    "data", "market", "price", "prices", "quote", "quotes", "result", "results", "ticker", "tickers",
  ]

  private func fits(_ leaf: SampleAnswer.Leaf, _ field: String, _ names: Set<String>) -> Bool {
    guard let last = leaf.steps.last, isNeutral(leaf.steps.dropLast()), !answer.isCut,
      request.isSeries ? rows != nil : !answer.hasSeveralRows
    else { return false }
    // A number below the coin and the currency is its price.
    let isPrice =
      field == "price" && template(of: last)?.lowercased() == "{currency}"
      && leaf.steps.dropLast().contains { template(of: $0) != nil }
    guard names.contains(last.plainName) || isPrice else { return false }
    return switch field {
    case "id": leaf.text == request.coin
    case "time": leaf.format != nil
    case "change_24h": leaf.number != nil
    default: leaf.isPrice
    }
  }

  private func isNeutral(_ steps: [String]) -> Bool {
    steps.allSatisfy { $0 == "[0]" || Self.neutral.contains($0.plainName) || template(of: $0) != nil }
  }

  private func template(of step: String) -> String? { request.template(of: step.dropFirst().filter { $0 != "\"" }) }

  /// Returns a path with placeholders.
  private func text(_ steps: [String]) -> String {
    "$" + steps.map { step in template(of: step).map { $0.contains("/") ? ".\"\($0)\"" : ".\($0)" } ?? step }.joined()
  }

  /// The request and the paths, in which placeholders count, in capitals.
  private var used: String {
    (request.target + (paths.values + [rows ?? []]).map(text).joined()).uppercased()
  }

  // MARK: The text

  private mutating func headLines() -> [String] {
    var lines = [
      "id: \(id)", "name: \(id)", "kind: http",
      "base_url: \(request.base ?? outline.toDo("base_url", "such as https://api.example.com"))",
      "rate_limit: 30/1m   # slow, until you know what the source allows",
    ]
    let headers =
      request.headers.map { ($0.name, $0.value) } + (request.secret.map { [($0.name, $0.prefix + "{key}")] } ?? [])
    if !headers.isEmpty { lines.append("headers:") }
    for (name, value) in headers { lines.append("  \(name): \(JSONText.quoted(value))") }
    if request.secret != nil || request.target.contains("{key}") {
      let name = id.uppercased().replacing("-", with: "_") + "_API_KEY"
      lines.append("key_env: \(name)   # the variable with the key, or \(name)_FILE with the path of its file")
    }
    let stated = stated
    let isStated = stated.count == 1 && meaning.isCurrency(stated[0])
    // The engine compares it with what is asked for, and knows pence.
    if isStated { lines.append("currency: \(Outline.quoted(text(stated[0].steps)))") }
    if !used.contains("{CURRENCY}") {
      let others = stated.filter { $0.text.lowercased() != request.currency }.map { "; the answer says \($0.text)" }
        .joined()
      let isKnown = isStated || request.statesCurrency && others.isEmpty
      let list = "[\(request.currency)]"
      lines.append(
        "currencies: \(isKnown ? list : outline.toDo("currencies", "\(list) or another, of its prices\(others)"))")
    }
    if let symbol = request.symbol, used.contains("{SYMBOL}") {
      lines.append("symbols: { \(Outline.quoted(request.coin)): \(Outline.quoted(symbol)) }   # others: from aliases")
    }
    return lines
  }

  private mutating func operationLines() -> [String] {
    let get = problem.map { outline.toDo("get", $0) } ?? Outline.quoted(request.target)
    var lines = ["\(request.capability.rawValue):", "  get: \(get)"] + answer.form
    if request.capability == .candles || request.target.contains("{interval}") {
      lines.append("  intervals: \(outline.toDo("intervals", "the widths that it has, such as { 1d: 1440 }"))")
    }
    let formats = Set(candidates(for: "time").compactMap(\.format))
    if formats.count == 1, let format = formats.first, request.isSeries || paths["time"] != nil {
      lines.append("  time: \(format.text)")
    } else if request.isSeries {
      lines.append("  time: \(outline.toDo("time", "seconds, milliseconds, iso8601 or a pattern"))")
    }
    if let rows {
      lines += answer.isSheet ? [] : ["  each: \(Outline.quoted(text(rows)))"]
    } else if request.isSeries || answer.hasSeveralRows, !answer.isSheet {
      let arrays = answer.arrays.prefix(8).map { "$" + $0.joined() }.joined(separator: ", ")
      lines.append(
        "  each: \(outline.toDo("each", "the path of the rows, such as \(arrays.isEmpty ? "$.data" : arrays)\(request.isSeries ? "" : "; a series needs --ask")"))"
      )
    }
    return lines + ["  fields:"] + fieldLines()
  }

  /// The reason why the URL cannot be used as it is; nil for none.
  private var problem: String? {
    let target = request.target
    if request.base == nil { return "what follows base_url, such as /price?coin={id}&in={currency}" }
    if target.contains(Redaction.mark) { return "\(target): what looks like a key belongs behind the ?, as {key}" }
    if request.hasFixedTime { return "\(target) has a time in it; times of a series are {from}, {to} and their forms" }
    if used.contains("{ID}") || used.contains("{SYMBOL}") { return nil }
    return "\(target) with {id}, {symbol} or {SYMBOL} where the coin stands; with batch: {ids} or {SYMBOLS}; "
      + "as it is with all: true, where one answer has all coins"
  }

  private func candidates(for field: String) -> [SampleAnswer.Leaf] {
    if let path = paths[field] { return answer.leaves.filter { $0.steps == (rows.map { $0 + ["[0]"] } ?? []) + path } }
    return answer.leaves.filter { leaf in
      (rows.map { leaf.steps.starts(with: $0) } ?? true) && (field == "time" ? leaf.format != nil : leaf.isPrice)
    }
  }

  private mutating func fieldLines() -> [String] {
    let required = DeclaredOperation.columns(of: request.capability).required
    var lines: [String] = []
    for (field, _) in Self.names[request.capability] ?? [] {
      if let path = paths[field] {
        outline.take(field, from: text(path), "the only value of this name")
        lines.append("    \(field): \(Outline.quoted(text(path)))")
      } else if required.contains(field) {
        let found = candidates(for: field).map { "$" + $0.steps.dropFirst(rows.map { $0.count + 1 } ?? 0).joined() }
        let list = found.prefix(10).joined(separator: ", ") + (found.count > 10 ? ", …" : "")
        let reason = field == "price" ? doubt.map { "; \($0)" } ?? "" : ""
        lines.append(
          "    \(field): \(outline.toDo(field, found.isEmpty ? "its path" : "which it is: \(list)\(reason)"))")
      }
    }
    if answer.hasSeveralRows, !request.isSeries {
      lines.append("    id: \(outline.toDo("id", "the path in a row, or symbol: with it, that names the coin"))")
    }
    return lines
  }

  /// Returns a price as a row has it: with a decimal point, and of pence in pounds.
  private func shown(_ price: SampleAnswer.Leaf) -> String {
    let currency = stated.count == 1 ? stated[0].text : ""
    guard let number = price.number, let factor = MinorUnit(currency)?.factor ?? price.marks.map({ _ in 1 }) else {
      return price.text
    }
    return (number * factor).plainText
  }

  /// The values that name a currency.
  private var stated: [SampleAnswer.Leaf] {
    answer.leaves.filter { meaning.statesCurrency($0) && isNeutral($0.steps.dropLast()) }
  }

  private mutating func exampleLines() -> [String] {
    guard !request.isSeries, answer.text.utf8.count <= 16 << 10, YAMLText.canHold(answer.text) else {
      return [
        "# TODO examples: an answer and the rows that must come of it; \"bitpal providers check \(id)\" runs them."
      ]
    }
    let price =
      paths["price"] == nil
      ? outline.toDo("examples", "the price that must come of it") : shown(candidates(for: "price")[0])
    return [
      "examples:", "  - ask: quotes", "    coin: \(Outline.quoted(request.coin))", "    currency: \(request.currency)",
    ]
      + (request.asked.map { ["    url: \(Outline.quoted($0))"] } ?? []) + ["    body: |2"]
      + answer.text.split(separator: "\n").map { "      \($0)" } + ["    rows:", "      - price: \(price)"]
  }
}
