import BitpalJSON
import BitpalModel
import FoundationEssentials

/// The content of the columns of the file.
extension ImportOutline {
  /// The decimal mark of the file; nil when no number has a separator of thousands or a comma, and when none or several marks fit.
  var mark: DecimalMark? { marks.count == 1 ? marks[0] : nil }

  static func marks(of rows: [[String]]) -> [DecimalMark] {
    let numbers = rows.joined().filter { value in DecimalMark.allCases.contains { number(value, $0) != nil } }
    guard numbers.contains(where: { $0.contains { ",' \u{A0}\u{202F}\u{2009}\u{2019}".contains($0) } }) else {
      return []
    }
    return DecimalMark.allCases.filter { mark in numbers.allSatisfy { number($0, mark) != nil } }
  }

  /// Returns how many of the last rows lack most of what all others have, as a line of totals does.
  static func footers(of rows: [[String]]) -> Int {
    let body = rows.dropLast(2)
    let full = body.first.map { row in row.indices.filter { place in body.allSatisfy { !$0[place].isEmpty } } } ?? []
    return rows.suffix(2).reversed().prefix { row in full.count { row[$0].isEmpty } * 2 > full.count }.count
  }

  func values(_ place: Int) -> [String] {
    rows.map { $0[place] }.filter { !$0.isEmpty && YAMLText.canHold($0) }
  }

  func isNumeric(_ place: Int) -> Bool {
    let values = values(place)
    return !values.isEmpty && values.allSatisfy { Self.number($0, mark) != nil }
  }

  /// Returns whether the numbers of a column are below zero: `[false]`, `[true]`, or both for both.
  func signs(_ place: Int) -> [Bool] {
    guard isNumeric(place) else { return [] }
    return Set(values(place).map { $0.hasPrefix("-") }).sorted { !$0 && $1 }
  }

  /// Returns what a value has beside its number: `$` of `-$40.25` and `($40.25)`, `BTC` of `0.5 BTC`; nil for any other value.
  static func unit(of value: String) -> String? {
    let unit = value.filter { !$0.isNumber && !".,'-+() \u{A0}\u{202F}\u{2019}".contains($0) }
    let isSign = unit == "%" || unit.contains(where: \.isCurrencySymbol)
    guard isSign || !unit.isEmpty && unit.allSatisfy(\.isLetter) && value.first?.isLetter == false else { return nil }
    let rest = value.replacing(unit, with: "").filter { !"() \u{A0}".contains($0) }
    return DecimalMark.allCases.contains { number(rest, $0) != nil } ? unit : nil
  }

  /// Returns whether a column has amounts with their unit, such as `0.5 BTC`, `0.1BTC` or `$40.25`.
  func hasUnits(_ place: Int) -> Bool {
    isOfAmounts(place) && values(place).contains { Self.unit(of: $0).map { $0 != "%" } ?? false }
  }

  /// Returns whether a column has numbers, with or without their units, or shares in percent; `-` may stand for none.
  func isOfAmounts(_ place: Int) -> Bool {
    let values = values(place).filter { $0 != "-" }
    return !values.isEmpty && values.allSatisfy { Self.number($0, mark) != nil || Self.unit(of: $0) != nil }
  }

  /// Returns whether a column names its rows, such as an id, an address or a further time, and says nothing of what they mean.
  func isOfNames(_ place: Int) -> Bool {
    let words: Set = ["id", "uid", "no", "nr", "hash", "txid", "address", "url", "time", "date", "timestamp"]
    // "No. of shares" is a number of them.
    let own = UnreadColumns.words(of: names[place].replacing(/(?i)\b(?:no|nr)\b[. ]*of\b/, with: ""))
    if !words.isDisjoint(with: own) || hasDays(place) { return true }
    let values = values(place)
    let hasDigits = !values.isEmpty && values.allSatisfy { $0.contains(where: \.isNumber) }
    return hasDigits && !isOfAmounts(place)
      && (values.allSatisfy { $0.count >= 16 } || values.count > 1 && Set(values).count == values.count)
  }

  /// Returns whether a column has days, with or without a time, in whatever notation.
  func hasDays(_ place: Int) -> Bool {
    let values = values(place)
    return !values.isEmpty
      && values.allSatisfy {
        $0.contains(/^\d{1,4}[.\/-]\d{1,2}[.\/-]\d{1,4}/) || ImportDate($0) != nil && Self.number($0) == nil
      }
  }

  /// Returns the words of a column, with `""` where a row has none, and their SQL: its texts, or their beginnings where each row has
  /// a text of its own.
  func words(_ place: Int) -> (sql: String, words: [String]) {
    let texts = Set(rows.map { $0[place] }.filter(Self.canList))
    let text = "ifnull(\(identifier(place)), '')"
    guard texts.count > Self.mostWords else { return (text, texts.sorted()) }
    let words = Set(texts.map { String($0.prefix { $0 != " " }) })
    return ("substr(\(text), 1, instr(\(text) || ' ', ' ') - 1)", words.sorted())
  }

  /// The most words of a column that are written into the file.
  private static let mostWords = 12

  /// Returns whether the words of a column can all be written into the file, in one line each.
  func isOfWords(_ place: Int) -> Bool {
    rows.allSatisfy { Self.canList($0[place]) } && words(place).words.count <= Self.mostWords
  }

  private static func canList(_ text: String) -> Bool { YAMLText.canHold(text) && !text.contains(where: \.isNewline) }

