import BitpalModel
import BitpalPortfolio
import Foundation
import TestSupport
import Testing

@Suite struct `Several portfolios in one file` {
  private let folder: TemporaryFolder
  private let file: UserDataFile
  private let shelf: PortfolioCatalog

  init() throws {
    folder = try TemporaryFolder()
    file = UserDataFile(path: folder.path + "/bitpal.db")
    shelf = PortfolioCatalog(file: file)
  }

  private func name(_ text: String) throws -> PortfolioName { try PortfolioName(text) }

  private func store(_ text: String) throws -> TransactionStore {
    TransactionStore(file: file, portfolio: try name(text))
  }

  private func buy(_ amount: String, in portfolio: String, currency: String = "usd", day: Int = 1) throws -> Transaction
  {
    try store(portfolio).add(Make.draft(.buy, amount, "1", date: Make.day(day)), currency: currency, now: Make.now)
  }

  @Test func `are listed with currency, size and dates`() throws {
    #expect(try shelf.portfolios() == [])
    _ = try buy("1", in: "main")
    _ = try buy("2", in: "euros", currency: "eur", day: 2)
    _ = try buy("3", in: "euros", currency: "eur", day: 5)
    let euros = try #require(try shelf.portfolios().first)
    #expect(euros.name.text == "euros" && euros.currency == "eur" && euros.transactions == 2)
    #expect(euros.first == Make.day(2) && euros.last == Make.day(5))
  }

  @Test func `keep their transactions and what can be taken back under another name`() throws {
    let bought = try buy("1", in: "main")
    try shelf.rename(.main, to: name("savings"))
    #expect(try store("savings").transactions() == [bought] && store("main").transactions() == [])
    #expect(try store("savings").undo().added == [bought])
    #expect(throws: PortfolioError.portfolioNotFound("nowhere", known: ["savings"])) {
      try shelf.rename(name("nowhere"), to: .main)
    }
    _ = try buy("1", in: "main")
    #expect(throws: PortfolioError.portfolioExists("savings")) { try shelf.rename(.main, to: name("savings")) }
  }

  @Test func `come back whole after they were deleted`() throws {
    let bought = [try buy("1", in: "euros", currency: "eur"), try buy("2", in: "euros", currency: "eur")]
    try shelf.set(.fifo, for: name("euros"))
    _ = try buy("5", in: "main")
    #expect(try shelf.delete(name("euros"), now: Make.now, isDryRun: true).transactions == 2)
    #expect(try store("euros").transactions() == bought)
    #expect(try shelf.delete(name("euros"), now: Make.now).transactions == 2)
    #expect(try store("euros").transactions() == [] && shelf.portfolios().map(\.name.text) == ["main"])
    let change = try store("euros").undo()
    #expect(change.kind == .delete && change.former == bought)
    #expect(try store("euros").transactions() == bought)
    let info = try #require(try store("euros").info())
    #expect(info.currency == "eur" && info.method == .fifo)
    #expect(throws: PortfolioError.self) { try shelf.delete(name("nowhere"), now: Make.now) }
  }

  @Test func `Changes are taken back one by one, the last first, each to what it found`() throws {
    let store = try store("main")
    var states: [[Transaction]] = [[]]
    let first = try buy("1", in: "main")
    states.append(try store.transactions())
    _ = try store.add(
      joined: Make.draft(.sell, "0.5", "3", date: Make.day(2)), with: [Make.draft(.buy, "9", "1", coin: "pepe")],
      currency: "usd", now: Make.now)
    states.append(try store.transactions())
    _ = try store.replace(
      try Transaction(
        validating: first.id, coinId: "bitcoin", type: .buy, amount: 7, pricePerCoin: 2, date: Make.day(1)),
      now: Make.now)
    states.append(try store.transactions())
    _ = try store.remove(try #require(try store.transactions(of: "pepe").first).id, now: Make.now)
    #expect(try store.undo(isDryRun: true).kind == .remove)
    for (kind, state) in zip([UndoneChange.Kind.remove, .replace, .add, .add], states.reversed()) {
      #expect(try store.undo().kind == kind)
      #expect(try store.transactions() == state)
    }
    #expect(throws: PortfolioError.nothingToUndo(portfolio: "main")) { try store.undo() }
  }

  @Test func `A hundred changes are kept, of each portfolio`() throws {
    _ = try buy("1", in: "other")
    for number in 1...103 { _ = try buy(String(number), in: "main") }
    for _ in 1...100 { _ = try store("main").undo() }
    #expect(try store("main").transactions().count == 3)
    #expect(throws: PortfolioError.self) { try store("main").undo() }
    #expect(try store("other").undo().added.count == 1)
  }

  @Test func `Both halves of a swap are recorded or none, joined by the id of the first`() throws {
    _ = try buy("1", in: "main")
    var sale = try Make.draft(.sell, "0.5", "3000", date: Make.day(2))
    let bought = try sale.swap(for: 7, of: "solana")
    let halves = try store("main").add(joined: sale, with: [bought], currency: "usd", now: Make.now)
    #expect(halves.map(\.group) == [halves[0].shortID, halves[0].shortID] && halves.map(\.label) == [.swap, .swap])
    #expect(halves[1].pricePerCoin?.plainText == "214.285714285714285714")
    var tooMuch = try Make.draft(.sell, "0.6", "3000", date: Make.day(2))
    let other = try tooMuch.swap(for: 7, of: "solana")
    #expect(throws: PortfolioError.self) {
      try store("main").add(joined: tooMuch, with: [other], currency: "usd", now: Make.now)
    }
    #expect(try store("main").transactions(of: "solana").count == 1)
  }
}

