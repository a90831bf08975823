import BitpalModel
import FoundationEssentials

/// A journal for Beancount, whose commodities are capital letters, digits and a few signs.
struct BeancountJournal {
  private let currency: String
  private let commodities: [String: String]

  init(currency: String, coins: [String]) {
    self.currency = currency
    var commodities: [String: String] = [:]
    var taken: Set<String> = [currency]
    for coin in Set(coins).sorted() {
      let name = Self.commodity(coin)
      var candidate = name
      var number = 2
      while !taken.insert(candidate).inserted {
        candidate = String(name.prefix(20)) + "X\(number)"
        number += 1
      }
      commodities[coin] = candidate
    }
    self.commodities = commodities
  }

  func text(_ bookings: [Booking], prices: [PricePoint]) -> String {
    let entries = bookings.compactMap(JournalEntry.init)
    var text = "; Written by bitpal. Sales are booked at their moving average cost.\n"
    let first = entries.first?.day ?? prices.map { $0.date.dayText }.min() ?? "1970-01-01"
    text += "\n"
    for account in JournalEntry.accounts(of: entries) { text += "\(first) open \(Self.account(account))\n" }
    text += "\n"
    for (coin, commodity) in commodities.sorted(by: { $0.key < $1.key }) {
      text += "\(first) commodity \(commodity)\n  name: \(quoted(coin))\n"
    }
    for entry in entries { text += "\n" + self.text(entry) }
    if !prices.isEmpty { text += "\n" }
    for point in prices {
      text += "\(point.date.dayText) price \(name(point.coinId)) \(point.price.plainText) \(currency)\n"
    }
    return text
  }

  private func text(_ entry: JournalEntry) -> String {
    var text = "\(entry.day) * \(quoted("\(entry.title) \(entry.coinId)"))\n"
    text += "  id: \(quoted(entry.id))\n  time: \(quoted(entry.time))\n"
    if !entry.notes.isEmpty { text += "  notes: \(quoted(entry.notes.joined(separator: " / ")))\n" }
    text += posting("Assets:Crypto", "\(entry.amount) \(name(entry.coinId)) @@ \(entry.cost) \(currency)")
    for other in entry.postings { text += posting(Self.account(other.account), "\(other.amount) \(currency)") }
    return text
  }

  /// Beancount's accounts begin with capitals.
  private static func account(_ name: String) -> String {
    name.split(separator: ":").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: ":")
  }

  private func posting(_ account: String, _ amount: String) -> String {
    "  " + account + String(repeating: " ", count: max(1, 16 - account.count)) + amount + "\n"
  }

  private func name(_ coin: String) -> String { commodities[coin] ?? Self.commodity(coin) }

  private func quoted(_ text: String) -> String {
    "\"" + String(text.printable().map { $0 == "\"" || $0 == "\\" ? "'" : $0 }) + "\""
  }

  /// Narrower than the names of tickers in price directives: a journal that was written before must go on with the same.
  private static func commodity(_ coin: String) -> String {
    if let code = CurrencyCoin.currency(of: coin)?.uppercased() { return BeancountCommodity.name(code) }
    // An id that is no coin's of CoinGecko is a ticker, and has the name that price directives give it.
    if coin != coin.lowercased() { return BeancountCommodity.name(coin, longest: 23) }
    return BeancountCommodity.name(coin, keeping: "", first: "C", longest: 23)
  }
}

/// The names of what Beancount counts: 2 to 24 of `A-Z 0-9 ' . _ -`, beginning with a letter, ending with a letter or digit.
package enum BeancountCommodity {
  /// A name in capitals; what cannot stand in one is a hyphen.
  ///
  /// - Parameters:
  ///   - signs: The signs that are kept.
  ///   - first: What is put before a name that begins with no letter.
  ///   - longest: The most characters that are kept, 23 or 24.
  package static func name(
    _ text: String, keeping signs: String = "'._-", first: Character = "X", longest: Int = 24
  ) -> String {
    var name = text.uppercased().map { character -> Character in
      isAlphanumeric(character) || signs.contains(character) ? character : "-"
    }
    if name.first?.isLetter != true { name.insert(first, at: 0) }
    name = Array(name.prefix(longest))
    if name.count < 2 || name.last.map(isAlphanumeric) != true { name = name.prefix(23) + ["X"] }
    return String(name)
  }

  private static func isAlphanumeric(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber)
  }
}
