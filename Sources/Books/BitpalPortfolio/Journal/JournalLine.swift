import BitpalModel
import FoundationEssentials

/// One line of a journal, by its meaning for prices.
///
/// Written after hledger's manual ("Journal", "Directives"), ledger's ("Journal format") and Beancount's language
/// syntax.
enum JournalLine: Equatable {
  /// The first line of a transaction; nil where its day is not known.
  case entry(Date?)

  /// The first line of a rule or a forecast, whose postings have no day.
  case template

  case posting(Posting)

  /// The commodity of amounts without one from here on, in ledger and hledger.
  case defaultCommodity(String)

  /// Beancount's order to bring in what a later balance of the account states.
  case pad(account: String, day: Date)
  case balance(account: String, commodity: String, day: Date)
  case price(JournalNeeds.Price)

  /// Beancount's declaration of a commodity, whose metadata may name the sources of its prices.
  case commodity(String)

  /// The currency in which Beancount's reports value the books.
  case operatingCurrency(String)

  /// The value of the metadata `price`.
  case priceMetadata(String)

  /// The value of the metadata `name`.
  case nameMetadata(String)

  /// A comment on a line of its own.
  case remark(String)
  case include(String)

  /// The year of dates without one from here on.
  case year(Int)

  /// The end of `apply year`: the year before it counts again.
  case yearEnd

  /// The beginning of `apply year`.
  case yearBegin(Int)
  case commentBegin
  case commentEnd

  /// The end of a transaction: an empty line or another directive.
  case end
  case other

  /// A posting by what it moves.
  struct Posting: Equatable {
    /// Whether it is only a comment, of the posting above.
    var isComment = false

    /// The commodity of the amount; nil without an amount and for an amount without a commodity.
    var commodity: String?

    /// The commodity of the cost or price behind the amount, which a posting without an amount takes.
    var cost: String?

    /// Whether there is an amount.
    var hasAmount = false

    /// The posting's own day, from its comment.
    var day: Date?
  }

  /// Classifies a line.
  ///
  /// - Parameters:
  ///   - line: The line without its line end.
  ///   - isBeancount: Whether the journal is Beancount's.
  ///   - year: The year of dates without one; nil when none is known.
  ///   - marks: The decimal marks that the lines before declare.
  init(_ line: Substring, isBeancount: Bool, year: Int?, marks: JournalMarks) {
    guard let first = line.first, !line.trimmed.isEmpty else {
      self = .end
      return
    }
    let isIndented = isBeancount && first.isBlank
    if isIndented, let text = Self.metadata("price:", line) {
      self = .priceMetadata(text)
    } else if isIndented, let text = Self.metadata("name:", line) {
      self = .nameMetadata(text)
    } else if first == " " || first == "\t" {
      self = Self.posting(line, isBeancount, year).map { .posting($0) } ?? .other
    } else if ";#%|*".contains(first) {
      self = first == ";" ? .remark(String(line)) : .other
    } else if first.isASCIIDigit {
      self = isBeancount ? Self.beancount(line) : .entry(Self.day(line.prefix { !" \t=".contains($0) }, year: year))
    } else if isBeancount {
      let words = Self.words(line, 2)
      let option = Self.words(words.last ?? "", 2).map(Self.unquoted)
      self =
        switch words.first {
        case "include" where words.count == 2: .include(Self.unquoted(words[1]))
        case "option" where option.count == 2 && option[0] == "operating_currency": .operatingCurrency(option[1])
        default: .end
        }
    } else {
      self = Self.directive(line, year, marks)
    }
  }

  // MARK: ledger and hledger

  private static func directive(_ line: Substring, _ year: Int?, _ marks: JournalMarks) -> JournalLine {
    let words = words(line, 2)
    guard let name = words.first else { return .end }
    let rest = words.count > 1 ? words[1] : ""
    switch name.hasPrefix("!") || name.hasPrefix("@") ? name.dropFirst() : name {
    case "P": return price(rest, year, marks).map { .price($0) } ?? .end
    case "D": return ledgerCommodity(rest).map { .defaultCommodity($0) } ?? .end
    case "include": return .include(unquoted(rest))
    case "Y", "year": return Int(rest.prefix { $0.isASCIIDigit }).map { .year($0) } ?? .other
    case "apply" where rest.hasPrefix("year"):
      return Int(rest.drop { !$0.isASCIIDigit }.prefix { $0.isASCIIDigit }).map { .yearBegin($0) } ?? .other
    case "comment", "test": return .commentBegin
    case "end" where rest.hasPrefix("apply year"): return .yearEnd
    case "end": return rest.hasPrefix("comment") || rest.hasPrefix("test") ? .commentEnd : .other
    default:
      if name.hasPrefix("Y"), let number = Int(name.dropFirst()) { return .year(number) }
      return "~=".contains(name.first ?? " ") ? .template : .end
    }
  }