  /// Whether the file is one of shares, whose tickers are those of other coins.
  var isOfShares: Bool {
    let shares: Set = [
      "isin", "wkn", "cusip", "ticker", "share", "shares", "stock", "stocks", "security", "securities",
    ]
    return names.contains { !shares.isDisjoint(with: UnreadColumns.words(of: $0)) }
  }

  /// Returns whether a column says that coins were lent or are those of a contract, by its name or its words.
  func isOfContracts(_ place: Int) -> Bool {
    let words = ([names[place]] + values(place).prefix(Self.mostWords)).flatMap(UnreadColumns.words(of:))
    return words.contains(where: UnreadColumns.isOfContracts)
  }

  /// The columns that name the unit of a fee or a tax.
  var unitsOfCosts: [Int] { names.indices.filter { UnreadColumns.isUnitOfCost(names[$0]) && !values($0).isEmpty } }

  /// Returns whether a column has codes of currencies alone, but for the unit of a fee.
  func areCurrencies(_ place: Int) -> Bool {
    let values = values(place)
    return !values.isEmpty
      && values.allSatisfy { CurrencyCoin.isCurrency($0.lowercased()) || MinorUnit.problem(in: $0) != nil }
      && !UnreadColumns.isUnitOfCost(names[place])
  }

  /// Returns whether a column has times of day, such as `10:30:00.250`, beside one of days, by its values or its name.
  func hasTimes(_ place: Int) -> Bool {
    let values = values(place)
    guard values.contains(where: { $0.contains(where: \.isNumber) }) else { return false }
    return values.allSatisfy { $0.contains(":") && $0.allSatisfy { "0123456789:.".contains($0) } }
      || !hasDays(place)
        && UnreadColumns.words(of: names[place]).contains {
          ["time", "zeit", "uhrzeit", "heure", "hora", "ora", "tijd"].contains($0)
        }
  }

  /// Returns whether the name of a column or a column beside it has the zone of its times, and that is not UTC: an import takes
  /// it from the key `zone`.
  func hasForeignZone(_ place: Int) -> Bool {
    guard values(place).contains(where: { $0.contains(":") }) else { return false }
    if let unit = names[place].firstMatch(of: /\(([A-Za-z]+(?:[\/_][A-Za-z_\/]+)?)\)/)?.1 {
      return !["utc", "gmt", "local"].contains(unit.lowercased())
    }
    return names.indices.contains { other in
      isZone(other)
        && values(other).contains { !["UTC", "GMT", "Z", "+00:00", "+0000", "0"].contains($0.uppercased()) }
    }
  }

  /// Returns whether a column has the zone of the time of each row, by its name or its values.
  private func isZone(_ place: Int) -> Bool {
    let values = values(place)
    if UnreadColumns.words(of: names[place]).contains(where: ["timezone", "tz", "zone", "offset"].contains) {
      return true
    }
    return !values.isEmpty
      && values.allSatisfy {
        $0.contains(/^(?:(?:UTC|GMT)[+-]\d.*|[+-]\d\d:\d\d|[A-Z][a-z]+\/[A-Z][A-Za-z_\/]*[a-z])$/)
      }
  }

  /// Returns whether a name says that amounts are in parts of a coin, as `Amount (mBTC)` and `Fee (sats)` do.
  static func isOfParts(_ name: String) -> Bool {
    name.contains(/(?:^|[^A-Za-z])(?:[mµu][A-Z]{3,5}|[Ss]ats?|[Ss]atoshis?|[Gg]?wei)(?:$|[^A-Za-z])/)
  }

  /// The notation of `Date.prototype.toString` (ECMA-262, 21.4.4.41), of which no part has two meanings.
  static let javaScript = try? TimePattern("EEE MMM dd yyyy HH:mm:ss 'GMT'Z")

  func areOfJavaScript(_ values: [String]) -> Bool {
    values.allSatisfy { Array($0.utf8).withUnsafeBufferPointer { Self.javaScript?.instant($0) } != nil }
  }

  /// Returns by how much amount × price differs from the total; nil where one is not a number.
  func difference(_ row: [String], _ left: Int, _ right: Int, _ total: Int) -> Decimal? {
    guard let a = Self.number(row[left], mark), let b = Self.number(row[right], mark),
      let whole = Self.number(row[total], mark)
    else { return nil }
    return abs(abs(a * b) - abs(whole))
  }

  /// Whether the price explains each total to the cent; else the total is what was paid, and the price was rounded.
  var isExact: Bool {
    guard let amount = places[.amount], let price = places[.price], let total = places[.total] else { return true }
    return rows.allSatisfy { row in
      guard let difference = difference(row, amount, price, total) else { return false }
      return difference <= Self.cent
    }
  }

  static let cent = Decimal(sign: .plus, exponent: -2, significand: 1)

  /// Returns a name in small letters, without what stands in parentheses behind it.
  static func plain(_ name: String) -> String {
    name.lowercased().replacing(/\s*\(.*\)$/, with: "").replacing("_", with: " ")
  }

  static func isPriceName(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["price", "kurs", "rate", "preis"].contains { name.contains($0) } && !name.contains("wechsel")
      && !name.contains("exchange")
  }

  /// Reads a number: with a decimal mark, that may have separators of thousands.
  static func number(_ text: String, _ mark: DecimalMark? = nil) -> Decimal? {
    guard let mark else { return try? Decimal(strict: text) }
    return mark.marks.plain(text).flatMap { try? Decimal(strict: $0) }
  }
}
