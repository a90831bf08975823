package import BitpalModel
package import BitpalPortfolio
import FoundationEssentials

/// A transaction to be recorded: a purchase, a sale, a receipt, a send or a swap.
package struct TransactionRequest: Sendable {
  /// The number of coins.
  private enum Quantity: Sendable {
    case coins(Decimal)

    /// All coins that are held on the date of the transaction.
    case all
  }

  /// The price of one coin, or the way in which it is found.
  private enum Value: Sendable {
    case price(Decimal)

    /// The value of all coins together.
    case total(Decimal)

    /// The close of the day, or for today the latest price.
    case asked

    /// No value, for coins that were sent.
    case none
  }

  /// The fee of the transaction: in money without a coin; the name of the coin may be that of the portfolio's currency.
  private struct Fee: Sendable {
    let amount: Decimal
    var coin: String?
  }

  /// Returns the parameters of a transaction of a type.
  package static func parameters(of type: TransactionType) -> [ParameterSpec] {
    // A renaming and a split have two halves and a swap has two sides; none is a label of one transaction.
    let labels = type.labels.filter { ![.rename, .split, .swap].contains($0) }.map(\.rawValue)
    return (labels.isEmpty ? [] : [ParameterSpec("label", .choice(labels), "why")]) + [
      ParameterSpec("price", .text("P", example: "64000"), "price of one coin, or close (the price of the day)"),
      ParameterSpec("total", .text("T", example: "18950"), "price of all of them, instead of --price"),
    ] + common
  }

  /// The parameters of a swap.
  package static let swapParameters =
    [
      ParameterSpec("total", .text("T", example: "499.80"), "value of either side (the day's price of the first)"),
      ParameterSpec(
        "label", .choice([TransactionLabel.rename.rawValue]), "the coin was replaced: its cost moves along"),
    ] + common

  /// The parameters of a split.
  package static var splitParameters: [ParameterSpec] { common }

  package static let date = ParameterSpec(
    "date", .text("TIME", example: "2025-01-15"),
    "time of the transaction, such as 2025-01-15 or 2025-01-15T10:30Z")

  private static let common = [
    date,
    ParameterSpec("fee", .text("F", example: "1.20"), "fee in money or in coin (0.0005btc); kept apart from cost"),
    ParameterSpec("notes", .text("TEXT", example: "bonus"), "a note"),
  ]

  private let type: TransactionType
  private let quantity: Quantity
  private let coin: String
  private let worth: Value
  private let fee: Fee
  private let date: String?
  private let notes: String?
  private let label: String?

  /// The other side of a swap or a split.
  private enum Taken: Sendable {
    case coins(Decimal, coin: String)

    /// A number of the same coin in the place of another.
    case split(Decimal, for: Decimal)
  }

  /// The side that is received; nil for one transaction.
  private let taken: Taken?
  private let notation: ParameterNotation

  /// Reads a transaction.
  ///
  /// - Parameters:
  ///   - quantity: The number of coins, or `all` for what is held.
  ///   - coin: A name of the coin.
  ///   - parameters: Those of ``parameters(of:)``.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a value that is not a number or an instant, and for a price together
  ///   with a total.
  package init(
    _ type: TransactionType, quantity: String, coin: String, _ parameters: some Parameters
  ) throws(BitpalError) {
    let hasLabel = Self.parameters(of: type).contains { $0.name == "label" }
    try self.init(
      type, quantity, coin, worth: try Self.worth(type, parameters), label: hasLabel ? parameters["label"] : nil,
      parameters)
  }

  /// Reads a swap of one coin for another, or the replacement of a renamed coin.
  ///
  /// - Parameters:
  ///   - quantity: The number of coins that are given away, or `all` for what is held.
  ///   - coin: A name of the coin that is given away.
  ///   - taken: The number of coins that are received, and a name of that coin.
  ///   - parameters: Those of ``swapParameters``.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a value that is not a number or an instant, and for a renaming with a
  ///   total.
  package init(
    swapping quantity: String, _ coin: String, for taken: (quantity: String, coin: String),
    _ parameters: some Parameters
  ) throws(BitpalError) {
    let label = parameters["label"]
    if label != nil, parameters["total"] != nil {
      let notation = parameters.notation
      throw .usage("\(notation("total")) has no meaning with \(notation(["label": "rename"])), which has no gain")
    }
    try self.init(
      label == nil ? .sell : .send, quantity, coin,
      worth: try parameters.decimal("total").map(Value.total) ?? (label == nil ? .asked : .none), label: label,
      taking: .coins(try Decimal(taken.quantity, named: "QUANTITY"), coin: taken.coin), parameters)
  }

  /// Reads a split: all that is held of a share or a coin is replaced by another quantity of the same.
  ///
  /// - Parameters:
  ///   - coin: A name of the coin.
  ///   - ratio: The number of shares that replace a number of shares, as in `4:1`.
  ///   - parameters: Those of ``splitParameters``.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a ratio that is not of two different numbers above zero.
  package init(splitting coin: String, _ ratio: String, _ parameters: some Parameters) throws(BitpalError) {
    let parts = ratio.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw .usage("\"\(ratio.printable(limit: 40))\" is not a ratio; write the new shares for the old ones like 4:1")
    }
    let (new, old) = (try Decimal(String(parts[0]), named: "NEW"), try Decimal(String(parts[1]), named: "OLD"))
    guard new > 0, old > 0, new != old else {
      throw .usage("a split needs two different numbers above zero, not \(ratio.printable(limit: 40))")
    }
    try self.init(
      .send, "all", coin, worth: .none, label: TransactionLabel.split.rawValue, taking: .split(new, for: old),
      parameters)
  }

  private init(
    _ type: TransactionType, _ quantity: String, _ coin: String, worth: Value, label: String?,
    taking taken: Taken? = nil, _ parameters: some Parameters
  ) throws(BitpalError) {
    self.type = type
    self.quantity =
      quantity == "all" && !type.isIncoming ? .all : .coins(try Decimal(quantity, named: "QUANTITY"))
    self.coin = coin
    self.worth = worth
    fee = try Self.fee(parameters["fee"], parameters.notation)
    date = try parameters.instant("date")
    notes = parameters["notes"]
    self.label = label
    self.taken = taken
    notation = parameters.notation
  }

  private static func worth(
    _ type: TransactionType, _ parameters: some Parameters
  ) throws(BitpalError) -> Value {
    if let total = try parameters.decimal("total") {
      if parameters["price"] != nil {
        let notation = parameters.notation
        throw .usage(
          "\(notation("price")) and \(notation("total")) are two ways to say one thing", hint: "give one of them")
      }
      return .total(total)
    }
    if parameters["price"] == "close" { return .asked }
    return try parameters.decimal("price").map(Value.price) ?? (type == .send ? .none : .asked)
  }

  /// Reads a fee: `1.20` and, in that currency, `1.20usd` are money, `0.0005btc` and `0.0005 btc` are coins.
  private static func fee(_ text: String?, _ notation: ParameterNotation) throws(BitpalError) -> Fee {
    guard let text else { return Fee(amount: 0) }
    let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "-" || $0 == "," }
    let coin = text.dropFirst(digits.count).drop { $0 == " " }
    guard !digits.isEmpty, coin != "%" else {
      throw .usage(
        "\(notation("fee")): \"\(text.printable(limit: 40))\" is not an amount", hint: "write it like 1.20 or 0.0005btc"
      )
    }
    return Fee(amount: try Decimal(String(digits), named: notation("fee")), coin: coin.isEmpty ? nil : String(coin))
  }

  /// Returns the fee with the id of its coin; nil as the coin for one in the portfolio's currency.
  private func fee(in book: PortfolioBook, on date: Date) async throws -> Fee {
    guard let name = fee.coin, name.lowercased() != book.currency else { return Fee(amount: fee.amount) }
    if CurrencyCoin.isCurrency(name.lowercased()), CurrencyCoin.coinsOfCodes[name.lowercased()] == nil {
      throw BitpalError.usage(
        "\(notation("fee")): the portfolio is in \(book.currency), not in \(name.lowercased())",
        hint: "give what it was in \(book.currency)")
    }
    return Fee(amount: fee.amount, coin: try await book.recordableCoin(name, on: date))
  }

  /// Records the transaction, and with it the coin received in a swap and a fee in coin.
  ///
  /// - Parameter isDryRun: Whether everything is checked and nothing stored.
  /// - Throws: `PortfolioError` for a date in the future, an invalid amount, price, fee or label, and a sale of more
  ///   than is held; `BitpalError` for an unknown coin or a missing price.
  package func record(in book: PortfolioBook, isDryRun: Bool) async throws -> [Transaction] {
    var date = book.instant(date) ?? book.now
    // Checks without a request come first, so that an invalid transaction costs none.
    try check(date, now: book.now)
    if case .coins(let amount, _) = taken, amount <= 0 { throw PortfolioError.invalidAmount(amount) }
    let label = try label.flatMap { word throws(PortfolioError) in try type.label(word) }
    let coin = try await book.recordableCoin(coin, on: date)
    let fee = try await fee(in: book, on: date)
    let day = date
    if label == .split {
      try book.refuseSecondSplit(of: coin, on: date)
    } else if self.date.map(PortfolioBook.isDay) == true {
      date = try time(on: day, of: coin, fee, in: book)
    }
    let amount = try amount(of: coin, on: date, fee, isSplit: label == .split, in: book)
    var draft = TransactionDraft(
      coinId: coin, type: type, amount: amount, pricePerCoin: nil, date: date, notes: notes, label: label)
    if fee.coin == nil { draft.fee = fee.amount }
    if case .total(let total) = worth {
      try draft.setTotal(total)
    } else {
      draft.pricePerCoin = try await price(of: draft, on: day, in: book)
    }
    var others = try await others(with: &draft, in: book)
    if let coin = fee.coin {
      others.append(
        TransactionDraft(coinId: coin, type: .send, amount: fee.amount, pricePerCoin: nil, date: date, label: .fee))
    }
    let transactions = try book.store.add(
      joined: draft, with: others, currency: book.currency, now: book.now, isDryRun: isDryRun)
    if label == .split { try await book.warnOfRestatedPrices(of: coin, with: isDryRun ? transactions : []) }
    return transactions
  }

  /// Returns the other side of a swap, a renaming or a split.
  private func others(with draft: inout TransactionDraft, in book: PortfolioBook) async throws -> [TransactionDraft] {
    switch taken {
    case nil: return []
    case .split(let new, let old): return [try draft.split(new, for: old)]
    case .coins(let amount, let name):
      let other = try await book.recordableCoin(name, on: draft.date)
      guard other != draft.coinId else {
        throw BitpalError.usage(
          "\(other.printable(limit: 80)) cannot be exchanged for itself", hint: "\"bitpal split\" records a split")
      }
      return [draft.label == .rename ? draft.replacement(amount, of: other) : try draft.swap(for: amount, of: other)]
    }
  }

  /// Returns the time of a transaction of a day: the day alone, unless coins go out that came in on it.
  private func time(on day: Date, of coin: String, _ fee: Fee, in book: PortfolioBook) throws -> Date {
    var times = [day]
    if !type.isIncoming {
      var wanted: Decimal?
      if case .coins(let amount) = quantity { wanted = fee.coin == coin ? amount + fee.amount : amount }
      times.append(try book.goingOut(wanted, of: coin, on: day))
    }
    if let other = fee.coin, other != coin { times.append(try book.goingOut(fee.amount, of: other, on: day)) }
    return times.max() ?? day
  }

  private func amount(
    of coin: String, on date: Date, _ fee: Fee, isSplit: Bool, in book: PortfolioBook
  ) throws -> Decimal {
    switch quantity {
    case .coins(let amount): return amount
    case .all:
      // A fee in the coin itself is a part of all.
      let amount = try book.held(coin, on: date, isSplit: isSplit) - (fee.coin == coin ? fee.amount : 0)
      guard amount > 0 else { throw PortfolioError.invalidAmount(amount) }
      return amount
    }
  }

  /// Checks what needs no request.
  ///
  /// - Throws: `PortfolioError` for a date in the future, and an invalid amount, price or fee.
  private func check(_ date: Date, now: Date) throws(PortfolioError) {
    guard date.startOfSecond <= now else { throw .futureDateNotAllowed(date, now: now) }
    if case .coins(let amount) = quantity, amount <= 0 { throw .invalidAmount(amount) }
    switch worth {
    case .price(let price), .total(let price): try type.check(price: price)
    case .asked, .none: break
    }
    if fee.amount < 0 || fee.coin != nil && fee.amount == 0 { throw .invalidFee(fee.amount) }
  }

  /// Returns the price of one coin; nil for coins that were sent.
  private func price(of draft: TransactionDraft, on day: Date, in book: PortfolioBook) async throws -> Decimal? {
    switch worth {
    case .none, .total: return nil
    case .price(let price): return price
    case .asked:
      // The check of the booking does not depend on the price, so a sale of too much costs no request.
      var trial = draft
      trial.pricePerCoin = 1
      _ = try book.store.add(trial, currency: book.currency, now: book.now, isDryRun: true)
      return try await book.price(
        of: draft.coinId, on: day, advice: "\(notation("price")) or \(notation("total"))")
    }
  }
}
