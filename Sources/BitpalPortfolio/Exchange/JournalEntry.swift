import BitpalModel
import FoundationEssentials

/// The parts of a booking that a journal needs, as text.
struct JournalEntry {
  /// A line for an account: the account and its gain or, with a minus, its loss.
  struct Posting: Equatable {
    /// As ledger writes accounts: `assets:cash`.
    let account: String
    let amount: String
  }

  /// `2025-01-15`, in UTC.
  let day: String

  /// `buy`, `sell`, `receive` or `send`, with the label where there is one: `receive reward`.
  let title: String
  let coinId: String

  /// Coins in or, with a minus, out.
  let amount: String

  /// Their cost; for coins that go out, the cost that they remove.
  let cost: String

  /// The proceeds; nil where coins came in, or went out without a value.
  let proceeds: String?

  /// The account that holds the coins.
  let coinAccount: String

  /// Fee, the other side and gain, in that order.
  let postings: [Posting]

  let id: String

  /// The instant in ISO 8601, which the day alone would lose.
  let time: String

  /// A line each: a journal has no other way to hold several.
  let notes: [String]

  /// Nil when a sum needs more digits than a number holds, which a booked transaction's does not.
  init?(_ booking: Booking, coins coinAccount: String) {
    self.coinAccount = coinAccount
    let transaction = booking.transaction
    guard let fee = DecimalParts(transaction.fee) else { return nil }
    let value = transaction.worth
    if transaction.pricePerCoin != nil, value == nil { return nil }
    let removed = booking.costRemoved.flatMap { DecimalParts($0) } ?? .zero
    let isIncoming = transaction.type.isIncoming
    let basis = isIncoming ? value ?? .zero : removed
    guard let cost = basis.decimal else { return nil }
    self.cost = cost.plainText
    proceeds = isIncoming ? nil : value?.decimal?.plainText
    self.amount = (isIncoming ? "" : "-") + transaction.amount.plainText

    // What stands against the coins, without the fee: money that was paid or had, or why they came or went.
    let other = isIncoming ? basis.negated : value ?? removed
    var postings: [Posting] = []
    let account = Self.account(of: transaction)
    func add(_ account: String, _ value: DecimalParts?) -> Bool {
      guard let amount = value?.decimal else { return false }
      if amount != 0 { postings.append(Posting(account: account, amount: amount.plainText)) }
      return true
    }
    guard add("expenses:fees", fee) else { return nil }
    if account == Self.cash {
      guard add(Self.cash, other.totalling(fee.negated)) else { return nil }
    } else {
      guard add(account, other), add(Self.cash, fee.negated) else { return nil }
    }
    // Income accounts have the sign the other way round.
    if let gain = booking.realized { postings.append(Posting(account: "income:gains", amount: (-gain).plainText)) }
    self.postings = postings
    day = transaction.date.dayText
    title = [transaction.type.rawValue, transaction.label?.rawValue].compactMap(\.self).joined(separator: " ")
    coinId = transaction.coinId
    id = transaction.id.uuidString.lowercased()
    time = transaction.date.iso8601
    notes = (transaction.notes ?? "").split(whereSeparator: \.isNewline).map { $0.description.printable() }
  }

  private static let cash = "assets:cash"

  /// The account that stands against the coins.
  private static func account(of transaction: Transaction) -> String {
    switch (transaction.type, transaction.label) {
    case (.buy, _), (.sell, _): cash
    case (.receive, .reward?), (.receive, .airdrop?): "income:rewards"
    case (.receive, .interest?): "income:interest"
    case (.receive, .gift?): "income:gifts"
    case (.send, .fee?): "expenses:fees"
    case (.send, .gift?): "expenses:gifts"
    case (.receive, _), (.send, _): "equity:transfers"
    }
  }

  /// Every account of some entries, each once, in order.
  static func accounts(of entries: [JournalEntry]) -> [String] {
    Set(entries.flatMap { $0.postings.map(\.account) + [$0.coinAccount] }).sorted()
  }
}
