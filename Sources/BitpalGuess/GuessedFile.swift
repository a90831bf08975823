import BitpalJSON
import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials

/// The text of a provider file for a guess, with a comment on each guessed line.
struct GuessedFile {
  let id: String
  let sample: SampleAnswer
  let operation: GuessedOperation
  let names: SampleNames
  let url: SampleURL?

  /// The size in bytes above which a sample gets a file of its own.
  private static let inlineLimit = 32 << 10

  /// The path and query of requests, with placeholders.
  var get: String { url?.get ?? "/price?coin={id}&in={currency}" }

  /// The spacing of the rows, otherwise the width that the URL names; nil where neither is known.
  var width: Duration? { operation.width ?? url?.interval.flatMap { Duration(unitText: $0) } }

  /// The notes about parts of the file that the user should check.
  var notes: [String] {
    var notes: [String] = []
    if sample.isCut {
      notes.append("the sample has more than \(SampleNode.most) values; what stands beyond the first was not looked at")
    }
    if let secrets = url?.secrets {
      if !secrets.names.isEmpty {
        notes.append(
          "\(secrets.names.joined(separator: ", ")) was left out of the URL: a key belongs into headers:, see "
            + "docs/providers.md")
      }
      if secrets.isInPath {
        notes.append(
          "a part of the URL's path looks like a key and is \(Redaction.mark) in the file; put it back if it is none, else "
            + "keep the file to yourself")
      }
    }
    if url == nil {
      notes.append("base_url and get are made up; with --from-url and --from-file they are taken from the URL")
    } else if !Self.coinPlaceholders.contains(where: { self.get.contains($0) }) {
      notes.append(
        "the URL does not name the coin; if it has a place for it, write {id} or {SYMBOL} there"
      )
    }
    if let key = sample.headers.first(where: { $0.key != nil }) {
      notes.append(
        "the key in \(key.name) is not in the file: put it into \(keyVariable), or the path of its file into "
          + "\(keyVariable)_FILE")
    }
    if operation.capability != .quotes {
      if url != nil, !Self.timePlaceholders.contains(where: { self.get.contains($0) }) {
        notes.append(
          "nothing in the URL is taken for a time; with {from}, {to} or {days} in get longer charts can be asked for"
        )
      }
      notes.append(
        width == nil
          ? "one row does not tell how wide it is; set intervals"
          : "intervals has the one width of the sample; add the others that the source has")
    }
    return notes
  }

  private static let coinPlaceholders = ["{id}", "{ids}", "{symbol}", "{SYMBOL}", "{SYMBOLS}"]
  private static let timePlaceholders =
    ["{days}"] + ["from", "to"].flatMap { ["{\($0)}", "{\($0)_ms}", "{\($0)_iso}"] }

