package import BitpalModel
package import FoundationEssentials

/// The commodities of plain-text journals with the days on which they move, and the prices that the journals have.
///
/// It reads the journals of ledger, hledger and Beancount, but only dates and commodities: the rest of a line is not
/// checked.
package struct JournalNeeds: Sendable {
  /// A commodity and a day for which a price is needed.
  package struct Need: Hashable, Sendable {
    /// The commodity as the journal spells it, without quotes.
    package let commodity: String

    /// The midnight with which the day begins, in UTC.
    package let day: Date

    /// Creates a need.
    package init(commodity: String, day: Date) {
      self.commodity = commodity
      self.day = day
    }
  }

  /// A price that a journal states.
  package struct Price: Hashable, Sendable {
    /// The commodity and the day.
    package let need: Need

    /// The price of one; nil where it cannot be read.
    package let amount: Decimal?

    /// The commodity in which it is stated; nil where it cannot be read.
    package let currency: String?
  }

  /// Whether the journal is Beancount's; one of includes alone is what the files are.
  package private(set) var isBeancount: Bool

  /// Whether it has nothing but includes and comments.
  package private(set) var hasIncludesAlone = false

  /// The commodities of all postings, in the order of their first use.
  package var commodities: [String] { Self.each(of: moves.map(\.commodity)) }

  /// The commodities of all prices that the journal states, in the order of their first one.
  package var pricedCommodities: [String] { Self.each(of: prices.map(\.need.commodity)) }

  /// Returns each name once, in the order of its first occurrence.
  private static func each(of names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// An included file.
  package struct Include: Sendable {
    /// Its path, as the journal writes it.
    package let path: String

    /// The declarations of the journal above the include.
    package let declared: Declared
  }

  /// The declarations of a journal's lines for those below them, in included files as well.
  package struct Declared: Sendable {
    /// The decimal marks.
    package var marks = JournalMarks(usesCommas: false)

    /// The year of dates without one; nil when none is known.
    fileprivate var year: Int?

    /// The commodity of amounts without one.
    fileprivate var commodity: String?

    /// Creates what is declared above the first line: nothing.
    package init() {}
  }

  /// The included files.
  package private(set) var includes: [Include] = []

  /// The lines of transactions without a usable date, as `main.journal:12`; most lack a year.
  package private(set) var undated: [String] = []

  /// The prices that the journal states, in its order.
  package private(set) var prices: [Price] = []

  /// The currencies in which Beancount's reports value the books, the first one first.
  package private(set) var operatingCurrencies: [String] = []

  /// The commodities in which the journal states costs and prices, in the order of their first use.
  package var valuations: [String] { Self.each(of: costs + prices.compactMap(\.currency)) }

  /// The sources of prices by commodity, from Beancount's metadata.
  package private(set) var sources: [String: [PriceMetadata]] = [:]

  /// The place and the text of metadata of which a part is not a source, by commodity.
  package private(set) var oddSources: [String: String] = [:]

  /// The names in metadata that a commodity only spells by Beancount's rules, as `1inch` for `X1INCH`.
  private var names: [String: String] = [:]

  /// The comments on lines of their own.
  package private(set) var remarks: Set<String> = []

  /// The decimal marks that each file declares.
  private var marks: [JournalMarks] = []

  private var costs: [String] = []
  private var pads: [(account: String, day: Date)] = []
  private var balances: [(account: String, need: Need)] = []
  private var moved: [Need] = []
  private var seen: Set<Need> = []

  /// The commodities in which prices are stated; nil in place of one that cannot be read.
  private var priced: [Need: [String?]] = [:]

  /// Notes the sources in the metadata of a commodity, the last of which counts.
  private mutating func setSources(of commodity: String, _ text: String, _ place: String) {
    let metadata = PriceMetadata.all(text)
    sources[commodity] = metadata.all
    oddSources[commodity] = metadata.isOdd ? "\(place): price: \"\(text.printable(limit: 80))\"" : nil
  }

  /// Reads a journal.
  ///
  /// - Parameters:
  ///   - text: The journal's text.
  ///   - name: The path of the file, for messages.
  ///   - isBeancount: Whether the journal is Beancount's; nil to detect it by its lines.
  ///   - above: The declarations of the journal which includes this one; none for a journal of its own.
  package init(
    _ text: String, name: String = "", isBeancount: Bool? = nil, under above: Declared = Declared()
  ) {
    let lines = Self.lines(text)
    self.isBeancount = isBeancount ?? JournalLine.areOfBeancount(lines)
    var known = above
    // The years outside of each `apply year`, outermost first.
    var yearsBefore: [Int?] = []
    var entry = Entry()
    var isComment = false
    var declared: String?
    if JournalMarks.usesCommas(text) { known.marks.usesCommas = true }
    let inStrings = self.isBeancount ? Self.linesInStrings(lines) : []
    for (index, line) in lines.enumerated() where !inStrings.contains(index) {
      known.marks.read(line.utf8)
      // A date in a comment of a posting may lack the year, which is that of the transaction then.
      let usual = line.first == " " || line.first == "\t" ? entry.day.map { CivilTime($0).year } : nil
      switch JournalLine(line, isBeancount: self.isBeancount, year: usual ?? known.year, marks: known.marks) {
      case .commentBegin: isComment = true
      case .commentEnd: isComment = false
      case _ where isComment: break
      case .year(let number): known.year = number
      case .yearBegin(let number):
        yearsBefore.append(known.year)
        known.year = number
      case .yearEnd: known.year = yearsBefore.popLast() ?? known.year
      case .include(let path): includes.append(Include(path: path, declared: known))
      case .price(let price):
        priced[price.need, default: []].append(price.currency)
        prices.append(price)
      case .commodity(let name):
        declared = name
        entry = Entry()
      case .operatingCurrency(let name): operatingCurrencies.append(name)
      case .priceMetadata(let text):
        if let declared { setSources(of: declared, text, "\(name):\(index + 1)") }
      case .nameMetadata(let text):
        if let declared, declared == BeancountCommodity.name(text) { names[declared] = text }
      case .remark(let text): remarks.insert(text)
      case .entry(let date):
        declared = nil
        entry = Entry(day: date)
        if date == nil { undated.append("\(name):\(index + 1)") }
      case .template, .end: entry = Entry()
      case .posting(let posting): add(posting, of: &entry, known.commodity)
      case .defaultCommodity(let commodity): known.commodity = commodity
      case .pad(let account, let date):
        pads.append((account, date))
        entry = Entry()
      case .balance(let account, let commodity, let date):
        balances.append((account, Need(commodity: commodity, day: date)))
        entry = Entry()
      case .other: break
      }
    }
    marks = [known.marks]
    hasIncludesAlone =
      !includes.isEmpty
      && lines.allSatisfy { line in
        line.allSatisfy(\.isWhitespace) || ";#*".contains { line.first == $0 } || line.hasPrefix("include ")
      }
  }

  /// The endings of the names of Beancount's journals, and of ledger's and hledger's.
  private static let endings = [true: [".beancount", ".bean"], false: [".journal", ".hledger", ".ledger", ".dat"]]

  /// Returns whether the name of a file is that of a journal of Beancount; nil for any other file.
  package static func isOfBeancount(file name: String) -> Bool? {
    endings.first { $0.value.contains(where: name.hasSuffix) }?.key
  }

  /// Returns the lines of a text without their ends and without a byte order mark.
  private static func lines(_ text: String) -> [Substring] {
    // A carriage return with a line feed is one character, which splitting by characters would not find.
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { Substring($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0) }
    if lines.first?.first == "\u{FEFF}" { lines[0].removeFirst() }
    return lines
  }

  /// Returns the indices of the lines that begin within a string of Beancount.
  private static func linesInStrings(_ lines: [Substring]) -> Set<Int> {
    var strings = BeancountStrings()
    var (inside, opening): (Set<Int>, Int?) = ([], nil)
    for (index, line) in lines.enumerated() {
      if strings.isOpen { inside.insert(index) } else { opening = index }
      strings.read(line.utf8)
    }
    // A quote that is never closed does not begin a string.
    return strings.isOpen ? inside.filter { $0 < opening ?? 0 } : inside
  }

  /// The transaction that is being read.
  private struct Entry {
    /// Its day; nil outside of a transaction and for a day that is not known.
    var day: Date?

    /// The commodities of costs; a posting without an amount balances them.
    private var costs: [Need] = []
    private var isBalanced = false

    /// The commodity of the posting above.
    private var last: String?

    init(day: Date? = nil) { self.day = day }

    /// Returns what a posting moves, with what the posting without an amount moves because of it.
    mutating func needs(_ posting: JournalLine.Posting, _ day: Date, _ usual: String?) -> [Need] {
      if posting.isComment {
        return posting.day.flatMap { day in last.map { [Need(commodity: $0, day: day)] } } ?? []
      }
      if let cost = posting.cost { costs.append(Need(commodity: cost, day: day)) }
      if !posting.hasAmount { isBalanced = true }
      let commodity = posting.commodity ?? (posting.hasAmount ? usual : nil)
      last = commodity
      // A posting with a day of its own is balanced on that of its transaction.
      let days = [day] + (posting.day.map { [$0] } ?? [])
      let moved = commodity.map { commodity in days.map { Need(commodity: commodity, day: $0) } } ?? []
      return moved + (isBalanced ? costs : [])
    }
  }

  /// Returns whether the numbers of a commodity have a decimal comma, by what the journal declares.
  package func usesComma(for commodity: String) -> Bool {
    let declared = marks.flatMap { $0.marks(of: commodity) }
    return !isBeancount && declared.contains(.comma) && !declared.contains(.point)
  }

  /// The commodities and days of postings and, on the day of a pad, those that a later balance of its account states: these
  /// first, each in the order of first use.
  ///
  /// Beancount orders the directives of all files by their days.
  package var moves: [Need] {
    if pads.isEmpty { return moved }
    var known = seen
    let padded = balances.compactMap { account, balance -> Need? in
      let day = pads.filter { $0.account == account && $0.day < balance.day }.map(\.day).max()
      return day.map { Need(commodity: balance.commodity, day: $0) }
    }
    return padded.filter { known.insert($0).inserted } + moved
  }

  private mutating func add(_ posting: JournalLine.Posting, of entry: inout Entry, _ usual: String?) {
    if let cost = posting.cost, !costs.contains(cost) { costs.append(cost) }
    guard let day = entry.day else { return }
    for need in entry.needs(posting, day, usual) { add(need) }
  }

  private mutating func add(_ need: Need) {
    if seen.insert(need).inserted { moved.append(need) }
  }

  /// Adds the commodities and prices of an included file.
  package mutating func add(_ other: JournalNeeds) {
    if hasIncludesAlone { (isBeancount, hasIncludesAlone) = (other.isBeancount, false) }
    for need in other.moved { add(need) }
    operatingCurrencies += other.operatingCurrencies
    costs += other.costs
    pads += other.pads
    balances += other.balances
    undated += other.undated
    priced.merge(other.priced, uniquingKeysWith: +)
    prices += other.prices
    remarks.formUnion(other.remarks)
    marks += other.marks
    sources.merge(other.sources) { first, _ in first }
    names.merge(other.names) { first, _ in first }
  }

  /// Returns the name by which the prices of a commodity are asked for.
  package func name(of commodity: String) -> String { names[commodity] ?? commodity }

  /// Returns whether the journal has a price of the commodity on that day, in that currency or in one that cannot be read.
  package func hasPrice(_ need: Need, in isMeant: (String) -> Bool) -> Bool {
    priced[need]?.contains { $0.map(isMeant) ?? true } ?? false
  }
}
