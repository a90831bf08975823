package import BitpalModel
package import FoundationEssentials

/// A price that a file states.
package struct FilePrice: Hashable, Sendable {
  /// From when on it holds: a day's price from the beginning of the day in UTC.
  package let instant: Date

  /// The price of one unit; above zero.
  package let price: Decimal

  /// The code in lower case (`usd`, also where the file has `$`), or a unit of its own as it is (`GBp`).
  package let currency: String

  /// The line on which it stands, counted from 1.
  package let line: Int
}

/// The content of a file of prices: price directives in the forms of ledger, hledger and Beancount, or CSV.
///
/// Every other line of a journal is ignored. A price line that breaks a rule is left out and reported with its place:
/// it hides none of the others.
package struct PriceFile: Sendable {
  /// The forms of the file.
  package enum Form: Sendable {
    /// Price directives.
    case journal

    /// Rows under a header with the names of columns.
    case csv

    /// Chooses the form by the ending of a file's name.
    package init(path: String) {
      self = path.lowercased().hasSuffix(".csv") ? .csv : .journal
    }
  }

  /// The values for columns that a sheet does not have.
  package struct Defaults: Hashable, Sendable {
    package let commodity: String?
    package let currency: String?

    package init(commodity: String?, currency: String?) {
      self.commodity = commodity
      self.currency = currency
    }
  }

  /// The most bytes that a file may have.
  package static let largest = 32 << 20

  /// The most faults that are told: after these the rest has nothing new to say.
  package static let mostFaults = 20

  /// The prices by the commodity's name as it is written, in order of time; of one instant the last of the file comes
  /// last.
  package let prices: [String: [FilePrice]]

  /// The problems, by line; at most ``mostFaults``.
  package let faults: [ConfigurationIssue]

  /// The number of lines that were left out.
  package let dropped: Int

  /// Whether it is none of a file of prices: no text, no CSV, or without the columns that must be there.
  package let isRefused: Bool

  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: The file's name in messages.
  package init(_ bytes: [UInt8], name: String, form: Form, defaults: Defaults) {
    var content = PriceFileContent(file: name)
    // A byte order mark is not a part of the first line.
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let text = String(validating: bytes[start...], as: UTF8.self) else {
      content.refuse("the file is not UTF-8 text", line: nil, column: nil)
      self.init(content)
      return
    }
    switch form {
    case .csv: PriceSheet(defaults: defaults).read(text, into: &content)
    case .journal: PriceJournal().read(text, into: &content)
    }
    self.init(content)
  }

  private init(_ content: PriceFileContent) {
    // Sorting is stable: what stands later in the file comes later.
    prices = content.prices.mapValues { $0.sorted { $0.instant < $1.instant } }
    faults = content.faults
    dropped = content.dropped
    isRefused = content.isRefused
  }

  /// Every currency in which something is priced, sorted.
  package var currencies: [String] { Set(prices.values.joined().map(\.currency)).sorted() }
}

/// The content of a file that has been read so far.
struct PriceFileContent {
  let file: String
  private(set) var prices: [String: [FilePrice]] = [:]
  private(set) var faults: [ConfigurationIssue] = []
  private(set) var dropped = 0
  private(set) var isRefused = false

  init(file: String) {
    self.file = file
  }

  mutating func add(_ price: Decimal, of commodity: String, in currency: String, at instant: Date, line: Int) {
    prices[commodity, default: []].append(
      FilePrice(instant: instant, price: price, currency: Self.code(of: currency), line: line))
  }

  /// Leaves a line out, and says why.
  mutating func report(_ message: String, line: Int?, column: Int?, excerpt: String?) {
    dropped += 1
    guard faults.count < PriceFile.mostFaults else { return }
    faults.append(ConfigurationIssue(file: file, line: line, column: column, message: message, excerpt: excerpt))
  }

  /// Says why none of it can be read.
  mutating func refuse(_ message: String, line: Int?, column: Int?) {
    report(message, line: line, column: column, excerpt: nil)
    isRefused = true
  }

  /// Returns a commodity's name in letters where the file has a sign.
  static func commodity(_ name: String) -> String { code(ofSign: name)?.uppercased() ?? name }

  /// Returns the currency's code for a sign and for a code in capitals or in small letters.
  ///
  /// A code of both, such as `GBp` for pence, is a unit of its own and stays as it is.
  private static func code(of currency: String) -> String {
    if let code = code(ofSign: currency) { return code }
    return currency == currency.uppercased() ? currency.lowercased() : currency
  }

  private static func code(ofSign sign: String) -> String? {
    switch sign {
    case "$": "usd"
    case "€": "eur"
    case "£": "gbp"
    case "¥": "jpy"
    default: nil
    }
  }
}