  /// The variable that holds the key of the source.
  private var keyVariable: String {
    String(id.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }) + "_API_KEY"
  }

  /// Returns the text of the file, and the sample where it needs a file of its own.
  ///
  /// - Throws: ``/BitpalJSON/JSONRows/Failure`` when SQLite cannot read the sample.
  func text() throws -> (text: String, bodyFile: (name: String, bytes: [UInt8])?) {
    let body = try exampleBody()
    var bodyFile: (name: String, bytes: [UInt8])?
    var lines = head + [""] + operationLines
    lines += ["", "# Made of the sample; `bitpal providers check \(id)` runs it.", "examples:"]
    lines += ["  - ask: \(operation.capability.rawValue)", "    coin: \(Self.quoted(sample.coin))"]
    if sample.currency != "usd" { lines.append("    currency: \(sample.currency)") }
    lines += windowLines
    if let asked = url?.asked, operation.capability == .quotes { lines.append("    url: \(Self.quoted(asked))") }
    if body.utf8.count > Self.inlineLimit || !YAMLText.canHold(body) {
      let form = sample.other?.form.body.name ?? "json"
      let name = "\(id).example.\(form)"
      bodyFile = (name, Array(body.utf8))
      lines.append("    body_file: \(name)")
    } else {
      // YAML needs an indentation indicator when the first line begins with spaces.
      lines.append(body.hasPrefix(" ") ? "    body: |2" : "    body: |")
      lines += body.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "      \($0)" }
      if lines.last == "" { lines.removeLast() }
    }
    lines.append("    rows:")
    for row in operation.expected {
      let cells = ["time", "price", "change_24h", "open", "high", "low", "close"].compactMap { name in
        row[name].map { "\(name): \($0)" }
      }
      lines.append("      - { \(cells.joined(separator: ", ")) }")
    }
    return (lines.joined(separator: "\n") + "\n", bodyFile)
  }

  /// The lines above the operation: the source, its limits and key, and our names for its names.
  private var head: [String] {
    let shownName = id.split(whereSeparator: { "-_".contains($0) })
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    var lines = [
      "# Guessed from one answer by `bitpal providers new`. What is not certain says so; docs/providers.md explains the rest.",
      "id: \(id)", "name: \(shownName)", "kind: http",
      "base_url: \(url?.base ?? "https://api.example.com")"
        + (url == nil ? "   # made up: put the source's own here" : ""),
      "rate_limit: 30/1m            # a guess: see what the source allows",
    ]
    if !sample.headers.isEmpty {
      let pairs = sample.headers.map { "\($0.name): \(Self.doubleQuoted($0.text + ($0.key == nil ? "" : "{key}")))" }
      lines.append("headers: { \(pairs.joined(separator: ", ")) }")
    }
    if sample.headers.contains(where: { $0.key != nil }) {
      lines.append("key_env: \(keyVariable)   # the key is no part of this file")
      if let host { lines.append("key_hosts: [\(host)]") }
    } else if let name = url?.secrets.names.first {
      lines += [
        "# The URL had a key (\(name.printable(limit: 60))), which is no part of this file. Where the source takes it in a header:",
        "# key_env: \(keyVariable)", "# headers: { X-Api-Key: \"{key}\" }",
      ]
    }
    if let own = names.ownCurrency {
      lines.append("currencies: { \(names.currency): \(own) }   # what the source calls it; add the others it has")
    } else if !namesCurrency {
      lines.append("currencies: [\(names.currency)]   # nothing in the URL says another")
    }
    if needsSymbol {
      lines.append(
        "symbols: { \(names.coin): \(Self.quoted(names.ownSymbol ?? names.symbol, isInBraces: true)) }   # else: from aliases"
      )
    }
    if let own = names.ownID {
      lines.append("ids: { \(names.coin): \(Self.quoted(own, isInBraces: true)) }   # add the others you follow")
    }
    return lines
  }

  /// The host of the requests, without the port; nil without a URL.
  private var host: String? {
    url.map { url in
      let authority = url.base.firstRange(of: "://").map { url.base[$0.upperBound...] } ?? url.base[...]
      return String(authority.prefix { $0 != "/" && $0 != ":" })
    }
  }

  /// Whether the request or the paths depend on the currency.
  private var namesCurrency: Bool {
    ([self.get] + operation.columns.map(\.source) + [rowsText]).contains { text in
      ["{currency}", "{CURRENCY}", ":currency", ":CURRENCY"].contains { text.contains($0) }
    }
  }

  /// Whether the request or the SELECT asks for the coin by its ticker.
  private var needsSymbol: Bool {
    let texts = [self.get] + operation.columns.map(\.source) + [rowsText]
    return names.ownSymbol != nil
      || texts.contains { text in
        ["{symbol}", "{SYMBOL}", "{SYMBOLS}", ":SYMBOL"].contains { text.contains($0) }
      } || operation.columns.contains { $0.field == "symbol" }
  }

  private static func doubleQuoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// Returns a YAML scalar, quoted where necessary.
  ///
  /// - Parameter isInBraces: Whether it is between `{` and `}`, where more characters have a meaning.
  static func quoted(_ text: String, isInBraces: Bool = false) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      byte.isPlainInYAML || !isInBraces && "?=&{}[],%".utf8.contains(byte)
    }
    let startsWell = text.utf8.first.map { byte in
      byte.isPlainInYAML && byte != UInt8(ascii: "-") && byte != UInt8(ascii: ".")
    }
    if isPlain, startsWell ?? false { return text }
    return "'" + text.replacing("'", with: "''") + "'"
  }

  /// Returns a text that may follow a `#`: one printable line of at most 120 characters.
  static func comment(_ text: String) -> String { text.printable(limit: 120) }
}

extension UInt8 {
  /// Whether the byte has no special meaning in a plain YAML scalar, even between braces.
  fileprivate var isPlainInYAML: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "/"), UInt8(ascii: "$"):
      true
    default: false
    }
  }
}
