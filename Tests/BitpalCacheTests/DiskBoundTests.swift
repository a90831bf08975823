import BitpalCache
import BitpalFiles
import BitpalModel
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Size of the cache on the disk` {
  private static let limit = 1 << 20

  private let folder: TemporaryFolder
  private let warnings = Notes<String>()
  private let now = Date(milliseconds: 1_736_937_000_123)

  init() throws {
    folder = try TemporaryFolder()
  }

  private var path: String { folder.path + "/cache.db" }

  private func open(disk: Int = Self.limit) -> PriceCache {
    let warnings = warnings
    return PriceCache(path: path, memoryLimit: 1, diskLimit: disk, isOwnPlace: true) { warnings.add($0) }
  }

  private func key(_ number: Int) -> AnswerKey {
    AnswerKey(provider: "p", kind: .line, coin: "c\(number)", currency: "usd", range: "7d")
  }

  private let listKey = AnswerKey(provider: "p", kind: .coinList)

  /// About 34 KB of payload.
  private func line(_ number: Int) -> Sourced<Answer> {
    let points = (0..<1000).map { ChartDataPoint(timestamp: now.adding(.seconds($0)), price: Decimal($0 + 12_345_678)) }
    return Sourced(
      .line(LineSeries(points: points)), about: key(number), source: "s", fetchedAt: now.adding(.seconds(number)))
  }

  private func coins(_ count: Int) throws -> [CoinListItem] {
    try (0..<count).map { try CoinListItem(validating: "some-coin-\($0)", symbol: "s\($0)", name: "Some Coin \($0)") }
  }

  /// The bytes of every file in the folder.
  private func standing() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(0) { sum, name in
      let size = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)[.size] as? UInt64
      return sum + Int(size ?? 0)
    }
  }

  @Test func `stays within the limit, log included, and what was fetched longest ago goes`() throws {
    let cache = open()
    for number in 0..<100 {
      cache.store([line(number)])
      #expect(try standing() <= Self.limit)
    }
    #expect(cache.statistics().diskBytes == (try standing()))
    let again = open()
    #expect(again.answer(for: key(0)) == nil)
    #expect(again.answer(for: key(99))?.answer == line(99))
    #expect(warnings.all.isEmpty)
  }

  @Test func `holds a coin list too, for which answers make room`() throws {
    let cache = open()
    for number in 0..<40 { cache.store([line(number)]) }
    cache.store([Sourced(.coinList(try coins(3000)), about: listKey, source: "s", fetchedAt: now)])
    #expect(open().coins(named: "some-coin-2999", provider: "p").count == 1)
    #expect(try standing() <= Self.limit)
    #expect(warnings.all.isEmpty)
  }

  @Test(arguments: [8000, 40_000])
  func `has no room for a coin list that is larger: a warning says so, and nothing is lost`(
    count: Int
  ) throws {
    let cache = open()
    for number in 0..<10 { cache.store([line(number)]) }
    cache.store([Sourced(.coinList(try coins(count)), about: listKey, source: "s", fetchedAt: now)])
    #expect(open().stamp(of: listKey) == nil)
    for number in 0..<10 { #expect(cache.answer(for: key(number)) != nil) }
    #expect(try standing() <= Self.limit)
    #expect(
      warnings.all == [
        "the cache \(path) has no room for the coin list: give it more with cache.disk, or free the disk"
      ])
  }

  @Test func `shrinks when the limit does, and the newest stay`() throws {
    let large = open(disk: 8 << 20)
    for number in 0..<100 { large.store([line(number)]) }
    let small = open()
    small.store([line(100)])
    #expect(try standing() <= Self.limit)
    #expect(small.answer(for: key(0)) == nil && small.answer(for: key(99)) != nil && small.answer(for: key(100)) != nil)
  }

  @Test func `counts a log that a process left behind when it died`() throws {
    open().store([line(0)])
    let dead = try SQLiteConnection(path: path, busyTimeout: .zero)
    try dead.execute(
      """
      PRAGMA wal_autocheckpoint = 0; CREATE TABLE rest (a);
      INSERT INTO rest VALUES (zeroblob(300000)); UPDATE rest SET a = zeroblob(300001);
      UPDATE rest SET a = zeroblob(300002); UPDATE rest SET a = zeroblob(300003); DROP TABLE rest
      """)
    #expect(try standing() > Self.limit)
    open().store([line(1)])
    #expect(try standing() <= Self.limit)
  }

  @Test func `is next to nothing once it is cleared, what was set aside included`() throws {
    let cache = open()
    for number in 0..<20 { cache.store([line(number)]) }
    try folder.write("what was damaged", to: "cache.db.set-aside")
    #expect(cache.removeAll() == 20)
    #expect(try standing() < 200_000)
    #expect(!FileManager.default.fileExists(atPath: path + ".set-aside"))
  }
}
