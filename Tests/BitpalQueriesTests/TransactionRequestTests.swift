import Bitpal
import BitpalModel
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `A transaction to be recorded` {
  private let folder: TemporaryFolder

  /// The texts of the remarks on the changes.
  private let remarks = Locked<[String]>([])

  init() throws {
    folder = try TemporaryFolder()
  }

  private func book(now: Date? = nil) throws -> PortfolioBook {
    let store = TransactionStore(file: UserDataFile(path: folder.path + "/bitpal.db"), portfolio: .main)
    return PortfolioBook(store, in: "usd", by: try Market.service(), now: now) { [remarks] remark in
      switch remark {
      case .note(let text), .warning(let text): remarks.withLock { $0.append(text) }
      case .failure, .origin: break
      }
    }
  }

  private func record(
    _ type: TransactionType, _ quantity: String, _ coin: String, _ values: [String: String] = [:],
    in book: PortfolioBook, isDryRun: Bool = false
  ) async throws -> [Transaction] {
    try await TransactionRequest(type, quantity: quantity, coin: coin, Given(values, .options)).record(
      in: book, isDryRun: isDryRun)
  }

  @Test func `A transaction recorded now is not in the future, for any fraction of a second`() async throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let now = Date(timeIntervalSince1970: 1_736_936_999 + Double.random(in: 0..<1, using: &random))
      let book = try book(now: now)
      for type in [TransactionType.buy, .receive] {
        _ = try await record(type, "1", "bitcoin", ["price": "5"], in: book, isDryRun: true)
      }
    }
  }

  private static let offsets = ["-12:00", "-08:00", "UTC", "+05:30", "+13:00", "+14:00"]

  @Test(arguments: offsets)
  func `Transactions recorded on days of a zone are of these days, and are read in every zone`(zone: String)
    async throws
  {
    let zone = try #require(ClockZone(offset: zone))
    let file = UserDataFile(path: folder.path + "/bitpal.db")
    let service = try Market.service()
    for seed in 0..<UInt64(20) {
      var random = SeededGenerator(seed: seed)
      let store = TransactionStore(file: file, portfolio: try PortfolioName("p\(seed)"), zone: zone)
      let book = PortfolioBook(store, in: "usd", by: service)
      for _ in 0..<14 {
        let day = "2025-01-0\(Int.random(in: 2...5, using: &random))"
        let isDay = Bool.random(using: &random)
        let hour = Int.random(in: 0...23, using: &random)
        let given = Given(["date": isDay ? day : day + "T\(hour < 10 ? "0" : "")\(hour):30", "price": "5"], .options)
        let amount = String(Int.random(in: 1...4, using: &random))
        do {
          let kind = Int.random(in: 0..<9, using: &random)
          let request =
            switch kind {
            case 0: try TransactionRequest(splitting: "btc", "2:1", Given(["date": day], .options))
            case 1...4: try TransactionRequest(.sell, quantity: kind == 4 ? "all" : amount, coin: "btc", given)
            default: try TransactionRequest(.buy, quantity: amount, coin: "btc", given)
            }
          let date = try #require(try await request.record(in: book, isDryRun: false).first).date
          #expect(date.bookedDayText(in: zone) == day)
        } catch is PortfolioError {
        } catch is BitpalError {
        }
      }
      let held = try PortfolioLedger(store.transactions()).positions.map(\.totalAmount)
      for other in Self.offsets {
        let transactions = try store.placed(in: try #require(ClockZone(offset: other))).transactions()
        #expect(
          try PortfolioLedger(transactions).positions.map(\.totalAmount) == held, "\(seed), \(zone.name), \(other)")
        for method in GainMethod.allCases {
          #expect(try Gains(transactions, by: method).lots.reduce(0) { $0 + $1.quantity } == held.reduce(0, +))
        }
      }
    }
  }

  @Test func `Coins go out on a day alone after those that came in on it`() async throws {
    let book = try book()
    _ = try await record(.buy, "1", "btc", ["price": "5", "date": "2025-01-02T09:30"], in: book)
    _ = try await record(.buy, "2", "btc", ["price": "5", "date": "2025-01-03"], in: book)
    let sold = try await record(
      .sell, "all", "btc", ["price": "6", "fee": "0.25btc", "date": "2025-01-02"], in: book)
    #expect(sold.map(\.amount) == [Decimal(string: "0.75"), Decimal(string: "0.25")])
    #expect(sold.map(\.date.iso8601) == ["2025-01-02T09:30:00Z", "2025-01-02T09:30:00Z"])
    let rest = try await record(.send, "all", "btc", ["date": "2025-01-03"], in: book)
    #expect(rest.map(\.amount) == [2] && rest[0].date.iso8601 == "2025-01-03T00:00:00Z")
  }

  @Test(arguments: ["1usd", "1 USD", "1"])
  func `A fee in the portfolio's currency is money`(fee: String) async throws {
    let bought = try await record(.buy, "1", "btc", ["price": "5", "fee": fee], in: try book())
    #expect(bought.count == 1 && bought[0].fee == 1)
  }

  @Test(arguments: ["1eur", "1%", "$1", "btc"])
  func `A fee in another currency or in no number is refused`(fee: String) async throws {
    let book = try book()
    await #expect(throws: BitpalError.self) {
      try await record(.buy, "1", "btc", ["price": "5", "fee": fee], in: book)
    }
  }

  @Test func `A coin is split once a day, and not exchanged for itself`() async throws {
    let book = try book()
    _ = try await record(.buy, "8", "btc", ["price": "5", "date": "2025-01-02"], in: book)
    func split(_ ratio: String, _ date: String) async throws -> [Transaction] {
      try await TransactionRequest(splitting: "btc", ratio, Given(["date": date], .options))
        .record(in: book, isDryRun: false)
    }
    #expect(try await split("2:1", "2025-01-03").last?.amount == 16)
    await #expect { try await split("2:1", "2025-01-03") } throws: { "\($0)".contains("is recorded already") }
    #expect(try await split("1:4", "2025-01-04").last?.amount == 4)
    let swap = try TransactionRequest(swapping: "1", "btc", for: ("2", "bitcoin"), Given(["total": "5"], .options))
    await #expect { try await swap.record(in: book, isDryRun: false) } throws: { "\($0)".contains("for itself") }
  }

  @Test func `A transaction recorded after the clock was set back is not in the future`() async throws {
    for seconds in [0, -3600, -0.0004] {
      let book = try book(now: Date(timeIntervalSince1970: 1_736_936_999.9996 + seconds))
      _ = try await record(.buy, "1", "bitcoin", ["price": "5"], in: book)
    }
  }

  @Test func `A stated price counts, a total is divided, and no price is that of the day`() async throws {
    let book = try book()
    let stated = try await record(.buy, "0.5", "btc", ["price": "64000", "fee": "1.20"], in: book)
    #expect(
      stated.map(\.coinId) == ["bitcoin"] && stated[0].pricePerCoin == 64000 && stated[0].fee == Decimal(string: "1.20")
    )
    let total = try await record(.buy, "4", "eth", ["total": "10000"], in: book)
    #expect(total[0].pricePerCoin == 2500)
    let asked = try await record(.buy, "1", "bitcoin", ["date": "2025-01-10"], in: book)
    let close = try await HistoryQuery(Given(["on": "2025-01-10"]), missing: .tell).answer(
      "bitcoin", by: book.service, currency: "usd")
    #expect(asked[0].pricePerCoin == close.closes.value[0].price)
    #expect(remarks.withLock { $0 }.contains { $0.hasPrefix("the close of bitcoin on 2025-01-10: ") })
  }

  @Test func `All that is held is sold, and a send without a price has none`() async throws {
    let book = try book()
    _ = try await record(.buy, "0.75", "bitcoin", ["price": "1", "date": "2025-01-01"], in: book)
    let sent = try await record(.send, "0.25", "bitcoin", ["date": "2025-01-02"], in: book)
    #expect(sent[0].pricePerCoin == nil)
    let sold = try await record(.sell, "all", "bitcoin", ["price": "2", "date": "2025-01-03"], in: book)
    #expect(sold[0].amount == Decimal(string: "0.5"))
    await #expect(throws: BitpalError.self) {
      try await record(.sell, "all", "bitcoin", ["price": "2", "date": "2025-01-04"], in: book)
    }
  }

  @Test func `A fee in coin is a send of its own, of the same group`() async throws {
    let both = try await record(
      .buy, "1", "bitcoin", ["price": "64000", "fee": "0.0005btc", "date": "2025-01-02"], in: book())
    #expect(both.count == 2 && both[1].type == .send && both[1].label == .fee)
    #expect(both[0].group != nil && both[0].group == both[1].group)
  }

  @Test func `A swap is a sale and a purchase for the same money`() async throws {
    let book = try book()
    _ = try await record(.buy, "2", "eth", ["price": "2000", "date": "2025-01-01"], in: book)
    let request = try TransactionRequest(
      swapping: "1", "eth", for: ("0.03", "btc"), Given(["total": "3000", "date": "2025-01-02"], .options))
    let sides = try await request.record(in: book, isDryRun: false)
    #expect(sides.map(\.type) == [.sell, .buy] && sides.map(\.coinId) == ["ethereum", "bitcoin"])
    #expect(sides[1].total ?? sides[1].amount * (sides[1].pricePerCoin ?? 0) == 3000)
  }

  @Test(
    arguments: [
      (["price": "1", "total": "2"], "--price and --total are two ways to say one thing"),
      (["price": "x"], "--price: "), (["fee": "x"], "--fee: "),
      (["date": "soon"], "--date: \"soon\" is not an instant"),
      (["price": "-1"], ""), (["fee": "-1", "price": "1"], ""), (["date": "2026-01-01", "price": "1"], ""),
      (["label": "reward", "price": "1"], ""),
    ] as [([String: String], String)])
  func `An invalid transaction is refused before anything is stored or requested`(
    values: [String: String], beginning: String
  ) async throws {
    let book = try book()
    await #expect {
      try await record(values["label"] == nil ? .buy : .send, "1", "bitcoin", values, in: book)
    } throws: { error in
      beginning.isEmpty ? error is PortfolioError : "\(error)".hasPrefix(beginning)
    }
    #expect(try book.store.transactions().isEmpty)
  }

  @Test func `A renaming moves the cost to the other coin, and has no total`() async throws {
    let book = try book()
    _ = try await record(.buy, "100", "matic-network", ["price": "0.5", "date": "2025-01-01"], in: book)
    func renaming(_ values: [String: String]) throws -> TransactionRequest {
      try TransactionRequest(
        swapping: "all", "matic-network", for: ("100", "id:polygon-ecosystem-token"),
        Given(values.merging(["label": "rename", "date": "2025-01-02"]) { one, _ in one }, .options))
    }
    await #expect { try await renaming(["total": "50"]).record(in: book, isDryRun: true) } throws: {
      "\($0)".hasPrefix("--total has no meaning with --label rename")
    }
    let sides = try await renaming([:]).record(in: book, isDryRun: false)
    #expect(sides.map(\.type) == [.send, .receive] && sides.map(\.label) == [.rename, .rename])
  }

  @Test func `A dry run stores nothing`() async throws {
    let book = try book()
    #expect(try await record(.buy, "1", "bitcoin", ["price": "1"], in: book, isDryRun: true).count == 1)
    #expect(try book.store.transactions().isEmpty)
  }

  @Test(
    arguments: [
      ([:], nil, nil, "all"), (["from": "2025-01-02"], "2025-01-02", nil, "since 2025-01-02"),
      (["to": "2025-01-03"], nil, "2025-01-03", "until 2025-01-03"), (["range": "1W"], "2025-01-08", nil, "1W"),
    ] as [([String: String], String?, String?, String)])
  func `The days of a portfolio are those of a range, or from one to another`(
    values: [String: String], first: String?, last: String?, name: String
  ) throws {
    let span = try PortfolioDays(Given(values, .options), usual: nil).span(
      QueryDefaults(), now: Market.service().time.now)
    #expect(span.first?.dayText == first && span.last?.dayText == last && span.name == name)
  }

  @Test func `A range of less than two days has no days of a portfolio`() throws {
    let days = try PortfolioDays(Given(["range": "1D"], .options), usual: nil)
    #expect { try days.span(QueryDefaults(), now: Market.service().time.now) } throws: {
      "\($0)".hasPrefix("--range: 1D is too short")
    }
  }
}
