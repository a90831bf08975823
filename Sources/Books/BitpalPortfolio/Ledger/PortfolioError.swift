package import BitpalModel
public import FoundationEssentials

/// A rule of the portfolio that a request breaks; nothing is stored when one is thrown.
public enum PortfolioError: Error, Hashable, Sendable {
  /// No coin has that id or name; empty when the coin is missing.
  case coinNotFound(String)

  /// A transaction that takes out more coins than are held at its date; `sale` is its id, also for sent coins.
  case insufficientBalance(coinId: String, owned: Decimal, attempted: Decimal, date: Date, sale: UUID)

  /// A change would leave another recorded transaction with fewer coins than it takes out; `sale` is its id.
  case laterSaleUncovered(coinId: String, owned: Decimal, attempted: Decimal, date: Date, sale: UUID)

  /// The amount is not above zero.
  case invalidAmount(Decimal)

  /// The price is not above zero or, for received or sent coins, is below zero.
  case invalidPrice(Decimal)

  /// The total is not above zero, or the price is not the total divided by the amount.
  case totalMismatch(Decimal)

  /// The price is missing, which only coins that are sent may lack.
  case missingPrice(type: TransactionType)

  /// The label does not exist or does not fit the type of the transaction.
  case invalidLabel(String, type: TransactionType)

  /// One half of a renaming: it lacks the other half of its group within a day, or has a price.
  case unpairedRename(String, date: Date)

  /// One half of a split: it lacks the other half of its group and time, has a price, or is not of all that is held on the date.
  case unpairedSplit(String, date: Date)

  /// The fee is below zero.
  case invalidFee(Decimal)

  /// The date is later than now.
  case futureDateNotAllowed(Date, now: Date)

  /// No transaction has an id that begins with the text.
  case transactionNotFound(String)

  /// Several transactions have an id that begins with the text; `candidates` are the first ones.
  case ambiguousTransaction(String, candidates: [UUID])

  /// A transaction with that id exists already.
  case transactionExists(UUID)

  /// No price was given and no source has one.
  case priceDataUnavailable(coinId: String)

  /// The result of a calculation, named by `what`, needs more than the 38 digits of a number.
  case tooManyDigits(coinId: String, what: String)

  /// The portfolio's amounts of money are in `currency`, not in the `asked` one.
  case currencyMismatch(portfolio: String, currency: String, asked: String)

  /// The name does not have the form of ``PortfolioName``.
  case invalidPortfolioName(String)

  /// The portfolio does not exist; `known` are the names of the existing ones.
  case portfolioNotFound(String, known: [String])

  /// A portfolio of that name exists already.
  case portfolioExists(String)

  /// No change of the portfolio is left to undo.
  case nothingToUndo(portfolio: String)
}

extension Optional {
  /// Returns the result of a calculation, which is nil when no number can hold it.
  ///
  /// - Parameters:
  ///   - what: The name of the result in the message.
  ///   - coin: The id of the coin in the message.
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)`` for nil.
  func fitting(_ what: String, of coin: String = "the portfolio") throws(PortfolioError) -> Wrapped {
    guard let self else { throw .tooManyDigits(coinId: coin, what: what) }
    return self
  }
}

extension PortfolioError {
  /// Returns the error for half of a renaming or a split without the other.
  package static func unpaired(_ half: Transaction) -> PortfolioError {
    .unpaired(half.label == .split ? .split : .rename, of: half.coinId, on: half.date)
  }

  /// Returns the error for one half of a renaming or a split without the other.
  static func unpaired(_ label: TransactionLabel, of coin: String, on date: Date) -> PortfolioError {
    label == .split ? .unpairedSplit(coin, date: date) : .unpairedRename(coin, date: date)
  }
}