@Suite struct `Coins that come and go for no money` {
  private func position(_ transactions: [Transaction]) throws -> OpenPosition {
    try #require(try PortfolioLedger(transactions).positions.first)
  }

  @Test func `Received coins cost their value, or nothing`() throws {
    let position = try position([
      Make.transaction(1, .buy, "1", "100"), Make.transaction(2, .receive, "1", "50", label: .reward),
      Make.transaction(3, .receive, "2", "0", label: .airdrop),
    ])
    #expect(position.totalAmount == 4 && position.totalCost == 150 && position.avgCost.plainText == "37.5")
  }

  @Test func `Sent coins leave with their cost without a gain; with a value they are a disposal`() throws {
    let bought = try Make.transaction(1, .buy, "4", "100")
    let sent = try position([bought, Make.transaction(2, .send, "1", nil, label: .fee)])
    #expect(sent.totalCost == 300 && sent.sentCost == 100 && sent.realizedPnL == 0 && sent.removedCost == 0)
    let given = try position([bought, Make.transaction(2, .send, "1", "130", label: .gift)])
    #expect(given.totalCost == 300 && given.sentCost == 0 && given.realizedPnL == 30 && given.removedCost == 100)
    let bookings = try PortfolioLedger.bookings([bought, Make.transaction(2, .send, "1", nil)])
    #expect(bookings.last?.costRemoved == 100 && bookings.last?.realized == nil)
  }

  @Test func `A cycle that ends by sending closes without a price of sale`() throws {
    let closed = try #require(
      try PortfolioLedger([Make.transaction(1, .receive, "3", "0"), Make.transaction(2, .send, "3", nil)]).closed.first)
    #expect(closed.avgSellPrice == nil && closed.realizedPnL == 0 && closed.realizedPnLPercentage == nil)
    #expect(closed.totalCost == 0 && closed.removedCost == 0)
  }

  @Test func `Coins that cost nothing have a gain and no percentage of it`() throws {
    let portfolio = try Portfolio(
      PortfolioLedger([Make.transaction(1, .receive, "2", "0")]), quotes: ["bitcoin": Make.quote("bitcoin", "10")])
    let holding = try #require(portfolio.holdings.first)
    #expect(holding.profitLoss == 20 && holding.profitLossPercentage == nil)
    #expect(portfolio.summary.totalPnLPercentage == nil)
  }

  @Test func `A price, a label and a type that do not fit are refused`() throws {
    #expect(throws: PortfolioError.missingPrice(type: .receive)) { try Make.transaction(1, .receive, "1", nil) }
    #expect(throws: PortfolioError.invalidPrice(0)) { try Make.transaction(1, .sell, "1", "0") }
    #expect(throws: PortfolioError.invalidLabel("reward", type: .send)) {
      try Make.transaction(1, .send, "1", nil, label: .reward)
    }
  }

  @Test func `Several portfolios are added up in one currency, and one without a rate is left out`() throws {
    func line(_ name: String, _ price: String, rate: String?) throws -> (PortfolioInfo, PortfolioSummary, Decimal?) {
      let folder = try TemporaryFolder()
      let store = TransactionStore(file: UserDataFile(path: folder.path + "/x.db"), portfolio: try PortfolioName(name))
      _ = try store.add(Make.draft(.buy, "2", "10", fee: "1"), currency: "usd", now: Make.now)
      let portfolio = try Portfolio(
        PortfolioLedger(store.transactions()), quotes: ["bitcoin": Make.quote("bitcoin", price)])
      return (try #require(try store.info()), portfolio.summary, try rate.map { try Make.number($0) })
    }
    let total = try PortfolioTotal([
      line("a", "15", rate: "1"), line("b", "20", rate: "0.5"), line("c", "99", rate: nil),
    ])
    let sums = try #require(total.total)
    #expect(sums.value == 50 && sums.unrealized == 20 && sums.openCost == 30)
    #expect(sums.fees.plainText == "1.5" && !total.isComplete && total.lines.last?.figures == nil)
    #expect(try PortfolioTotal([line("c", "99", rate: nil)]).total == nil)
  }
}
