import BitpalModel
import FoundationEssentials

/// The parts of a booking that a journal needs, as text.
package struct JournalEntry {
  /// A posting to an account; a negative amount leaves the account.
  struct Posting: Equatable {
    /// The account in ledger's form: `assets:cash`.
    let account: String
    let amount: String
  }

  /// The day in the journal's zone: `2025-01-15`.
  let day: String

  /// The type of the transaction, with its label if it has one: `buy`, `receive reward`.
  let title: String
  let coinId: String

  /// The number of coins, with a minus for outgoing ones.
  let amount: String

  /// The cost of the coins; for outgoing coins, the cost that they remove.
  let cost: String

  /// The proceeds; nil where coins came in, or went out without a value.
  let proceeds: String?

  /// The account that holds the coins.
  let coinAccount: String

  /// The postings for the fee, the account against the coins, and the gain, in that order; without amounts of zero.
  let postings: [Posting]

  let id: String

  /// The instant in ISO 8601, kept as metadata because the journal's date has days only.
  let time: String

  /// The lines of the notes, because a journal's note has one line.
  let notes: [String]

  /// Creates an entry; nil when a sum needs more than 38 digits, which does not occur for a booked transaction.
  init?(_ booking: Booking, _ options: JournalOptions) {
    coinAccount = options.account ?? Self.coins
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

    // The amount against the coins, without the fee: money, or income, expenses and transfers by the label.
    let other = isIncoming ? basis.negated : value ?? removed
    var postings: [Posting] = []
    let account = Self.account(of: transaction)
    func add(_ account: String, _ value: DecimalParts?) -> Bool {
      guard let amount = value?.decimal else { return false }
      let account = options.accounts[account] ?? account
      if amount != 0 { postings.append(Posting(account: account, amount: amount.plainText)) }
      return true
    }
    guard add(Self.fees, fee) else { return nil }
    if account == Self.cash {
      guard add(Self.cash, other.totalling(fee.negated)) else { return nil }
    } else {
      guard add(account, other), add(Self.cash, fee.negated) else { return nil }
    }
    // Income has a negative sign in double-entry accounting.
    if let gain = booking.realized {
      postings.append(Posting(account: options.accounts[Self.gains] ?? Self.gains, amount: (-gain).plainText))
    }
    self.postings = postings
    day = transaction.date.bookedDayText(in: options.zone)
    title = [transaction.type.rawValue, transaction.label?.rawValue].compactMap(\.self).joined(separator: " ")
    coinId = transaction.coinId
    id = transaction.id.uuidString.lowercased()
    time = transaction.date.iso8601
    notes = (transaction.notes ?? "").split(whereSeparator: \.isNewline).map { $0.description.printable() }
  }

  /// The usual names of accounts.
  package static let (coins, cash, gains, fees) = ("assets:crypto", "assets:cash", "income:gains", "expenses:fees")

  /// Returns the account against the coins.
  private static func account(of transaction: Transaction) -> String {
    switch (transaction.type, transaction.label) {
    case (.buy, _), (.sell, _): cash
    case (.receive, .reward?), (.receive, .airdrop?): "income:rewards"
    case (.receive, .interest?): "income:interest"
    case (.receive, .gift?): "income:gifts"
    case (.send, .fee?): fees
    case (.send, .gift?): "expenses:gifts"
    case (.receive, _), (.send, _): "equity:transfers"
    }
  }

  /// Returns the accounts of some entries, each once, sorted.
  static func accounts(of entries: [JournalEntry]) -> [String] {
    Set(entries.flatMap { $0.postings.map(\.account) + [$0.coinAccount] }).sorted()
  }
}
