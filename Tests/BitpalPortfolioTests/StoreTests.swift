import BitpalFiles
import BitpalModel
import Foundation
import TestSupport
import Testing

@testable import BitpalPortfolio

@Suite struct `The transactions of a portfolio are kept in a file` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var path: String { folder.path + "/share/bitpal/bitpal.db" }

  private func store(_ portfolio: String = "main") throws -> TransactionStore {
    TransactionStore(file: UserDataFile(path: path), portfolio: try PortfolioName(portfolio))
  }

  @Test func `Recorded transactions are read unchanged in another process`() throws {
    let notes = "a \"note\", two lines\nand a rocket 🚀"
    let first = try store().add(
      Make.draft(.buy, "0.00000001", "69702.67874735729", fee: "0.10", date: Make.now, notes: notes), currency: "usd",
      now: Make.now)
    let second = try store().add(
      Make.draft(.buy, "12345678901234567890.123456789012345678", "0.000000000000000001", coin: "pepe"),
      currency: "usd", now: Make.now)
    #expect(try store().transactions() == [second, first])
    #expect(try store().transactions(of: "bitcoin") == [first])
    #expect(first.notes == notes && first.fee.plainText == "0.1")
    #expect(try store().currency() == "usd")
  }

  @Test func `Nothing is made by reading, and folders and file are the user's alone`() throws {
    #expect(try store().transactions() == [])
    #expect(try store().currency() == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/share"))
    _ = try store().add(Make.draft(.buy, "1", "1"), currency: "usd", now: Make.now)
    for (path, mode) in [(folder.path + "/share", 0o700), (folder.path + "/share/bitpal", 0o700), (path, 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
    }
  }

  @Test func `Equal transactions have ids of their own, and the same history has the same ids`() throws {
    let draft = try Make.draft(.buy, "1", "1")
    let ids = try [0, 1, 2].map { _ in try store().add(draft, currency: "usd", now: Make.now).id }
    let others = try [0, 1, 2].map { _ in try store("other").add(draft, currency: "usd", now: Make.now).id }
    #expect(Set(ids).count == 3 && ids == others)
  }

  @Test func `Portfolios know nothing of each other`() throws {
    _ = try store().add(Make.draft(.buy, "1", "1"), currency: "usd", now: Make.now)
    _ = try store("euros").add(Make.draft(.buy, "2", "1"), currency: "eur", now: Make.now)
    #expect(try store("euros").transactions().map(\.amount) == [2])
    #expect(throws: PortfolioError.self) {
      try store("third").add(Make.draft(.sell, "1", "1"), currency: "usd", now: Make.now)
    }
    #expect(try PortfolioCatalog(file: UserDataFile(path: path)).portfolios().map(\.name.text) == ["euros", "main"])
  }

  @Test func `Money of another currency is refused until the portfolio is empty`() throws {
    let first = try store().add(Make.draft(.buy, "1", "1"), currency: "usd", now: Make.now)
    #expect {
      try store().add(Make.draft(.buy, "1", "1"), currency: "eur", now: Make.now)
    } throws: { error in
      "\(error)" == "the portfolio main is in usd, not in eur; "
        + "leave --currency out, write --currency usd, or use --portfolio for another one"
    }
    _ = try store().remove(first.id, now: Make.now)
    let row = ImportedTransaction(transaction: first, line: 2, hasOwnID: false, currency: nil)
    #expect(try store().removed(among: [row]) == [first] && store().removed(among: []).isEmpty)
    #expect(try store().currency() == nil)
    _ = try store().add(Make.draft(.buy, "1", "1"), currency: "eur", now: Make.now)
    #expect(try store().currency() == "eur")
  }

  @Test func `A change that breaks a rule leaves the file unchanged`() throws {
    let buy = try store().add(Make.draft(.buy, "1", "1", date: Make.day(2)), currency: "usd", now: Make.now)
    let sale = try store().add(Make.draft(.sell, "1", "2", date: Make.day(3)), currency: "usd", now: Make.now)
    let before = try store().transactions()
    let edited = try Transaction(
      validating: buy.id, coinId: "bitcoin", type: .buy, amount: 1, pricePerCoin: 1, date: Make.day(4))
    let refusals: [() throws -> Void] = [
      { _ = try store().add(Make.draft(.sell, "1", "1", date: Make.day(2)), currency: "usd", now: Make.now) },
      { _ = try store().add(Make.draft(.buy, "0", "1"), currency: "usd", now: Make.now) },
      { _ = try store().add(Make.draft(.buy, "1", "1", date: Make.day(40)), currency: "usd", now: Make.now) },
      { _ = try store().replace(edited, now: Make.now) }, { _ = try store().remove(buy.id, now: Make.now) },
      { _ = try store().remove(UUID(), now: Make.now) },
    ]
    for refusal in refusals { #expect(throws: PortfolioError.self) { try refusal() } }
    #expect(try store().transactions() == before)
    _ = try store().remove(sale.id, now: Make.now)
    _ = try store().remove(buy.id, now: Make.now)
    #expect(try store().transactions() == [])
  }

  @Test func `An edit keeps the id and the place among those of one instant`() throws {
    let buy = try store().add(Make.draft(.buy, "1", "1"), currency: "usd", now: Make.now)
    let sale = try store().add(Make.draft(.sell, "1", "2"), currency: "usd", now: Make.now)
    let edited = try Transaction(
      validating: buy.id, coinId: "bitcoin", type: .buy, amount: 2, pricePerCoin: 3, date: Make.day(1), notes: "n")
    #expect(try store().replace(edited, now: Make.now, isDryRun: true) == edited)
    #expect(try store().transactions() == [buy, sale])
    #expect(try store().replace(edited, now: Make.now) == edited)
    #expect(try store().transactions() == [edited, sale])
  }

  @Test func `A dry run checks and stores nothing`() throws {
    _ = try store().add(Make.draft(.buy, "1", "1"), currency: "usd", now: Make.now, isDryRun: true)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/share"))
    #expect(throws: PortfolioError.self) {
      try store().add(Make.draft(.sell, "1", "1"), currency: "usd", now: Make.now, isDryRun: true)
    }
    let buy = try store().add(Make.draft(.buy, "1", "1"), currency: "usd", now: Make.now)
    _ = try store().remove(buy.id, now: Make.now, isDryRun: true)
    #expect(try store().transactions() == [buy])
  }

  @Test func `An id may be shortened as long as it is the only one`() throws {
    let transactions = try (1...40).map {
      try store().add(Make.draft(.buy, String($0), "1"), currency: "usd", now: Make.now)
    }
    let wanted = transactions[7]
    #expect(try store().transaction(wanted.shortID) == wanted)
    #expect(try store().transaction(wanted.id.uuidString) == wanted)
    #expect(try store().transaction(wanted.id.uuidString.filter { $0 != "-" }) == wanted)
    #expect {
      _ = try store().transaction("nonsense")
    } throws: { error in
      "\(error)" == "no transaction \"nonsense\"; \"bitpal portfolio transactions\" lists them; "
        + "an id may be shortened to four digits"
    }
    #expect(throws: PortfolioError.transactionNotFound("abc")) { _ = try store().transaction("abc") }
  }

  @Test func `An id that several begin with is refused with those`() throws {
    for number in 1...2 {
      let id = UUID(uuidString: "abcdef0\(number)-0000-8000-8000-000000000000") ?? UUID()
      let transaction = try Transaction(
        validating: id, coinId: "bitcoin", type: .buy, amount: 1, pricePerCoin: 1, date: Make.day(1))
      _ = try store().add(
        [ImportedTransaction(transaction: transaction, line: number, hasOwnID: true, currency: nil)], currency: "usd",
        now: Make.now)
    }
    #expect {
      _ = try store().transaction("abcdef")
    } throws: { error in
      "\(error)" == "\"abcdef\" begins the ids of several transactions: abcdef01-0000-8000-8000-000000000000, "
        + "abcdef02-0000-8000-8000-000000000000; write more of it"
    }
  }

  @Test(arguments: ["", "Main", "a b", "../x", "-a", String(repeating: "a", count: 65)])
  func `A portfolio's name is plain`(name: String) {
    #expect(throws: PortfolioError.invalidPortfolioName(name)) { _ = try PortfolioName(name) }
  }
}
