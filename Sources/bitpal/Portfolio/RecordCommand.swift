import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalService
import FoundationEssentials

/// What `bitpal buy`, `bitpal sell` and `bitpal portfolio add` do: record a transaction.
struct RecordCommand: PortfolioCommand {
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

  /// `buy QUANTITY COIN` and `sell QUANTITY COIN`.
  init(_ type: TransactionType, _ arguments: Invocation.Arguments) throws(BitpalError) {
    try self.init(type, words: arguments.operands, arguments.raw)
  }

  /// `portfolio add TYPE QUANTITY COIN`.
  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    let word = arguments.operands.first ?? ""
    guard let type = TransactionType(rawValue: word.lowercased()) else {
      throw .usage("\"\(word)\" is neither buy nor sell", hint: "see \"bitpal portfolio add --help\"")
    }
    try self.init(type, words: Array(arguments.operands.dropFirst()), arguments.raw)
  }

  private init(_ type: TransactionType, words: [String], _ raw: RawArguments) throws(BitpalError) {
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

  func run(at desk: PortfolioDesk) async throws -> ExitStatus {
    let date = date ?? desk.now
    // What needs no question to the source is refused before there is one.
    guard date <= desk.now else { throw PortfolioError.futureDateNotAllowed(date, now: desk.now) }
    if case .coins(let amount) = quantity, amount <= 0 { throw PortfolioError.invalidAmount(amount) }
    if let price, price <= 0 { throw PortfolioError.invalidPrice(price) }
    if fee < 0 { throw PortfolioError.invalidFee(fee) }
    let coin = try await desk.existingCoin(coin)
    let amount = try amount(of: coin, at: desk, on: date)
    var draft = TransactionDraft(
      coinId: coin, type: type, amount: amount, pricePerCoin: price ?? 1, fee: fee, date: date, notes: notes)
    if price == nil {
      _ = try desk.store.add(draft, currency: desk.currency, now: desk.now, isDryRun: true)
      draft.pricePerCoin = try await askedPrice(of: coin, at: desk)
    }
    let transaction = try desk.store.add(draft, currency: desk.currency, now: desk.now, isDryRun: isDryRun)
    try desk.show(transaction, as: isDryRun ? "would record" : "recorded", isDryRun: isDryRun)
    if !isDryRun { try await desk.refreshSnapshot() }
    return .answered
  }

  private func amount(of coin: String, at desk: PortfolioDesk, on date: Date) throws -> Decimal {
    switch quantity {
    case .coins(let amount): return amount
    case .all:
      let before = try desk.store.transactions(of: coin).filter { $0.date <= date }
      guard let held = try PortfolioLedger(before).positions.first?.totalAmount else {
        throw BitpalError.usage("no \(coin) is held on \(date.utcText)")
      }
      return held
    }
  }

  /// The latest price, shown before anything is stored.
  private func askedPrice(of coin: String, at desk: PortfolioDesk) async throws -> Decimal {
    let answer = try await desk.service.quotes([coin], currency: desk.currency, policy: desk.session.options.policy)
    guard let quote = answer.quotes.first else {
      if let failure = answer.failures.first { desk.session.console.failure(failure.error, subject: failure.coin) }
      throw PortfolioError.priceDataUnavailable(coinId: coin)
    }
    let price = quote.value.currentPrice
    let origin = Provenance(quote)
    let time = quote.value.lastUpdated.map { " of \($0.utcText)" } ?? ""
    desk.session.console.notice(
      "the price of \(coin)\(time): \(price.plainText) \(desk.currency.uppercased()) (\(origin.source)"
        + (origin.staleText.map { ", \($0)" } ?? "") + ")")
    return price
  }
}