extension PortfolioError: CustomStringConvertible {
  /// The refused request and the numbers that explain it, in one sentence.
  public var message: String {
    switch self {
    case .coinNotFound(let coin):
      coin.isEmpty ? "the coin is missing" : "no coin \"\(coin.printable(limit: 80))\""
    case .insufficientBalance(let coin, let owned, let attempted, let date, _):
      "cannot sell or send \(attempted.plainText) \(coin.printable(limit: 80)) on \(date.utcText): "
        + (owned == 0 ? "none is held then" : "only \(owned.plainText) is held then")
    case .laterSaleUncovered(let coin, let owned, let attempted, let date, let sale):
      "this would leave the \(attempted.plainText) \(coin.printable(limit: 80)) that go out on \(date.utcText) (\(Self.short(sale))) with "
        + (owned == 0 ? "nothing held" : "only \(owned.plainText) held")
    case .invalidAmount(let amount):
      "the amount must be above zero, not \(amount.plainText)"
    case .invalidPrice(let price):
      price < 0 ? "the price is below zero: \(price.plainText)" : "the price must be above zero, not \(price.plainText)"
    case .totalMismatch(let total):
      "the price is not the total, \(total.plainText), divided by the amount"
    case .missingPrice(let type):
      "\(type.rawValue) needs a price"
    case .invalidLabel(let label, let type):
      "\"\(label.printable(limit: 40))\" is not a label of \(type.rawValue): it has \(type.labels.map(\.rawValue).joined(separator: ", "))"
    case .unpairedRename(let coin, let date):
      "the renaming of \(coin.printable(limit: 80)) on \(date.utcText) lacks its other half: coins that were sent and, within a day after them, others that were received, in one group and without a price"
    case .unpairedSplit(let coin, let date):
      "the split of \(coin.printable(limit: 80)) on \(date.utcText) must be of all that is held then, in two halves of one group and one time without a price"
    case .invalidFee(let fee):
      "the fee cannot be below zero, as \(fee.plainText) is"
    case .futureDateNotAllowed(let date, let now):
      "the date \(date.utcText) is in the future; it is \(now.utcText) now"
    case .transactionNotFound(let id):
      "no transaction \"\(id.printable(limit: 80))\""
    case .ambiguousTransaction(let id, let candidates):
      "\"\(id.printable(limit: 80))\" begins the ids of several transactions: "
        + candidates.map { $0.uuidString.lowercased() }.joined(separator: ", ")
    case .transactionExists(let id):
      "a transaction \(id.uuidString.lowercased()) is there already"
    case .priceDataUnavailable(let coin):
      "no price is known for \(coin.printable(limit: 80))"
    case .tooManyDigits(let coin, let what):
      "\(what) of \(coin.printable(limit: 80)) needs more than the 38 digits that a number holds"
    case .currencyMismatch(let portfolio, let currency, let asked):
      "the portfolio \(portfolio.printable(limit: 80)) is in \(currency), not in \(asked.printable(limit: 20))"
    case .invalidPortfolioName(let name):
      "\"\(name.printable(limit: 80))\" cannot be the name of a portfolio"
    case .portfolioNotFound(let name, let known):
      "no portfolio \"\(name.printable(limit: 80))\"; "
        + (known.isEmpty
          ? "there is none yet" : "there \(known.count == 1 ? "is" : "are") \(known.joined(separator: ", "))")
    case .portfolioExists(let name):
      "there is a portfolio \(name) already"
    case .nothingToUndo(let portfolio):
      "no change of the portfolio \(portfolio) is left to take back"
    }
  }

  /// The advice for the next step; nil when there is none.
  public var hint: String? {
    switch self {
    case .insufficientBalance(_, let owned, _, _, _):
      owned == 0 ? nil : "\"all\" in place of the number takes what is held"
    case .laterSaleUncovered: "change or remove that transaction first"
    case .transactionNotFound: "\"bitpal portfolio transactions\" lists them; an id may be shortened to four digits"
    case .ambiguousTransaction: "write more of it"
    case .priceDataUnavailable: "give it with --price or --total"
    case .currencyMismatch(_, let currency, _):
      "leave --currency out, write --currency \(currency), or use --portfolio for another one"
    case .invalidPortfolioName: "use up to 64 of a-z, 0-9, - and _, beginning with a letter or digit"
    case .portfolioNotFound(let name, let known):
      (NearestName.match(name, among: known).map { "did you mean \"\($0)\"? " } ?? "")
        + "a purchase or an import with --create makes a new one"
    case .portfolioExists: "choose another name; \"bitpal portfolio delete NAME\" removes the other one"
    case .unpairedRename:
      "\"bitpal swap QUANTITY OLD QUANTITY NEW --label rename\" records both halves, \"bitpal portfolio remove\" takes both away"
    case .unpairedSplit:
      "\"bitpal split COIN NEW:OLD --date TIME\" records both halves, \"bitpal portfolio remove\" takes both away; remove a split before "
        + "transactions that precede it"
    case .coinNotFound, .invalidAmount, .invalidPrice, .invalidFee, .futureDateNotAllowed, .transactionExists,
      .tooManyDigits, .totalMismatch, .missingPrice, .invalidLabel, .nothingToUndo:
      nil
    }
  }

  /// The refusal as an error of usage, with its hint.
  package var failure: BitpalError { .usage(message, hint: hint) }

  /// The message and, after a semicolon, the hint.
  public var description: String {
    message + (hint.map { "; \($0)" } ?? "")
  }

  private static func short(_ id: UUID) -> String { String(id.uuidString.prefix(8)).lowercased() }
}
