import BitpalModel
import FoundationEssentials

/// A journal for both hledger and Ledger.
struct LedgerJournal {
  let options: JournalOptions

  func text(_ bookings: [Booking], prices: [PricePoint]) -> String {
    let currency = LedgerCommodity.name(options.currency)
    let names = options.names(of: bookings, prices, form: LedgerCommodity.name)
    let entries = bookings.compactMap { JournalEntry($0, options) }
    var text = "; Written by bitpal. Sales are booked at their moving average cost.\n\n"
    let digits = Self.digits(bookings)
    for (coin, name) in names.all { text += directive(name, digits: digits[coin] ?? 0) }
    text += directive(currency, digits: options.digits)
    for account in JournalEntry.accounts(of: entries) { text += "account \(account)\n" }
    for entry in entries { text += "\n" + self.text(entry, names, currency) }
    if !prices.isEmpty { text += "\n" }
    for point in prices {
      text += "P \(point.date.dayText) \(names[point.coinId]) \(point.price.plainText) \(currency)\n"
    }
    return text
  }

  /// Returns the directive for the display format of a commodity.
  ///
  /// It has at least one digit after the point, because hledger 1.25 otherwise reads number and name as one word.
  private func directive(_ name: String, digits: Int) -> String {
    "commodity \(name)\n  format 1000.\(String(repeating: "0", count: max(1, digits))) \(name)\n"
  }

  /// Returns the most digits after the point in the amounts of each coin, so that no amount is displayed rounded.
  private static func digits(_ bookings: [Booking]) -> [String: Int] {
    let amounts = bookings.map { booking in
      (booking.transaction.coinId, DecimalParts(booking.transaction.amount).map { max(0, -$0.folded.exponent) } ?? 0)
    }
    return Dictionary(amounts, uniquingKeysWith: max)
  }

  private func text(_ entry: JournalEntry, _ names: CommodityNames, _ currency: String) -> String {
    var text = "\(entry.day) * \(entry.title) \(entry.coinId.printable())\n    ; id: \(entry.id), time: \(entry.time)\n"
    for note in entry.notes { text += "    ; note: \(note)\n" }
    text += posting(entry.coinAccount, "\(entry.amount) \(names[entry.coinId]) @@ \(entry.cost) \(currency)")
    for other in entry.postings { text += posting(other.account, "\(other.amount) \(currency)") }
    return text
  }

  private func posting(_ account: String, _ amount: String) -> String {
    "    " + account + String(repeating: " ", count: max(2, 18 - account.count)) + amount + "\n"
  }
}
