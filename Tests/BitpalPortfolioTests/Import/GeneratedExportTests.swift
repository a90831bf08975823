import BitpalConfig
import BitpalModel
import BitpalPortfolio
import Foundation
import TestSupport
import Testing

/// A generated export of one exchange or tracker, with the change of each coin and currency that it describes.
private struct GeneratedExport {
  enum Event {
    case buy(coin: String, amount: Decimal, money: Decimal, fee: Decimal)
    case sell(coin: String, amount: Decimal, money: Decimal, fee: Decimal)
    case swap(from: String, amount: Decimal, into: String, for: Decimal, worth: Decimal, fee: Decimal)
    case reward(coin: String, amount: Decimal, worth: Decimal)
    case deposit(Decimal)
  }

  private(set) var rows: [String] = []
  private(set) var changes: [String: Decimal] = [:]
  private var balances: [String: Decimal] = [:]
  private var random: SeededGenerator
  private let id: String

  /// Whether the fees of Kraken's ledgers are below zero, as in some files.
  private let hasNegativeFees: Bool

  private static let prices: [(String, Decimal)] = [("BTC", 40_000), ("ETH", 2_000), ("SOL", 100), ("DOGE", 0.1)]
  private static let headers = [
    "binance": "User_ID,UTC_Time,Account,Operation,Coin,Change,Remark",
    "binance-trades": "Date(UTC),Pair,Side,Price,Executed,Amount,Fee",
    "coinbase":
      "ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes",
    "cointracking": "Type,Buy,Cur.,Sell,Cur.,Fee,Cur.,Exchange,Group,Comment,Date",
    "delta":
      "Date,Way,Base amount,Base currency (name),Base type,Quote amount,Quote currency,Exchange,Sent/Received from,Sent to,Fee amount,Fee currency (name),Broker,Notes",
    "ghostfolio": "Date,Code,DataSource,Currency,Price,Quantity,Action,Fee,Note",
    "koinly": "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Label",
    "kraken-ledgers": "txid,refid,time,type,subtype,aclass,asset,wallet,amount,fee,balance",
    "kraken-trades": "txid,ordertxid,pair,time,type,ordertype,price,cost,fee,vol,margin,misc,ledgers",
  ]
  static let ids = headers.keys.sorted()

  init(_ id: String, seed: UInt64) {
    self.id = id
    hasNegativeFees = seed % 2 == 0
    random = SeededGenerator(seed: seed)
    for number in 0..<25 {
      let time = "2025-01-\(number + 1 < 10 ? "0" : "")\(number + 1) 08:\(Int.random(in: 10...59, using: &random)):00"
      let event = event()
      note(event)
      write(event, time, number)
    }
  }

  var text: String { ([Self.headers[id] ?? ""] + rows).joined(separator: "\n") + "\n" }

  private mutating func event() -> Event {
    let (coin, price) = Self.prices.randomElement(using: &random) ?? ("BTC", 1)
    let other = Self.prices.filter { $0.0 != coin }.randomElement(using: &random) ?? ("ETH", 1)
    let whole = Decimal(Int.random(in: 1...9_999, using: &random))
    let amount = (whole / price).rounded(scale: 4) + Decimal(sign: .plus, exponent: -4, significand: 1)
    let money = (amount * price * Decimal(Int.random(in: 95...105, using: &random)) / 100).rounded(scale: 2)
    let fee = Decimal(Int.random(in: 0...300, using: &random)) / 100
    let isTradeOnly = id == "ghostfolio" || id == "binance-trades" || id == "kraken-trades"
    return switch Int.random(in: 0...(isTradeOnly ? 1 : 4), using: &random) {
    case 0: .buy(coin: coin, amount: amount, money: money, fee: fee)
    case 1: .sell(coin: coin, amount: amount, money: money + fee, fee: fee)
    case 2:
      .swap(
        from: coin, amount: amount, into: other.0,
        for: (money / other.1).rounded(scale: 4) + Decimal(sign: .plus, exponent: -4, significand: 1),
        worth: money + fee,
        fee: fee)
    case 3: .reward(coin: coin, amount: amount, worth: money)
    default: .deposit(money)
    }
  }