  /// Returns the content of a price directive: `2025-01-15 [12:00[:00]] BTC 96,000 USD`.
  private static func price(_ text: Substring, _ year: Int?, _ marks: JournalMarks) -> JournalNeeds.Price? {
    var words = words(text, 2)
    guard words.count == 2, let day = day(words[0], year: year) else { return nil }
    let next = words[1].prefix { !$0.isBlank }
    if next.first?.isASCIIDigit == true, next.contains(":") { words[1] = words[1].dropFirst(next.count).trimmed }
    let commodity =
      words[1].first == "\"" ? words[1].dropFirst().prefix { $0 != "\"" } : words[1].prefix { !$0.isBlank }
    guard !commodity.isEmpty else { return nil }
    let length = commodity.count + (words[1].first == "\"" ? 2 : 0)
    return price(JournalNeeds.Need(commodity: String(commodity), day: day), words[1].dropFirst(length), marks)
  }

  /// Returns a price; its amount is nil where the programs read different numbers, or none.
  private static func price(
    _ need: JournalNeeds.Need, _ amount: Substring, _ marks: JournalMarks?
  ) -> JournalNeeds.Price {
    var cursor = JournalCursor(amount.utf8)
    let price = try? JournalAmount.price(&cursor, marks)
    return JournalNeeds.Price(need: need, amount: price?.price, currency: ledgerCommodity(amount))
  }

  // MARK: Beancount

  /// Returns whether lines are Beancount's: with an option, a plugin or a directive of its own, otherwise with a quoted
  /// text after a flag where nothing is ledger's or hledger's.
  ///
  /// A description of ledger and hledger may be any text, such as `open an account` or one in quotes.
  static func areOfBeancount(_ lines: [Substring]) -> Bool {
    if lines.contains(where: isOfBeancount) { return true }
    let transactions = lines.indices.filter { isQuoted(lines[$0]) }
    guard !transactions.isEmpty else { return false }
    return transactions.allSatisfy { index in
      let postings = lines[(index + 1)...].prefix { $0.first?.isBlank == true }.map(\.trimmed)
      // Accounts begin with a capital letter; a key of metadata ends with a colon.
      return postings.allSatisfy { posting in
        let name = posting.first.map { "*!".contains($0) } == true ? posting.dropFirst().trimmed : posting
        return !posting.contains("$") && (name.first?.isLowercase != true || name.prefix { !$0.isBlank }.hasSuffix(":"))
      }
    } && !lines.contains { line in ["P ", "D ", "account ", "commodity "].contains(where: line.hasPrefix) }
  }

  /// Returns whether a line can occur in Beancount's journals only.
  private static func isOfBeancount(_ line: Substring) -> Bool {
    if line.hasPrefix("option \"") || line.hasPrefix("plugin \"") { return true }
    guard line.first?.isASCIIDigit == true else { return false }
    let words = words(line, 4)
    guard words.count > 2, day(words[0], year: nil) != nil else { return false }
    switch words[1] {
    case "open", "balance", "pad": return words[2].first?.isUppercase == true && words[2].contains(":")
    case "commodity": return words[2].allSatisfy { $0.isASCIICapital || $0.isASCIIDigit || "'._-".contains($0) }
    case "price":
      return words.count == 4 && words[2].first?.isASCIICapital == true
        && words[3].first.map { $0.isASCIIDigit || "-+(".contains($0) } == true
    case "txn": return words[2].first == "\""
    default: return false
    }
  }

  private static func isQuoted(_ line: Substring) -> Bool {
    guard line.first?.isASCIIDigit == true else { return false }
    let words = words(line, 3)
    return words.count == 3 && (words[1] == "*" || words[1] == "!") && words[2].first == "\""
  }

