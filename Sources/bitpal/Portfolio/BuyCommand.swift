import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalService
import FoundationEssentials

/// `bitpal buy QUANTITY COIN`.
struct BuyCommand: TransactionCommand {
  static let name = "buy"
  static let spec = CommandSpec(
    name, "record that coins were bought", operands: .exactly(["QUANTITY", "COIN"]),
    options: [.price, .date, .fee, .notes, .named, .dryRun],
    details: [
      "Amounts of money are in the portfolio's currency, which is that of the settings when its first transaction is "
        + "recorded."
    ],
    examples: [
      .init("buy 0.25 bitcoin --price 64000 --date 2024-08-02", "what was paid, and when"),
      .init("buy 100 sol --fee 1.20", "at the latest price"),
    ])

  let entry: TransactionEntry

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    entry = try TransactionEntry(.buy, arguments.operands, arguments.raw)
  }
}

/// `bitpal sell QUANTITY COIN`.
struct SellCommand: TransactionCommand {
  static let name = "sell"
  static let spec = CommandSpec(
    name, "record that coins were sold", operands: .exactly(["QUANTITY", "COIN"]),
    options: [.price, .date, .fee, .notes, .named, .dryRun],
    details: [
      "QUANTITY may be all. More than is held on that date is refused. A sale removes its share of the moving average "
        + "cost; proceeds less that cost is the realized gain."
    ],
    examples: [
      .init("sell 0.1 bitcoin --price 99000", "a part"),
      .init("sell all dogecoin --dry-run", "what would be recorded"),
    ])

  let entry: TransactionEntry

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    entry = try TransactionEntry(.sell, arguments.operands, arguments.raw)
  }
}

/// `bitpal portfolio add TYPE QUANTITY COIN`.
struct PortfolioAddCommand: TransactionCommand {
  static let name = "portfolio add"
  static let spec = CommandSpec(
    name, "record a transaction, as buy and sell do", operands: .exactly(["buy|sell", "QUANTITY", "COIN"]),
    options: [.price, .date, .fee, .notes, .named, .dryRun],
    examples: [.init("portfolio add buy 1 ethereum --price 2500", "the same as bitpal buy")])

  let entry: TransactionEntry

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    let word = arguments.operands.first ?? ""
    guard let type = TransactionType(rawValue: word.lowercased()) else {
      throw .usage("\"\(word)\" is neither buy nor sell", hint: "see \"bitpal portfolio add --help\"")
    }
    entry = try TransactionEntry(type, Array(arguments.operands.dropFirst()), arguments.raw)
  }
}

/// A command that records a transaction.
protocol TransactionCommand: PortfolioCommand {
  /// What it was told.
  var entry: TransactionEntry { get }
}

extension TransactionCommand {
  var portfolio: String? { entry.portfolio }

  func run(in context: PortfolioContext) async throws -> ExitStatus { try await entry.run(in: context) }
}

/// A transaction as it is typed: what `bitpal buy`, `bitpal sell` and `bitpal portfolio add` record.
struct TransactionEntry: Sendable {
  /// How much is bought or sold.
  private enum Quantity: Sendable {
    case coins(Decimal)

    /// All that is held on that date.
    case all
  }

  let portfolio: String?
  private let type: TransactionType
  private let quantity: Quantity
  private let coin: String
  private let price: Decimal?
  private let fee: Decimal
  private let date: Date?
  private let notes: String?
  private let isDryRun: Bool

  /// - Parameter words: `QUANTITY COIN`.
  init(_ type: TransactionType, _ words: [String], _ raw: RawArguments) throws(BitpalError) {
    guard words.count == 2 else { throw .usage("\(type.rawValue) needs a QUANTITY and a COIN") }
    self.type = type
    if words[0] == "all", type == .sell {
      quantity = .all
    } else {
      quantity = .coins(try RawArguments.number(words[0], "QUANTITY"))
    }
    coin = words[1]
    price = try raw.number(.price)
    fee = try raw.number(.fee) ?? 0
    date = try raw.instant(.date)
    notes = raw.value(.notes)
    portfolio = raw.value(.portfolio)
    isDryRun = raw.has(.dryRun)
    if price == nil, date != nil {
      throw .usage("--date needs --price", hint: "only today's price can be asked for")
    }
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus {
    let date = date ?? context.now
    // What needs no question to the source is refused before there is one.
    guard date <= context.now else { throw PortfolioError.futureDateNotAllowed(date, now: context.now) }
    if case .coins(let amount) = quantity, amount <= 0 { throw PortfolioError.invalidAmount(amount) }
    if let price, price <= 0 { throw PortfolioError.invalidPrice(price) }
    if fee < 0 { throw PortfolioError.invalidFee(fee) }
    let coin = try await context.existingCoin(coin)
    let amount = try amount(of: coin, in: context, on: date)
    var draft = TransactionDraft(
      coinId: coin, type: type, amount: amount, pricePerCoin: price ?? 1, fee: fee, date: date, notes: notes)
    if price == nil {
      // Whether it can be booked does not depend on the price, so a sale of too much costs no request.
      _ = try context.store.add(draft, currency: context.currency, now: context.now, isDryRun: true)
      draft.pricePerCoin = try await askedPrice(of: coin, in: context)
    }
    let transaction = try context.store.add(draft, currency: context.currency, now: context.now, isDryRun: isDryRun)
    try context.show(transaction, as: isDryRun ? "would record" : "recorded", isDryRun: isDryRun)
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

  /// The latest price, shown before anything is stored.
  private func askedPrice(of coin: String, in context: PortfolioContext) async throws -> Decimal {
    let answer = try await context.service.quotes(
      [context.service.name(ofID: coin)], currency: context.currency, policy: context.session.options.policy)
    guard let quote = answer.quotes.first else {
      if let failure = answer.failures.first { context.session.console.failure(failure.error, subject: failure.coin) }
      throw PortfolioError.priceDataUnavailable(coinId: coin)
    }
    let price = quote.value.currentPrice
    let origin = Provenance(quote)
    let time = quote.value.lastUpdated.map { " of \($0.utcText)" } ?? ""
    context.session.console.notice(
      "the price of \(coin)\(time): \(price.plainText) \(context.currency.uppercased()) (\(origin.source)"
        + (origin.freshness.text.map { ", \($0)" } ?? "") + ")")
    return price
  }
}