  private mutating func note(_ event: Event) {
    func add(_ unit: String, _ change: Decimal) { changes[unit, default: 0] += change }
    switch event {
    case .buy(let coin, let amount, let money, let fee):
      add(coin, amount)
      add("EUR", -money - fee)
    case .sell(let coin, let amount, let money, let fee):
      add(coin, -amount)
      add("EUR", money - fee)
    case .swap(let coin, let amount, let other, let received, _, let fee):
      add(coin, -amount)
      add(other, received)
      // Of an exchange at Coinbase the fee is a part of what was given.
      if id != "coinbase" { add("EUR", -fee) }
    case .reward(let coin, let amount, _): add(coin, amount)
    case .deposit(let money): add("EUR", money)
    }
  }

  private mutating func write(_ event: Event, _ time: String, _ number: Int) {
    switch id {
    case "binance": writeBinance(event, time)
    case "kraken-ledgers": writeKraken(event, time, number)
    case "coinbase": writeCoinbase(event, time, number)
    case "binance-trades", "kraken-trades", "ghostfolio": writeTrade(event, time, number)
    default: writeLegs(event, time)
    }
  }

  /// One trade as several fills of one second, whose rows are in any order.
  private mutating func writeBinance(_ event: Event, _ time: String) {
    var legs: [(String, String, Decimal)] = []
    func fills(_ operation: String, _ coin: String, _ change: Decimal, _ parts: Int) {
      let part = (change / Decimal(parts)).rounded(scale: 8)
      for index in 0..<parts {
        legs.append((operation, coin, index == 0 ? change - part * Decimal(parts - 1) : part))
      }
    }
    let parts = Int.random(in: 1...3, using: &random)
    switch event {
    case .buy(let coin, let amount, let money, let fee):
      fills("Transaction Buy", coin, amount, parts)
      fills("Transaction Spend", "EUR", -money, parts)
      if fee > 0 { fills("Transaction Fee", "EUR", -fee, 1) }
    case .sell(let coin, let amount, let money, let fee):
      fills("Transaction Sold", coin, -amount, parts)
      fills("Transaction Revenue", "EUR", money, parts)
      if fee > 0 { fills("Transaction Fee", "EUR", -fee, 1) }
    case .swap(let coin, let amount, let other, let received, _, let fee):
      fills("Transaction Sold", coin, -amount, parts)
      fills("Transaction Revenue", other, received, parts)
      if fee > 0 { fills("Transaction Fee", "EUR", -fee, 1) }
    case .reward(let coin, let amount, _): fills("Staking Rewards", coin, amount, 1)
    case .deposit(let money): fills("Deposit", "EUR", money, 1)
    }
    rows += legs.shuffled(using: &random).map { "1,\(time),Spot,\($0.0),\($0.1),\($0.2.plainText)," }
  }

  private mutating func writeKraken(_ event: Event, _ time: String, _ number: Int) {
    let isNegative = hasNegativeFees
    func leg(_ type: String, _ coin: String, _ change: Decimal, _ fee: Decimal) {
      balances[coin, default: 1_000] += change - fee
      let balance = (balances[coin] ?? 0).plainText
      rows.append(
        "L\(rows.count),T\(number),\(time),\(type),,currency,\(coin == "BTC" ? "XXBT" : coin),spot / main,\(change.plainText),"
          + "\(isNegative ? "-" : "")\(fee.plainText),\(balance)")
    }
    switch event {
    case .buy(let coin, let amount, let money, let fee):
      leg("trade", "EUR", -money, fee)
      leg("trade", coin, amount, 0)
    case .sell(let coin, let amount, let money, let fee):
      let part = (amount / 3).rounded(scale: 6)
      leg("trade", coin, -part, 0)
      leg("trade", coin, part - amount, 0)
      leg("trade", "EUR", money, fee)
    case .swap(let coin, let amount, let other, let received, _, let fee):
      leg("spend", coin, -amount, 0)
      leg("receive", other, received, 0)
      leg("trade", "EUR", 0, fee)
    case .reward(let coin, let amount, _): leg("staking", coin, amount, 0)
    case .deposit(let money): leg("deposit", "EUR", money, 0)
    }
  }