  private static func beancount(_ line: Substring) -> JournalLine {
    let words = words(line, 3)
    guard let first = words.first, let day = day(first, year: nil), words.count > 1 else { return .other }
    if words[1] == "price", words.count == 3 {
      let commodity = words[2].prefix { !$0.isBlank }
      let need = JournalNeeds.Need(commodity: String(commodity), day: day)
      return .price(price(need, words[2].dropFirst(commodity.count), nil))
    }
    if words[1] == "commodity", words.count == 3 { return .commodity(String(words[2].prefix { !$0.isBlank })) }
    let rest = words.count == 3 ? words[2].split(whereSeparator: \.isBlank).map(String.init) : []
    if words[1] == "pad", let account = rest.first { return .pad(account: account, day: day) }
    if words[1] == "balance", let account = rest.first,
      let commodity = beancountCommodity(words[2].dropFirst(account.count))
    {
      return .balance(account: account, commodity: commodity, day: day)
    }
    return words[1] == "txn" || words[1].count == 1 ? .entry(day) : .template
  }

  // MARK: Postings

  /// Returns a posting; nil for a comment and for metadata.
  private static func posting(_ line: Substring, _ isBeancount: Bool, _ year: Int?) -> Posting? {
    var rest = line.trimmed
    guard let first = rest.first else { return nil }
    // The comment of a posting goes on below it.
    if first == ";", !isBeancount {
      return day(inComment: rest.dropFirst(), year).map { Posting(isComment: true, day: $0) }
    }
    guard !";#%".contains(first) else { return nil }
    if "*!".contains(first), rest.dropFirst().first?.isBlank == true { rest = rest.dropFirst().trimmed }
    if isBeancount {
      // Metadata begin with a lower-case letter, accounts with a capital letter.
      guard rest.first?.isLowercase != true else { return nil }
      return beancountPosting(rest.drop { !$0.isBlank }.trimmed.prefix { $0 != ";" })
    }
    guard let gap = rest.ranges(of: "  ").first?.lowerBound ?? rest.firstIndex(of: "\t") else { return Posting() }
    let end = rest.firstIndex(of: "\t").map { min($0, gap) } ?? gap
    return ledgerPosting(rest[end...].trimmed, year)
  }

  private static func beancountPosting(_ text: Substring) -> Posting {
    let amount = text.prefix { !"{@".contains($0) }
    let behind = text[amount.endIndex...]
    var cost = behind.drop { "@ ".contains($0) }
    if behind.first == "{" {
      // The parts of a cost stand in any order: its amount, its date, its label.
      let parts = behind.prefix { $0 != "}" }.split(separator: "\"", omittingEmptySubsequences: false)
      let unquoted = parts.enumerated().filter { $0.offset.isMultiple(of: 2) }.flatMap {
        $0.element.split { ",{".contains($0) }
      }
      cost = unquoted.first { beancountCommodity($0) != nil } ?? ""
    }
    return Posting(
      commodity: beancountCommodity(amount), cost: beancountCommodity(cost), hasAmount: !amount.trimmed.isEmpty)
  }

  /// Reads an amount with its cost, its balance assertion and its comment.
  ///
  /// Without an amount the assertion is one: it sets the balance.
  private static func ledgerPosting(_ text: Substring, _ year: Int?) -> Posting {
    let comment = text.drop { $0 != ";" }.dropFirst()
    let parts = text.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let amount = parts[0].trimmed.isEmpty && parts.count > 1 ? parts[1].drop { "=* \t".contains($0) } : parts[0]
    let behind = amount.drop { !"@{".contains($0) }
    var posting = Posting(commodity: ledgerCommodity(amount), hasAmount: !amount.trimmed.isEmpty)
    posting.cost = ledgerCommodity(behind.drop { "@{=( \t".contains($0) }.prefix { $0 != "}" })
    posting.day = day(inComment: comment, year)
    return posting
  }

  /// Returns the day that a comment gives its posting: `[2025-01-14]`, or a tag `date`, which is the whole word before the colon.
  private static func day(inComment comment: Substring, _ year: Int?) -> Date? {
    if let mark = comment.firstIndex(of: "["), comment[mark...].contains("]") {
      return day(comment[comment.index(after: mark)...].prefix { $0 != "]" && $0 != "=" }, year: year)
    }
    let tag = comment.ranges(of: "date:").first { range in
      comment[..<range.lowerBound].last.map { $0.isBlank || $0 == "," } ?? true
    }
    return tag.flatMap { day(comment[$0.upperBound...].trimmed.prefix { !", \t".contains($0) }, year: year) }
  }

