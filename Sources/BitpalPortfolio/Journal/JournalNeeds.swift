public import FoundationEssentials

/// The commodities of plain-text journals, the days on which they are moved, and the prices that the journals have
/// already.
///
/// Reads the journals of ledger, hledger and Beancount. Only dates and commodities are looked at; those programs check
/// the rest of a line.
public struct JournalNeeds: Sendable {
  /// A commodity on a day on which a price of it is wanted.
  public struct Need: Hashable, Sendable {
    /// As the journal spells it, without quotes.
    public let commodity: String

    /// The midnight with which the day begins, in UTC.
    public let day: Date

    /// Creates a need.
    public init(commodity: String, day: Date) {
      self.commodity = commodity
      self.day = day
    }
  }

  /// Whether it is a journal of Beancount.
  public let isBeancount: Bool

  /// The commodities that are moved, by day, without those that have a price in the journal on that day.
  public var needs: [Need] { moved.filter { !priced.contains($0) } }

  /// The commodities that are moved, in the order in which they first occur.
  public var commodities: [String] {
    var seen: Set<String> = []
    return moved.map(\.commodity).filter { seen.insert($0).inserted }
  }

  /// The files that it wants to be read with it, as it names them.
  public private(set) var includes: [String] = []

  /// The lines of transactions whose day is not known, counted from 1: they name no year.
  public private(set) var undated: [Int] = []

  private var moved: [Need] = []
  private var seen: Set<Need> = []
  private var priced: Set<Need> = []

  /// Reads a journal.
  ///
  /// - Parameter isBeancount: Nil to tell it by what is in it.
  public init(_ text: String, isBeancount: Bool? = nil) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.last == "\r" ? $0.dropLast() : $0 }
    self.isBeancount = isBeancount ?? lines.contains(where: JournalLine.isOfBeancount)
    var year: Int?
    var day: Date?
    var isComment = false
    for (index, line) in lines.enumerated() {
      switch JournalLine(line, isBeancount: self.isBeancount, year: year) {
      case .commentBegin: isComment = true
      case .commentEnd: isComment = false
      case _ where isComment: break
      case .year(let number): year = number
      case .include(let path): includes.append(path)
      case .price(let need): priced.insert(need)
      case .entry(let date):
        day = date
        if date == nil { undated.append(index + 1) }
      case .template: day = nil
      case .posting(let commodity): if let day { add(Need(commodity: commodity, day: day)) }
      case .other: break
      }
    }
  }

  private mutating func add(_ need: Need) {
    if seen.insert(need).inserted { moved.append(need) }
  }

  /// Takes in what an included file says.
  public mutating func add(_ other: JournalNeeds) {
    for need in other.moved { add(need) }
    priced.formUnion(other.priced)
  }

  /// Whether the journal has a price of a commodity on a day.
  public func hasPrice(_ need: Need) -> Bool { priced.contains(need) }
}
