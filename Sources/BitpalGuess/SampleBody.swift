import BitpalJSON
import BitpalModel
import BitpalProviders

/// The body of a sample's POST request, with placeholders for the coin, the currency, the candle width and the time.
struct SampleBody: Sendable {
  /// The body with placeholders, as the value of `send:`.
  private(set) var text = ""

  /// The body as it was sent; nil when it names several coins or depends on the time.
  var asked: String? { isAnother ? nil : original }

  /// Whether one request can name several coins.
  private(set) var isBatch = false

  /// The name of the candle width in the body; nil when it has none.
  private(set) var interval: String?

  private let original: String
  private let isSeries: Bool
  private var isAnother = false

  /// Reads a body of JSON, or a form; any other text gets no placeholders.
  ///
  /// - Throws: `BitpalError.usage` for a body with a key in it, which a provider file cannot send.
  init(_ body: String, _ names: inout SampleNames, isSeries: Bool) throws(BitpalError) {
    original = body
    self.isSeries = isSeries
    if (try? JSONRows().forEach("SELECT json_type(?1)", in: Array(body.utf8)) { _ in }) != nil {
      var rest = body[...]
      try readJSON(&rest, named: "", &names)
    } else if body.contains("="), !body.contains(where: { "{}<> \n".contains($0) }) {
      try readForm(body, &names)
    } else {
      text = body
    }
  }

  private mutating func readForm(_ body: String, _ names: inout SampleNames) throws(BitpalError) {
    for (index, pair) in body.split(separator: "&", omittingEmptySubsequences: false).enumerated() {
      let name = pair.prefix { $0 != "=" }
      try check(String(name))
      if index > 0 { text += "&" }
      text += pair.prefix(name.count + 1)
      let value = String(pair.dropFirst(name.count + 1))
      if let list = names.list(value) {
        addList(list)
      } else {
        text += template(of: value, named: String(name), &names) ?? value
      }
    }
  }

  /// Copies a JSON value to ``text``, with placeholders, and moves past it; the text is known to be JSON.
  private mutating func readJSON(
    _ rest: inout Substring, named name: String, _ names: inout SampleNames
  ) throws(BitpalError) {
    copySpace(&rest)
    switch rest.first {
    case "{":
      copy(1, &rest)
      copySpace(&rest)
      while let first = rest.first, first != "}" {
        let key = Self.string(rest)
        try check(String(key.dropFirst().dropLast()))
        copy(key.count, &rest)
        copySpace(&rest)
        copy(1, &rest)
        try readJSON(&rest, named: String(key.dropFirst().dropLast()), &names)
        copySpace(&rest)
        if rest.first == "," { copy(1, &rest) }
        copySpace(&rest)
      }
      copy(1, &rest)
    case "[":
      if let list = coins(in: rest, &names) {
        addList(list.placeholder)
        rest = rest.dropFirst(list.count)
        return
      }
      copy(1, &rest)
      copySpace(&rest)
      while let first = rest.first, first != "]" {
        try readJSON(&rest, named: name, &names)
        copySpace(&rest)
        if rest.first == "," { copy(1, &rest) }
        copySpace(&rest)
      }
      copy(1, &rest)
    case "\"":
      let string = Self.string(rest)
      let content = String(string.dropFirst().dropLast())
      text += template(of: content, named: name, &names).map { "\"\($0)\"" } ?? string
      rest = rest.dropFirst(string.count)
    default:
      let word = rest.prefix { !",]}".contains($0) && !$0.isWhitespace }
      // A placeholder replaces a number only without quotes, so that the value remains a number.
      let stamp = isSeries ? template(of: String(word), named: name, &names) : nil
      text += stamp ?? String(word)
      rest = rest.dropFirst(word.count)
    }
  }

  /// Returns the placeholder for a value; nil for one that stays as it is.
  private mutating func template(of value: String, named name: String, _ names: inout SampleNames) -> String? {
    let plain = SamplePath.plain(name)
    if isSeries, SampleURL.intervalNames.contains(plain), !value.isEmpty {
      interval = value
      return "{interval}"
    }
    if isSeries, plain == "days", Int(value) != nil {
      isAnother = true
      return "{days}"
    }
    if isSeries, let stamp = SampleURL.stamp(plain, value) {
      isAnother = true
      return stamp
    }
    return names.template(of: value)
  }

  /// Returns the placeholder for a list of coins, and the length of the list in characters; nil for any other list.
  private func coins(in rest: Substring, _ names: inout SampleNames) -> (placeholder: String, count: Int)? {
    let inner = rest.dropFirst().prefix { $0 != "]" }
    let items = inner.split(separator: ",").map { item in
      item.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
    }
    let words = items.map { String($0).filter { $0 != "\"" } }
    guard !items.isEmpty, items.allSatisfy({ $0.first == "\"" && $0.last == "\"" }) else { return nil }
    // A list of a single coin counts as a list too.
    let list = words.count > 1 ? names.list(words.joined(separator: ",")) : nil
    let single = words.first.flatMap { names.template(of: $0) }
    let placeholder = list ?? (single == "{id}" ? "{ids}" : single == "{SYMBOL}" ? "{SYMBOLS}" : nil)
    return placeholder.map { ($0, inner.count + 2) }
  }

  private mutating func addList(_ placeholder: String) {
    // One request for several coins is possible only for latest prices.
    isAnother = true
    guard isSeries else {
      isBatch = true
      text += placeholder
      return
    }
    let single = placeholder == "{ids}" ? "{id}" : "{SYMBOL}"
    text += text.first == "{" || text.first == "[" ? "[\"\(single)\"]" : single
  }

  private func check(_ name: String) throws(BitpalError) {
    guard SampleSecrets.isName(name) else { return }
    throw .usage(
      "--post: \(name.printable(limit: 60)) looks like a key, and none can stand in a body",
      hint: "send it in a header with --header, or in the URL, where the source takes it there")
  }

  private mutating func copy(_ count: Int, _ rest: inout Substring) {
    text += rest.prefix(count)
    rest = rest.dropFirst(count)
  }

  private mutating func copySpace(_ rest: inout Substring) { copy(rest.prefix(while: \.isWhitespace).count, &rest) }

  /// Returns the string that begins here, with its quotes.
  private static func string(_ rest: Substring) -> Substring {
    var isEscaped = false
    for index in rest.indices.dropFirst() {
      if !isEscaped, rest[index] == "\"" { return rest[...index] }
      isEscaped = !isEscaped && rest[index] == "\\"
    }
    return rest
  }
}
