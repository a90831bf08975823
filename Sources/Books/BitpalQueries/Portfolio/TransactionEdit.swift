package import BitpalModel
package import BitpalPortfolio
import FoundationEssentials

/// The changes of one transaction.
package struct TransactionEdit: Sendable {
  package static let parameters =
    [
      ParameterSpec("amount", .text("QUANTITY"), "quantity of coins"),
      ParameterSpec("price", .text("P"), "price of one coin; - for coins sent without a value"),
      ParameterSpec("total", .text("T"), "price of all of them, instead of --price"),
      ParameterSpec("fee", .text("F"), "fee of the exchange"),
      ParameterSpec("notes", .text("TEXT"), "a note; - removes it"),
      ParameterSpec("label", .text("LABEL"), "reason of the transaction; - removes it"),
      ParameterSpec("type", .choice(TransactionType.allCases.map(\.rawValue)), "type of the transaction"),
      ParameterSpec("coin", .text("COIN"), "another coin"),
    ] + [TransactionRequest.date]

  private let type: TransactionType?
  private let coin: String?
  private let amount: Decimal?

  /// The new price of one coin, which may be none; nil for the present one.
  private let price: Decimal??
  private let total: Decimal?
  private let label: String?
  private let fee: Decimal?
  private let date: String?
  private let notes: String?

  /// Reads the changes.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a value that is not a number or an instant, and for no change.
  package init(_ parameters: some Parameters) throws(BitpalError) {
    type = parameters["type"].flatMap(TransactionType.init(rawValue:))
    coin = parameters["coin"]
    amount = try parameters.decimal("amount")
    price = parameters["price"] == "-" ? .some(nil) : try parameters.decimal("price").map { $0 }
    total = try parameters.decimal("total")
    if total != nil, price != nil {
      let notation = parameters.notation
      throw .usage(
        "\(notation("price")) and \(notation("total")) are two ways to say one thing", hint: "give one of them")
    }
    label = parameters["label"]
    fee = try parameters.decimal("fee")
    date = try parameters.instant("date")
    notes = parameters["notes"]
    let names = ["type", "coin", "amount", "price", "total", "fee", "date", "notes", "label"]
    guard names.contains(where: { parameters[$0] != nil }) else {
      throw .usage(
        "nothing to change",
        hint: "give one or more of \(names.map { parameters.notation($0) }.joined(separator: ", "))")
    }
  }

  /// Changes a transaction, which keeps its id: people name it by that.
  ///
  /// - Parameters:
  ///   - id: The id, or an unambiguous beginning of it.
  ///   - isDryRun: Whether everything is checked and nothing stored.
  /// - Returns: The transaction after the change, and the other half of a split or a renaming that has its date.
  /// - Throws: `PortfolioError` for an unknown transaction and what the ledger refuses; `BitpalError` for an unknown
  ///   coin.
  package func record(_ id: String, in book: PortfolioBook, isDryRun: Bool) async throws -> [Transaction] {
    let old = try book.store.transaction(id)
    var coinId = old.coinId
    if let coin { coinId = try await book.recordableCoin(coin) }
    let type = type ?? old.type
    var worth = TransactionDraft(
      coinId: coinId, type: type, amount: amount ?? old.amount, pricePerCoin: price ?? old.pricePerCoin, date: old.date)
    // What was paid in all stays what it was, however many coins it was for.
    if let total = total ?? (price == nil ? old.total : nil), worth.amount > 0 { try worth.setTotal(total) }
    var time = book.instant(date) ?? old.date
    if !type.isIncoming, old.label?.movesCost != true, date.map(PortfolioBook.isDay) == true {
      time = try book.goingOut(worth.amount, of: coinId, on: time, instead: old.id)
    }
    let edited = try Transaction(
      validating: old.id, coinId: coinId, type: type, amount: worth.amount, pricePerCoin: worth.pricePerCoin,
      total: worth.total, fee: fee ?? old.fee, date: time,
      // An empty value is refused everywhere, so `-` removes the notes.
      notes: notes.map { $0 == "-" ? nil : $0 } ?? old.notes,
      label: try label.map { word throws(PortfolioError) in try type.label(word) } ?? old.label, group: old.group)
    return try book.store.replaceHalves(edited, now: book.now, isDryRun: isDryRun)
  }
}
