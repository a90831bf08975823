import BitpalModel
import FoundationEssentials

/// A journal for Beancount, which keeps the cost of coins in their account.
///
/// The account of the coins has the booking method `NONE`: the journal itself states the cost that a sale removes, at
/// the moving average, so that the cost of the account is the portfolio's.
struct BeancountJournal {
  let options: JournalOptions

  func text(_ bookings: [Booking], prices: [PricePoint]) -> String {
    let currency = BeancountCommodity.name(options.currency)
    let names = options.names(of: bookings, prices, form: BeancountCommodity.name)
    let coins = options.account ?? JournalEntry.coins
    let entries = bookings.compactMap { JournalEntry($0, options) }
    let first = entries.map(\.day).min() ?? prices.map { $0.date.dayText }.min() ?? "1970-01-01"
    var text = "; Written by bitpal. Sales are booked at their moving average cost.\n\n"
    for account in JournalEntry.accounts(of: entries) {
      text += "\(first) open \(Self.account(account))\(account == coins ? " \"NONE\"" : "")\n"
    }
    text += "\n"
    for (coin, name) in names.all { text += "\(first) commodity \(name)\n  name: \(quoted(coin))\n" }
    for entry in entries { text += "\n" + self.text(entry, names, currency) }
    if !prices.isEmpty { text += "\n" }
    for point in prices {
      text += "\(point.date.dayText) price \(names[point.coinId]) \(point.price.plainText) \(currency)\n"
    }
    return text
  }

  private func text(_ entry: JournalEntry, _ names: CommodityNames, _ currency: String) -> String {
    var text = "\(entry.day) * \(quoted("\(entry.title) \(entry.coinId)"))\n"
    text += "  id: \(quoted(entry.id))\n  time: \(quoted(entry.time))\n"
    if !entry.notes.isEmpty { text += "  notes: \(quoted(entry.notes.joined(separator: " / ")))\n" }
    let worth = entry.proceeds.map { " @@ \($0) \(currency)" } ?? ""
    let sums = sums(of: entry)
    text += posting(
      Self.account(entry.coinAccount), "\(entry.amount) \(names[entry.coinId]) {{\(sums[0]) \(currency)}}\(worth)")
    for (other, sum) in zip(entry.postings, sums.dropFirst()) {
      // Beancount takes from the digits after the point how exactly a transaction has to balance; without any, to the last.
      let amount = sum.contains(".") ? sum : sum + ".00"
      text += posting(Self.account(other.account), "\(amount) \(currency)")
    }
    return text
  }

  /// Returns the cost and the amounts of the postings, of large sums with fewer digits after the point.
  ///
  /// Beancount keeps a total cost as one per coin, of 28 digits, so that the last of them are not exact.
  private func sums(of entry: JournalEntry) -> [String] {
    let texts = [entry.cost] + entry.postings.map(\.amount)
    let sums = texts.compactMap { try? Decimal(strict: $0) }
    let digits = 26 - (sums.map { abs($0).rounded(scale: 0).plainText.count }.max() ?? 0)
    var rounded = sums.map { $0.rounded(scale: digits) }
    guard rounded != sums, sums.count == texts.count, sums.count > 1 else { return texts }
    // The last posting takes what rounding has left.
    let cost = entry.amount.hasPrefix("-") ? -rounded[0] : rounded[0]
    rounded[rounded.count - 1] = -rounded[1..<(rounded.count - 1)].reduce(cost, +)
    return rounded.map(\.plainText)
  }

  /// Returns the name of an account with a capital letter at the start of each part, as Beancount requires.
  private static func account(_ name: String) -> String {
    name.split(separator: ":").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: ":")
  }

  private func posting(_ account: String, _ amount: String) -> String {
    "  " + account + String(repeating: " ", count: max(2, 16 - account.count)) + amount + "\n"
  }

  private func quoted(_ text: String) -> String {
    "\"" + String(text.printable().map { $0 == "\"" || $0 == "\\" ? "'" : $0 }) + "\""
  }
}