  private mutating func writeCoinbase(_ event: Event, _ time: String, _ number: Int) {
    func row(
      _ type: String, _ coin: String, _ amount: Decimal, _ subtotal: Decimal, _ total: Decimal, _ fee: Decimal,
      _ note: String
    ) {
      rows.append(
        "i\(number),\(time) UTC,\(type),\(coin),\(amount.plainText),EUR,€\(Self.price(subtotal, amount)),€\(subtotal.plainText),€\(total.plainText),€\(fee.plainText),\(note)"
      )
    }
    switch event {
    case .buy(let coin, let amount, let money, let fee): row("Buy", coin, amount, money, money + fee, fee, "")
    case .sell(let coin, let amount, let money, let fee): row("Sell", coin, -amount, money, money - fee, fee, "")
    case .swap(let coin, let amount, let other, let received, let worth, let fee):
      row(
        "Convert", coin, -amount, worth - fee, worth, fee,
        "Converted \(amount.plainText) \(coin) to \(received.plainText) \(other)")
    case .reward(let coin, let amount, let worth): row("Staking Income", coin, amount, worth, worth, 0, "")
    case .deposit(let money): row("Deposit", "EUR", money, money, money, 0, "")
    }
  }

  private static func price(_ money: Decimal, _ amount: Decimal) -> String {
    abs(money / amount).rounded(scale: 4).plainText
  }

  private mutating func writeTrade(_ event: Event, _ time: String, _ number: Int) {
    let (side, coin, amount, money, fee): (String, String, Decimal, Decimal, Decimal)
    switch event {
    case .buy(let c, let a, let m, let f): (side, coin, amount, money, fee) = ("buy", c, a, m, f)
    case .sell(let c, let a, let m, let f): (side, coin, amount, money, fee) = ("sell", c, a, m, f)
    default: return
    }
    switch id {
    case "binance-trades":
      rows.append(
        "\(time),\(coin)EUR,\(side.uppercased()),\(Self.price(money, amount)),\(amount.plainText)\(coin),\(money.plainText)EUR,\(fee.plainText)EUR"
      )
    case "kraken-trades":
      rows.append(
        "T\(number),O\(number),\(coin == "BTC" ? "XXBTZEUR" : coin + "EUR"),\(time),\(side),limit,\(Self.price(money, amount)),\(money.plainText),\(fee.plainText),\(amount.plainText),0,,"
      )
    default:
      // The file has a price, so the money is what that comes to.
      let price = (money / amount).rounded(scale: 2)
      changes["EUR", default: 0] += (side == "buy" ? 1 : -1) * (money - price * amount)
      rows.append("\(time),\(coin)-EUR,YAHOO,EUR,\(price.plainText),\(amount.plainText),\(side),\(fee.plainText),")
    }
  }

  /// The formats with what was sent and received in one row.
  private mutating func writeLegs(_ event: Event, _ time: String) {
    var (sent, received): ((Decimal, String)?, (Decimal, String)?)
    var (fee, way) = (Decimal.zero, "")
    switch event {
    case .buy(let coin, let amount, let money, let cost):
      (sent, received, fee, way) = ((money, "EUR"), (amount, coin), cost, "BUY")
    case .sell(let coin, let amount, let money, let cost):
      (sent, received, fee, way) = ((amount, coin), (money, "EUR"), cost, "SELL")
    case .swap(let coin, let amount, let other, let got, _, let cost):
      (sent, received, fee, way) = ((amount, coin), (got, other), cost, "SELL")
    case .reward(let coin, let amount, _): (received, way) = ((amount, coin), "DEPOSIT")
    case .deposit(let money): (received, way) = ((money, "EUR"), "DEPOSIT")
    }
    func cells(_ leg: (Decimal, String)?, fee: Decimal = 0) -> String {
      leg.map { "\(($0.0 + fee).plainText),\($0.1)" } ?? ","
    }
    switch id {
    case "cointracking":
      // The fee is inside the amounts in its currency, and one of a third currency has a row of its own.
      let isInside = sent?.1 == "EUR" || received?.1 == "EUR"
      let kind = sent == nil ? (received?.1 == "EUR" ? "Deposit" : "Staking") : "Trade"
      rows.append(
        "\(kind),\(cells(received, fee: received?.1 == "EUR" ? -fee : 0)),\(cells(sent, fee: sent?.1 == "EUR" ? fee : 0)),"
          + "\(fee.plainText),EUR,Kraken,,,\(time)")
      if !isInside, fee > 0 { rows.append("Other Fee,,,\(fee.plainText),EUR,,,Kraken,,,\(time)") }
    case "delta":
      let (base, quote) = way == "SELL" ? (sent, received) : (received, sent)
      rows.append("\(time),\(way),\(cells(base)),CRYPTO,\(cells(quote)),,,,\(fee.plainText),EUR,,")
    default: rows.append("\(time),\(cells(sent)),\(cells(received)),\(fee.plainText),EUR,")
    }
  }
}

