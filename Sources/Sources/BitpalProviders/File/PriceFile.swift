import BitpalJSON
package import BitpalModel
package import FoundationEssentials

/// A price that a file states.
package struct FilePrice: Hashable, Sendable {
  /// The instant from which the price holds; the beginning of the day in UTC for a price of a day.
  package let instant: Date

  /// The price of one unit; above zero.
  package let price: Decimal

  /// The currency's code in lower case (`usd`, also where the file has `$`), or a separate unit as written (`GBp`).
  package let currency: String

  /// The line of the price in the file, from 1.
  package let line: Int

  /// Returns the price in a currency of which its own is a part; nil for more than 38 digits.
  func multiplied(by factor: Decimal, in currency: String) -> FilePrice? {
    price.exactProduct(factor).map { FilePrice(instant: instant, price: $0, currency: currency, line: line) }
  }
}

/// The content of a file of prices: price directives in the forms of ledger, hledger and Beancount, or CSV.
///
/// Other lines of a journal are ignored. A price line that breaks a rule is left out and reported with its place; the
/// other prices stay.
package struct PriceFile: Sendable {
  /// The forms of the file.
  package enum Form: Sendable {
    /// A journal with price directives.
    case journal

    /// A table of CSV, whose first row names the columns.
    case csv

    /// Chooses the form by a file's name: `.csv` for CSV in any case, otherwise a journal.
    package init(path: String) {
      self = path.lowercased().hasSuffix(".csv") ? .csv : .journal
    }
  }

  /// The values for the columns that a CSV file lacks.
  package struct Defaults: Hashable, Sendable {
    package let commodity: String?
    package let currency: String?

    package init(commodity: String?, currency: String?) {
      self.commodity = commodity
      self.currency = currency
    }
  }

  /// The most bytes that a file may have (32 MiB).
  package static let largest = 32 << 20

  /// The most faults that are reported; later ones are only counted.
  package static let mostFaults = 20

  /// The prices by commodity, in order of time, and for one instant in the order of the file.
  package let prices: [String: [FilePrice]]

  /// The problems, by line; at most ``mostFaults``.
  package let faults: [ConfigurationIssue]

  /// The number of lines that were left out.
  package let dropped: Int

  /// Whether it is not a file of prices at all: not UTF-8, not CSV, or without a required column.
  package let isRefused: Bool

  /// Creates a price file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: The file's name in messages.
  ///   - form: The form of the file.
  ///   - defaults: The values for the columns that a CSV file lacks.
  package init(_ bytes: [UInt8], name: String, form: Form, defaults: Defaults) {
    var content = PriceFileContent(file: name)
    guard let text = (try? BodyText.utf8(bytes)).flatMap({ String(validating: $0, as: UTF8.self) }) else {
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
    // The sort is stable, so prices of one instant keep the order of the file.
    prices = content.prices.mapValues { $0.sorted { $0.instant < $1.instant } }
    faults = content.faults
    dropped = content.dropped
    isRefused = content.isRefused
  }

  /// The currencies of all prices, each once, sorted.
  package var currencies: [String] { Set(prices.values.joined().map(\.currency)).sorted() }
}

/// The prices and faults of a file that have been read so far.
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

  /// Counts a line as left out, and keeps its fault up to ``PriceFile/mostFaults``.
  mutating func report(_ message: String, line: Int?, column: Int?, excerpt: String?) {
    dropped += 1
    guard faults.count < PriceFile.mostFaults else { return }
    faults.append(ConfigurationIssue(file: file, line: line, column: column, message: message, excerpt: excerpt))
  }

  /// Marks the file as refused, with the reason why none of it can be read.
  mutating func refuse(_ message: String, line: Int?, column: Int?) {
    report(message, line: line, column: column, excerpt: nil)
    isRefused = true
  }

  /// Returns the currency code in capitals for a sign (`$`, `€`, `£`, `¥`), and any other name unchanged.
  static func commodity(_ name: String) -> String { CurrencyCoin.ofSigns[name]?.uppercased() ?? name }

  /// Returns the currency's code in lower case for a sign and for a code in one case.
  ///
  /// A code in mixed case, such as `GBp` for pence, is a separate unit and stays unchanged.
  private static func code(of currency: String) -> String {
    if let code = CurrencyCoin.ofSigns[currency] { return code }
    return currency == currency.uppercased() ? currency.lowercased() : currency
  }
}