  private static func beancountCommodity(_ text: Substring) -> String? {
    let amount = text.prefix { !";{@".contains($0) }
    return amount.split(whereSeparator: \.isBlank).last { $0.first?.isASCIICapital == true }.map(String.init)
  }

  /// Returns the commodity of an amount, without digits, marks and signs: `-1,000.50 EUR`, `$10`, `"A 1" 3`, `(2 * 3)
  /// BTC`.
  private static func ledgerCommodity(_ text: Substring) -> String? {
    if let quote = text.firstIndex(of: "\""), !text[..<quote].contains(where: { ";@={[".contains($0) }) {
      let name = text[text.index(after: quote)...].prefix { $0 != "\"" }
      return name.isEmpty ? nil : String(name)
    }
    let amount = text.prefix { !";@={[".contains($0) }
    guard amount.contains(where: \.isASCIIDigit) else { return nil }
    let name = withoutNumber(withoutNumber(withoutExponent(amount)).prefix { !$0.isBlank })
    return name.isEmpty ? nil : String(name)
  }

  /// Returns an amount without the exponent of its number: `1E-6 BTC` without `E-6`.
  private static func withoutExponent(_ amount: Substring) -> Substring {
    guard let mark = amount.firstIndex(where: { "eE".contains($0) }), mark > amount.startIndex,
      amount[amount.index(before: mark)].isASCIIDigit
    else { return amount }
    let signed = amount[amount.index(after: mark)...]
    let digits = signed.first.map { "+-".contains($0) } == true ? signed.dropFirst() : signed
    let rest = digits.drop(while: \.isASCIIDigit)
    guard rest.count < digits.count, rest.first?.isLetter != true else { return amount }
    return Substring(amount[..<mark] + rest)
  }

  /// Returns a text without the digits, marks, signs and blanks around it.
  private static func withoutNumber(_ text: Substring) -> Substring {
    func isOfNumber(_ character: Character) -> Bool {
      character.isASCIIDigit || character.isBlank || ".,+-*/()'_".contains(character)
    }
    var text = text.drop(while: isOfNumber)
    while let last = text.last, isOfNumber(last) { text.removeLast() }
    return text
  }

  // MARK: Words and days

  /// Returns at most `most` words, the last of which is the rest of the text.
  private static func words(_ text: Substring, _ most: Int) -> [Substring] {
    text.trimmed.split(maxSplits: most - 1, whereSeparator: \.isBlank).map(\.trimmed)
  }

  /// Returns the value of Beancount's metadata behind a key with its colon; nil for another key.
  private static func metadata(_ key: String, _ line: Substring) -> String? {
    line.trimmed.hasPrefix(key) ? unquoted(line.trimmed.dropFirst(key.count).trimmed) : nil
  }

  private static func unquoted(_ text: Substring) -> String {
    text.first == "\"" ? String(text.dropFirst().prefix { $0 != "\"" }) : String(text)
  }

  /// Returns the day of `2025-01-15`, `2025/1/15`, `2025.01.15`, or `1/15` in a known year; nil for other texts.
  private static func day(_ text: Substring, year: Int?) -> Date? {
    let parts = text.split(omittingEmptySubsequences: false) { "-/.".contains($0) }
    var numbers = parts.compactMap { part in part.allSatisfy(\.isASCIIDigit) ? Int(part) : nil }
    guard numbers.count == parts.count else { return nil }
    if numbers.count == 2, let year { numbers.insert(year, at: 0) }
    guard numbers.count == 3 else { return nil }
    return CivilTime(year: numbers[0], month: numbers[1], day: numbers[2])?.instant
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
  fileprivate var isASCIICapital: Bool { ("A"..."Z").contains(self) }
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
}

extension Substring {
  /// The text without spaces and tabs around it.
  fileprivate var trimmed: Substring {
    var text = drop(while: \.isBlank)
    while text.last?.isBlank == true { text.removeLast() }
    return text
  }
}
