import BitpalJSON
import BitpalModel
import BitpalProviders

/// What a sample was asked with, in the body of a POST: with placeholders for what names the coin, the currency, the
/// candle width and the time.
struct SampleBody: Sendable {
  /// The body, with placeholders, as `send:` has it.
  private(set) var text = ""

  /// The body as it was sent; nil when it was of several coins, or depends on the time.
  var asked: String? { isAnother ? nil : original }

  /// Whether several coins can be asked for at once.
  private(set) var isBatch = false

  /// What it calls the candle width; nil when it says nothing of one.
  private(set) var interval: String?

  private let original: String
  private let isSeries: Bool
  private var isAnother = false

  /// Reads a body of JSON, or a form; of any other text nothing is a placeholder.
  ///
  /// - Throws: `BitpalError.usage` for one with a key in it, which a provider file cannot send.
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

  /// Copies a value of JSON, which it is, and goes behind it.
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
      // A number is one again only where its placeholder stands without quotes.
      let stamp = isSeries ? template(of: String(word), named: name, &names) : nil
      text += stamp ?? String(word)
      rest = rest.dropFirst(word.count)
    }
  }

  /// What stands for a value; nil for one that stays as it is.
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

  /// The placeholder for a list of coins, and how long the list is; nil for any other list.
  private func coins(in rest: Substring, _ names: inout SampleNames) -> (placeholder: String, count: Int)? {
    let inner = rest.dropFirst().prefix { $0 != "]" }
    let items = inner.split(separator: ",").map { item in
      item.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
    }
    let words = items.map { String($0).filter { $0 != "\"" } }
    guard !items.isEmpty, items.allSatisfy({ $0.first == "\"" && $0.last == "\"" }) else { return nil }
    // A list of one is a list all the same.
    let list = words.count > 1 ? names.list(words.joined(separator: ",")) : nil
    let single = words.first.flatMap { names.template(of: $0) }
    let placeholder = list ?? (single == "{id}" ? "{ids}" : single == "{SYMBOL}" ? "{SYMBOLS}" : nil)
    return placeholder.map { ($0, inner.count + 2) }
  }

  private mutating func addList(_ placeholder: String) {
    // Several coins are only asked for at once where the answer is of now.
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

  /// The string that begins here, with its quotes.
  private static func string(_ rest: Substring) -> Substring {
    var isEscaped = false
    for index in rest.indices.dropFirst() {
      if !isEscaped, rest[index] == "\"" { return rest[...index] }
      isEscaped = !isEscaped && rest[index] == "\\"
    }
    return rest
  }
}
