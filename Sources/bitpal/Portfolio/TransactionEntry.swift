import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalService
import FoundationEssentials

/// A transaction as it is typed for `bitpal buy`, `sell`, `receive`, `send`, `swap` and `portfolio add`.
struct TransactionEntry: Sendable {
  /// The number of coins.
  private enum Quantity: Sendable {
    case coins(Decimal)

    /// All coins that are held on the date of the transaction.
    case all
  }

  /// The price of one coin, or the way in which it is found.
  private enum Worth: Sendable {
    case price(Decimal)

    /// The value of all coins together.
    case total(Decimal)

    /// The close of the day, or for today the latest price.
    case asked

    /// No value, for coins that were sent.
    case none
  }

  /// The fee of the transaction.
  private enum Fee: Sendable {
    case money(Decimal)
    case coins(Decimal, coin: String)
  }

  /// The options of the commands that record one transaction.
  static let options =
    [
      OptionSpec(
        .price, .text("P"), help: "price of one coin, or close (the price of the day)"),
      OptionSpec(.total, .text("T"), help: "price of all of them, instead of --price"),
    ] + commonOptions

  /// The options of every command that records transactions.
  static let commonOptions: [OptionSpec] = [
    .date, OptionSpec(.fee, .text("F"), help: "fee in money or in coin (0.0005btc); kept apart from cost"),
    .notes, .named, .create, .dryRun,
  ]

  static let feeDetail =
    "A fee in coin is a send of its own, joined with the transaction by their group."

  let portfolio: String?
  let creates: Bool
  private let type: TransactionType
  private let quantity: Quantity
  private let coin: String
  private let worth: Worth
  private let fee: Fee
  private let date: Date?
  private let notes: String?
  private let label: String?
  private let isDryRun: Bool

  /// - Parameter words: `QUANTITY COIN`.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a value that is not a number or an instant, and for a price together
  ///   with a total.
  init(_ type: TransactionType, _ words: [String], _ raw: RawArguments) throws(BitpalError) {
    guard words.count == 2 else { throw .usage("\(type.rawValue) needs a QUANTITY and a COIN") }
    self.type = type
    quantity = words[0] == "all" && !type.isIncoming ? .all : .coins(try RawArguments.number(words[0], "QUANTITY"))
    coin = words[1]
    worth = try Self.worth(type, raw)
    fee = try Self.fee(raw.value(.fee))
    date = try raw.instant(.date)
    notes = raw.value(.notes)
    label = raw.value(.label)
    portfolio = raw.value(.portfolio)
    creates = raw.has(.create)
    isDryRun = raw.has(.dryRun)
  }

  private static func worth(_ type: TransactionType, _ raw: RawArguments) throws(BitpalError) -> Worth {
    if raw.has(.total) {
      if raw.has(.price) { throw .usage("--price and --total are two ways to say one thing", hint: "give one of them") }
      return try raw.number(.total).map(Worth.total) ?? .asked
    }
    if raw.value(.price) == "close" { return .asked }
    return try raw.number(.price).map(Worth.price) ?? (type == .send ? .none : .asked)
  }

  /// Reads a fee: `1.20` is money, `0.0005btc` and `0.0005 btc` are coins.
  private static func fee(_ text: String?) throws(BitpalError) -> Fee {
    guard let text else { return .money(0) }
    let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "-" || $0 == "," }
    let coin = text.dropFirst(digits.count).drop { $0 == " " }
    let number = try RawArguments.number(String(digits), OptionName.fee.spelling)
    return coin.isEmpty ? .money(number) : .coins(number, coin: String(coin))
  }

  /// Records the transaction, and with it the coin received in a swap and a fee in coin.
  ///
  /// - Parameter taken: The amount and the coin that were received in a swap; nil otherwise.
  /// - Throws: `PortfolioError` for a date in the future, an invalid amount, price, fee or label, and a sale of more
  ///   than is held; `BitpalError` for an unknown coin or a missing price.
  func run(
    in context: PortfolioContext, taking taken: (amount: Decimal, coin: String)? = nil
  ) async throws -> ExitStatus {
    let date = date ?? context.now
    // Checks without a request come first, so that an invalid transaction costs none.
    guard date <= context.now else { throw PortfolioError.futureDateNotAllowed(date, now: context.now) }
    if case .coins(let amount) = quantity, amount <= 0 { throw PortfolioError.invalidAmount(amount) }
    if case .price(let price) = worth { try type.check(price: price) }
    if case .total(let total) = worth { try type.check(price: total) }
    if case .money(let fee) = fee, fee < 0 { throw PortfolioError.invalidFee(fee) }
    if case .coins(let fee, _) = fee, fee <= 0 { throw PortfolioError.invalidFee(fee) }
    let label = try label.flatMap { word throws(PortfolioError) in try type.label(word) }
    let coin = try await context.recordableCoin(coin)
    let amount = try amount(of: coin, in: context, on: date)
    var draft = TransactionDraft(
      coinId: coin, type: type, amount: amount, pricePerCoin: nil, date: date, notes: notes, label: label)
    if case .money(let fee) = fee { draft.fee = fee }
    if case .total(let total) = worth {
      try draft.setTotal(total)
    } else {
      draft.pricePerCoin = try await price(of: draft, in: context)
    }
    var others: [TransactionDraft] = []
    if let taken {
      let other = try await context.recordableCoin(taken.coin)
      others.append(try draft.swap(for: taken.amount, of: other))
    }
    if case .coins(let fee, let name) = fee {
      others.append(
        TransactionDraft(
          coinId: try await context.recordableCoin(name), type: .send, amount: fee, pricePerCoin: nil, date: date,
          label: .fee))
    }
    let transactions = try context.store.add(
      joined: draft, with: others, currency: context.currency, now: context.now, isDryRun: isDryRun)
    try context.show(transactions, as: isDryRun ? "would record" : "recorded", isDryRun: isDryRun)
    if !isDryRun { try await context.refreshSnapshot() }
    return .answered
  }

  private func amount(of coin: String, in context: PortfolioContext, on date: Date) throws -> Decimal {
    switch quantity {
    case .coins(let amount): return amount
    case .all:
      let before = try context.store.transactions(of: coin).filter { $0.date <= date }
      guard let held = try PortfolioLedger(before).positions.first?.totalAmount else {
        throw BitpalError.usage("no \(coin) is held on \(date.utcText)")
      }
      return held
    }
  }

  /// Returns the price of one coin; nil for coins that were sent.
  private func price(of draft: TransactionDraft, in context: PortfolioContext) async throws -> Decimal? {
    switch worth {
    case .none, .total: return nil
    case .price(let price): return price
    case .asked:
      // The check of the booking does not depend on the price, so a sale of too much costs no request.
      var trial = draft
      trial.pricePerCoin = 1
      _ = try context.store.add(trial, currency: context.currency, now: context.now, isDryRun: true)
      return try await context.price(of: draft.coinId, on: draft.date)
    }
  }
}
