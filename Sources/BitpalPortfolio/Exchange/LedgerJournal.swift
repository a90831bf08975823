import BitpalModel
import FoundationEssentials

/// A journal that hledger and Ledger read alike.
struct LedgerJournal {
  let currency: String

  func text(_ bookings: [Booking], prices: [PricePoint]) -> String {
    var text = "; Written by bitpal. Sales are booked at their moving average cost.\n"
    for entry in bookings.compactMap(JournalEntry.init) { text += "\n" + self.text(entry) }
    if !prices.isEmpty { text += "\n" }
    for point in prices {
      text += "P \(point.date.dayText) \(commodity(point.coinId)) \(point.price.plainText) \(currency)\n"
    }
    return text
  }

  private func text(_ entry: JournalEntry) -> String {
    var text = "\(entry.day) * \(entry.title) \(entry.coinId.printable())\n    ; id: \(entry.id), time: \(entry.time)\n"
    for note in entry.notes { text += "    ; note: \(note)\n" }
    text += posting("assets:crypto", "\(entry.amount) \(commodity(entry.coinId)) @@ \(entry.cost) \(currency)")
    for other in entry.postings { text += posting(other.account, "\(other.amount) \(currency)") }
    return text
  }

  private func posting(_ account: String, _ amount: String) -> String {
    "    " + account + String(repeating: " ", count: max(2, 18 - account.count)) + amount + "\n"
  }

  private func commodity(_ coin: String) -> String {
    if let code = CurrencyCoin.currency(of: coin)?.uppercased(), code.allSatisfy(\.isLetter) { return code }
    return "\"" + String(coin.printable().map { $0 == "\"" || $0 == ";" || $0 == "@" ? "_" : $0 }) + "\""
  }
}