@Suite struct `Generated exports` {
  private func sheet(_ id: String, _ text: String) throws -> ImportedSheet {
    let specification = try `The imports we ship`.catalog().specification(for: id)
    guard case .known(_, let file) = try ImportRecognition(Array(text.utf8), name: "t.csv", among: [specification])
    else {
      throw BitpalError.usage("not known")
    }
    let options = ImportOptions(currency: "eur", now: .distantFuture, value: .close)
    return try ImportReader(specification).read(file, name: "t.csv", options: options)
  }

  @Test(arguments: GeneratedExport.ids, [UInt64](1...12))
  func `The sums of each shipped import are those of the events`(id: String, seed: UInt64) throws {
    let export = GeneratedExport(id, seed: seed)
    let sheet = try sheet(id, export.text)
    let transactions = try sheet.transactions(ids: Dictionary(uniqueKeysWithValues: sheet.coins.map { ($0, $0) })) {
      coin, _ in
      coin == "BTC" ? 40_000 : coin == "ETH" ? 2_000 : coin == "SOL" ? 100 : 0.1
    }
    let expected = export.changes.filter { $0.value != 0 }
    #expect(Dictionary(uniqueKeysWithValues: sheet.sums.map { ($0.unit, $0.stated) }) == expected)
    #expect(sheet.sums.allSatisfy { $0.stated == $0.recorded || id == "coinbase" })
    var held: [String: Decimal] = [:]
    for transaction in transactions.map(\.transaction) {
      held[transaction.coinId, default: 0] += transaction.type.isIncoming ? transaction.amount : -transaction.amount
    }
    #expect(held.filter { $0.value != 0 } == expected.filter { $0.key != "EUR" })
  }

  @Test(arguments: ["kraken-ledgers", "coinbase"], [UInt64](1...12))
  func `A changed amount and a missing row are refused where the file can show it`(id: String, seed: UInt64) throws {
    let export = GeneratedExport(id, seed: seed)
    var lines = export.text.split(separator: "\n").map(String.init)
    var random = SeededGenerator(seed: seed)
    if id == "coinbase" {
      guard let place = lines.indices.dropFirst().filter({ lines[$0].contains(",Buy,") }).randomElement(using: &random)
      else { return }
      var cells = lines[place].components(separatedBy: ",")
      cells[7] = "€\(Int.random(in: 1...9, using: &random))\(cells[7].dropFirst())"
      lines[place] = cells.joined(separator: ",")
    } else {
      let euros = lines.indices.filter { lines[$0].contains(",EUR,") }
      guard euros.count > 2, let place = euros.dropFirst().dropLast().randomElement(using: &random),
        !lines[place].contains(",0,0,"), !lines[place].contains(",0,-0,")
      else { return }
      let refid = lines[place].components(separatedBy: ",")[1]
      lines.removeAll { $0.contains(",\(refid),") }
      // The row that was removed may have been the last of its coin.
      guard lines.last(where: { $0.contains(",EUR,") }) != nil else { return }
    }
    #expect(throws: CSVFaults.self) {
      let sheet = try sheet(id, lines.joined(separator: "\n"))
      _ = try sheet.transactions(ids: Dictionary(uniqueKeysWithValues: sheet.coins.map { ($0, $0) })) { _, _ in 1 }
    }
  }
}
