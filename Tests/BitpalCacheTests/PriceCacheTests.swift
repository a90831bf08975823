import BitpalCache
import BitpalFiles
import BitpalModel
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct `The two-tier cache` {
  private let folder: TemporaryFolder
  private let warnings = Notes<String>()
  private let now = Date(milliseconds: 1_736_937_000_123)

  init() throws {
    folder = try TemporaryFolder()
  }

  private var path: String { folder.path + "/below/cache.db" }

  private func open(_ path: String? = nil, disk: Int = 1 << 20, memory: Int = 1 << 20) -> PriceCache {
    let warnings = warnings
    return PriceCache(path: path ?? self.path, memoryLimit: memory, diskLimit: disk, isOwnPlace: path == nil) {
      warnings.add($0)
    }
  }

  private func key(_ kind: AnswerKey.Kind, _ coin: String = "bitcoin") -> AnswerKey {
    AnswerKey(provider: "p", kind: kind, coin: coin, currency: "usd", range: "7d")
  }

  /// An answer, of now unless said otherwise.
  private func sourced(_ answer: Answer, _ key: AnswerKey, at time: Date? = nil) -> Sourced<Answer> {
    Sourced(answer, about: key, source: "s", fetchedAt: time ?? now)
  }

  private func list(_ items: [CoinListItem], at time: Date? = nil) -> Sourced<Answer> {
    sourced(.coinList(items), AnswerKey(provider: "p", kind: .coinList), at: time)
  }

  private func coin(_ id: String = "bitcoin", price: String = "69702.67874735729") throws -> Coin {
    try Coin(
      validating: id, symbol: "btc", name: "Bit\"coin 🚀", currentPrice: Decimal(strict: price),
      priceChangePercentage24h: Decimal(strict: "-0.78878"),
      lastUpdated: now)
  }

  @Test func `A list that the file has no room for is found in memory, not the older one of the file`() throws {
    let cache = open(disk: 512 << 10)
    let old = try CoinListItem(validating: "old", symbol: "o", name: "Old")
    cache.store([list([old], at: now.adding(.seconds(-3600)))])
    let name = String(repeating: "long ", count: 60)
    let many = try (0..<1200).map { try CoinListItem(validating: "coin-\($0)", symbol: "c\($0)", name: name + "\($0)") }
    cache.store([list(many)])
    #expect(cache.stamp(of: AnswerKey(provider: "p", kind: .coinList))?.fetchedAt == now)
    #expect(cache.coins(named: "c1199", provider: "p").map(\.id) == ["coin-1199"])
  }

  @Test func `A writer that waits for another program does not keep readers waiting`() throws {
    let cache = open(memory: 0)
    cache.store([sourced(.quote(try coin()), key(.quote))])
    let other = try SQLiteConnection(path: path, busyTimeout: .zero)
    try other.execute("BEGIN EXCLUSIVE")
    let isDone = Locked(false)
    let late = sourced(.quote(try coin("late")), key(.quote, "late"))
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      cache.store([late])
      isDone.withLock { $0 = true }
      end.signal()
    }
    var answers = 0
    while !isDone.withLock({ $0 }) { answers += cache.answer(for: key(.quote)) == nil ? 0 : 1 }
    end.wait()
    // As many as fit into the two seconds of the writer; one, when readers and writers share a connection.
    #expect(answers > 10)
    try other.execute("ROLLBACK")
  }

  @Test func `Every kind of answer comes back from the file as it went in`() throws {
    let quote = try coin()
    let bare = try Coin(validating: "bitcoin", symbol: "btc", name: "B", currentPrice: Decimal(strict: "2.4e-09"))
    let detail = try CoinDetail(
      validating: quote, marketCap: Decimal(strict: "20512345678901234"), circulatingSupply: 19_599_200,
      totalSupply: 21_000_000, rank: 3, changes: PeriodChanges(week: Decimal(strict: "-2.5"), year: 7),
      allTimeHigh: PriceExtreme(price: 69045, date: now),
      allTimeLow: PriceExtreme(price: Decimal(strict: "0.05"), date: nil), image: "https://x/y.png")
    let line = LineSeries(points: [
      ChartDataPoint(timestamp: now, price: try Decimal(strict: "26936.583065788534")),
      ChartDataPoint(timestamp: now.adding(.seconds(1)), price: 0),
    ])
    let candles = CandleSeries(
      width: .seconds(1800),
      candles: [
        CandleDataPoint(timestamp: now, open: 2, high: 3, low: 1, close: try Decimal(strict: "1.00000000000000001"))
      ])
    let values: [(AnswerKey.Kind, Answer)] = [
      (.quote, .quote(quote)), (.detail, .detail(detail)), (.line, .line(line)), (.candles, .candles(candles)),
      (.missing, .missing),
    ]
    open().store(
      values.map { sourced($1, key($0)) }
        + [sourced(.quote(bare), key(.quote, "bare"))])
    let again = open()
    for (operation, value) in values {
      let found = try #require(again.answer(for: key(operation)))
      #expect(found.answer == sourced(value, key(operation)) && found.tier == "sqlite")
      #expect(again.answer(for: key(operation))?.tier == "memory")
    }
    guard case .quote(let found)? = again.answer(for: key(.quote, "bare"))?.answer.value else {
      Issue.record("no quote")
      return
    }
    #expect(
      found.currentPrice == bare.currentPrice && found.priceChangePercentage24h == nil && found.lastUpdated == nil)
    #expect(warnings.all.isEmpty)
  }

  @Test func `A later answer replaces the earlier one, and another key is another answer`() throws {
    let cache = open()
    cache.store([sourced(.quote(try coin(price: "1")), key(.quote))])
    cache.store([
      sourced(.quote(try coin(price: "2")), key(.quote), at: now.adding(.seconds(1)))
    ])
    guard case .quote(let found)? = open().answer(for: key(.quote))?.answer.value else {
      Issue.record("no quote")
      return
    }
    #expect(found.currentPrice == 2)
    #expect(open().answer(for: key(.quote, "ethereum")) == nil)
    let usage = open().statistics().operations
    #expect(usage.map(\.operation) == ["quote"] && usage.map(\.entries) == [1])
  }

  @Test func `A price that another process has left does not replace one that is newer by the source's time`() throws {
    func quote(_ price: String, of time: Date, at fetched: Date) throws -> Sourced<Answer> {
      let coin = try Coin(
        validating: "bitcoin", symbol: "btc", name: "Bitcoin", currentPrice: Decimal(strict: price), lastUpdated: time)
      return sourced(.quote(coin), key(.quote), at: fetched)
    }
    let (ours, other) = (open(), open())
    let newer = try quote("7", of: now, at: now)
    ours.store([newer])
    other.store([try quote("6", of: now.adding(.seconds(-3000)), at: now.adding(.seconds(60)))])
    let left = ours.answersLeftByOthers(for: [key(.quote)], newEnoughFrom: now.adding(.seconds(-60)))
    #expect(left.isEmpty && ours.answer(for: key(.quote))?.answer == newer)
    let newest = try quote("8", of: now.adding(.seconds(50)), at: now.adding(.seconds(60)))
    other.store([newest])
    #expect(ours.answersLeftByOthers(for: [key(.quote)], newEnoughFrom: now)[key(.quote)]?.answer == newest)
    #expect(ours.answer(for: key(.quote))?.answer == newest)
  }

  @Test func `Memory forgets what was used longest ago`() throws {
    let cache = PriceCache(path: nil, memoryLimit: 256 * 8, diskLimit: 1) { _ in }
    for index in 0..<8 {
      cache.store([sourced(.quote(try coin("c\(index)")), key(.quote, "c\(index)"))])
    }
    #expect(cache.answer(for: key(.quote, "c0")) != nil)
    cache.store([sourced(.quote(try coin("new")), key(.quote, "new"))])
    #expect(cache.answer(for: key(.quote, "c0")) != nil && cache.answer(for: key(.quote, "c1")) == nil)
  }

  @Test func `Memory keeps the entries of one coin apart, and forgets them one by one`() throws {
    let cache = PriceCache(path: nil, memoryLimit: 256 * 8, diskLimit: 1) { _ in }
    func key(_ index: Int) -> AnswerKey {
      AnswerKey(provider: "p", kind: .quote, coin: "bitcoin", currency: "c\(index)")
    }
    func price(_ index: Int) -> Decimal? {
      if case .quote(let coin)? = cache.answer(for: key(index))?.answer.value { coin.currentPrice } else { nil }
    }
    for index in 0..<8 {
      cache.store([sourced(.quote(try coin(price: "\(index + 1)")), key(index))])
    }
    #expect((0..<8).map { price($0) } == (1...8).map { Decimal($0) })
    cache.store([sourced(.quote(try coin(price: "100")), key(0))])
    cache.store([sourced(.quote(try coin(price: "9")), key(8))])
    #expect((0..<9).map { price($0) } == [100, nil, nil, 4, 5, 6, 7, 8, 9])
  }

  @Test(arguments: [
    "not a database, only words that fill a page".data(repeated: 400),
    [UInt8]("SQLite format 3\0garbage".utf8).data(repeated: 300),
  ])
  func `A damaged file is set aside with one warning, and the cache goes on`(bytes: Data) throws {
    try folder.write("", to: "below/cache.db")
    try bytes.write(to: URL(filePath: path))
    let cache = open()
    let answer = sourced(.quote(try coin()), key(.quote))
    #expect(cache.answer(for: key(.quote)) == nil)
    cache.store([answer])
    #expect(open().answer(for: key(.quote))?.answer == answer)
    #expect(warnings.all.count == 1)
    #expect(warnings.all.first?.hasSuffix("it is set aside as \(path).set-aside and a new one begun") == true)
    #expect(try Data(contentsOf: URL(filePath: path + ".set-aside")) == bytes)
  }

  @Test func `A truncated file is set aside`() throws {
    let cache = open()
    for index in 0..<50 {
      cache.store([sourced(.quote(try coin("c\(index)")), key(.quote, "c\(index)"))])
    }
    try SQLiteConnection(path: path, busyTimeout: .zero).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let copy = folder.path + "/cut.db"
    let whole = try Data(contentsOf: URL(filePath: path))
    try whole.prefix(whole.count / 2).write(to: URL(filePath: copy))
    let cut = open(copy)
    for index in 0..<50 { _ = cut.answer(for: key(.quote, "c\(index)")) }
    cut.store([sourced(.quote(try coin()), key(.quote))])
    #expect(open(copy).answer(for: key(.quote)) != nil)
    #expect(warnings.all.count == 1)
  }

  @Test(arguments: [
    "payload = replace(payload, '69702', '69703')", "fetched_at = fetched_at + 1", "source = 'kraken'",
    "coin = 'ethereum'", "currency = 'eur'", "bytes = bytes + 1",
  ])
  func `A damaged answer is ignored, and is replaced by the next one`(change: String) throws {
    let line = LineSeries(points: [ChartDataPoint(timestamp: Date(timeIntervalSince1970: 0), price: 69702)])
    for (kind, answer) in [
      (AnswerKey.Kind.quote, Answer.quote(try coin())), (.line, .line(line)), (.missing, .missing),
    ] {
      open().store([sourced(answer, key(kind))])
      #expect(open().answer(for: key(kind)) != nil)
      try SQLiteConnection(path: path, busyTimeout: .zero).execute("UPDATE entry SET \(change)")
      for coin in ["bitcoin", "ethereum"] {
        for currency in ["usd", "eur"] {
          let moved = AnswerKey(
            provider: key(kind).provider, kind: kind, coin: coin, currency: currency, range: key(kind).range)
          let found = open().answer(for: moved)
          // There are no figures in "missing", so there is nothing to change in its payload.
          #expect(found == nil || kind == .missing && change.hasPrefix("payload"), "\(kind)")
        }
      }
      open().store([sourced(answer, key(kind))])
      #expect(open().answer(for: key(kind))?.answer.value == answer)
      _ = open().removeAll()
    }
  }

  @Test func `A damaged row of a coin list is left out`() throws {
    let items = try ["bitcoin", "ethereum"].map { try CoinListItem(validating: $0, symbol: "s", name: "N \($0)") }
    open().store([list(items)])
    try SQLiteConnection(path: path, busyTimeout: .zero).execute("UPDATE coin SET symbol = 't' WHERE id = 'bitcoin'")
    guard case .coinList(let found)? = open().answer(for: list(items).about)?.answer.value else {
      Issue.record("there is no list")
      return
    }
    #expect(found.map(\.id) == ["ethereum"])
  }

  @Test func `A file of a newer version is set aside`() throws {
    _ = open().statistics()
    try SQLiteConnection(path: path, busyTimeout: .zero).execute("PRAGMA user_version = 99")
    let cache = open()
    cache.store([sourced(.quote(try coin()), key(.quote))])
    #expect(
      warnings.all == [
        "the cache was unusable (its schema 99 is newer than this version's 7); it is set aside as \(path).set-aside and a new one begun"
      ])
    #expect(open().answer(for: key(.quote)) != nil)
  }

  @Test func `Another program's database is left alone`() throws {
    let theirs = folder.path + "/theirs.db"
    try SQLiteConnection(path: theirs, busyTimeout: .zero).execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    let cache = open(theirs)
    cache.store([sourced(.quote(try coin()), key(.quote))])
    #expect(cache.answer(for: key(.quote))?.tier == "memory")
    #expect(warnings.all == [Self.isNoCache(theirs)])
    #expect(try SQLiteConnection(path: theirs, busyTimeout: .zero).integer("SELECT x FROM t") == 1)
  }

  private static func isNoCache(_ path: String) -> String {
    "the cache \(path) cannot be used (it is not a cache of bitpal, and is left as it is); going on without it"
  }

  /// What a wrong `BITPAL_CACHE` or a link in the folder of a named cache can lead to.
  @Test(
    arguments: [
      ("-----BEGIN OPENSSH PRIVATE KEY-----\n", nil), ("SQLite format 3\0garbage", nil),
      ("", "CREATE TABLE entry (x); PRAGMA user_version = 3"),
      ("", "CREATE TABLE portfolio (x); PRAGMA application_id = 1651537220; PRAGMA user_version = 1"),
    ] as [(String, String?)])
  func `A file that was named as the cache by mistake is neither renamed nor changed`(
    text: String, sql: String?
  ) throws {
    let theirs = folder.path + "/theirs"
    try Data(text.utf8).write(to: URL(filePath: theirs))
    if let sql { try SQLiteConnection(path: theirs, busyTimeout: .zero).execute(sql) }
    let link = folder.path + "/link"
    symlink(theirs, link)
    let before = try Data(contentsOf: URL(filePath: theirs))
    for path in [theirs, link] {
      let cache = open(path)
      cache.store([sourced(.quote(try coin()), key(.quote))])
      #expect(cache.removeAll() == 0)
    }
    #expect(try Data(contentsOf: URL(filePath: theirs)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["link", "theirs"])
    #expect(warnings.all.count == 2)
  }

  @Test func `An empty file in a named place becomes the cache`() throws {
    let named = try folder.write("", to: "named")
    let answer = sourced(.quote(try coin()), key(.quote))
    open(named).store([answer])
    #expect(open(named).answer(for: key(.quote))?.answer == answer)
    #expect(warnings.all == [])
  }

  @Test(
    .timeLimit(.minutes(20)),
    arguments: [
      """
      DROP TABLE entry;
      CREATE VIEW entry AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n)
        SELECT '' provider, '' operation, '' coin, '' currency, '' range, x fetched_at, '' source, 0 bytes, '' payload
        FROM n
      """,
      """
      CREATE TRIGGER endless AFTER INSERT ON entry BEGIN
        SELECT count(*) FROM (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x FROM n); END
      """,
    ])
  func `A cache that came with a view or a trigger without end is set aside, not asked`(sql: String) throws {
    _ = open().statistics()
    try SQLiteConnection(path: path, busyTimeout: .zero).execute(sql)
    let cache = open()
    let answer = sourced(.quote(try coin()), key(.quote))
    cache.store([answer])
    #expect(open().answer(for: key(.quote))?.answer == answer)
    #expect(warnings.all.count == 1)
    #expect(warnings.all.first?.contains("is not one that bitpal makes); it is set aside as ") == true)
  }

  @Test func `A place that cannot be written costs one warning and nothing else`() throws {
    try folder.write("a file", to: "file")
    let cache = open(folder.path + "/file/cache.db")
    let answer = sourced(.quote(try coin()), key(.quote))
    cache.store([answer])
    #expect(cache.answer(for: key(.quote))?.answer == answer)
    #expect(warnings.all.count == 1)
    #expect(
      warnings.all.first?.hasPrefix(
        "the cache \(folder.path)/file/cache.db cannot be used (unable to open database file") == true)
  }

  @Test func `Clearing empties both tiers and says how much that was`() throws {
    let cache = open()
    cache.store([sourced(.quote(try coin()), key(.quote))])
    cache.store([list([try CoinListItem(validating: "a", symbol: "b", name: "c")])])
    #expect(cache.removeAll() == 2)
    for cache in [cache, open()] {
      #expect(cache.answer(for: key(.quote)) == nil)
      #expect(cache.stamp(of: AnswerKey(provider: "p", kind: .coinList)) == nil)
    }
  }
}

extension String {
  fileprivate func data(repeated count: Int) -> Data { Array(utf8).data(repeated: count) }
}

extension [UInt8] {
  fileprivate func data(repeated count: Int) -> Data { Data((0..<count).flatMap { _ in self }) }
}
