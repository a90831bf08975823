import Bitpal
import BitpalCache
import BitpalConfig
import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalServe
import Foundation
import TestSupport
import Testing

@Suite struct `Ranges of the provider files we ship` {
  static let now = Date(milliseconds: 1_795_430_400_000)  // 2026-11-23T12:00:00Z, a Monday

  /// Each source with a coin that it has, and the first day of its trade.
  static let sources: [(id: String, coin: String)] = [
    ("alphavantage", "IBM"), ("binance", "bitcoin"), ("bitstamp", "bitcoin"), ("coinbase", "bitcoin"),
    ("coingecko", "bitcoin"), ("coinpaprika", "bitcoin"), ("ecb", "fx:eur"), ("frankfurter", "fx:eur"),
    ("gemini", "bitcoin"), ("kraken", "bitcoin"), ("kucoin", "bitcoin"), ("stooq", "aapl.us"), ("yahoo", "AAPL"),
  ]

  /// What is asked: the ranges by name, and long and short stretches that may be over.
  static let spans =
    ChartTimeRange.standard.map { "range=\($0.name)" } + [
      "from=2010-01-01", "from=2016-01-01", "from=2018-01-01&to=2020-12-31", "from=2026-10-01&to=2026-10-31",
      "from=2024-03-01&to=2024-03-31", "from=2026-01-01",
    ]

  /// A door over one shipped file.
  private static func exchange(_ id: String, listed: Date) throws -> (Exchange, CappedSource) {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    let source = CappedSource(now: now, listed: listed)
    let specification = try ProviderCatalog(settings: Settings(providersDirs: [root + "/providers"])).specification(
      for: id)
    let dialect: any Dialect =
      id == "coingecko" ? CoinGeckoDialect() : try DeclarativeDialect(specification, key: Secret("key"))
    let time = FrozenTime(at: now)
    let service = PriceService(
      providers: [DialectProvider(dialect: dialect, transport: source, time: time)],
      cache: PriceCache(path: nil, memoryLimit: 1 << 26, diskLimit: 1) { _ in }, time: time)
    return (Exchange(router: Router(Market(service))), source)
  }

  private struct Failure: Error, CustomStringConvertible { let description: String }

  @Test(arguments: sources.map(\.id))
  func `An answer covers its range from the first day to its end, or says truly why it does not`(id: String)
    async throws
  {
    let coin = try #require(Self.sources.first { $0.id == id }).coin
    for listed in ["2012-03-01", "2026-09-14"] {
      let (exchange, source) = try Self.exchange(id, listed: try #require(Date(utcText: listed)))
      for span in Self.spans {
        for type in ["line", "candle"] {
          let target = "/v1/chart/\(coin)?\(span)&type=\(type)"
          let response = await exchange.get(target)
          let problem = try Self.problem(response, span, type, listed: listed, id: id)
          #expect(problem == nil, "\(id) listed \(listed) \(span) \(type)")
        }
      }
      #expect(source.refused.all == [], "\(id) was asked beyond its caps")
    }
  }

  /// What is wrong with an answer; nil when nothing is.
  private static func problem(
    _ response: WebResponse, _ span: String, _ type: String, listed: String, id: String
  ) throws -> String? {
    let object = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any] ?? [:]
    let window = try window(span)
    guard response.status == 200 else {
      let message = (object["errors"] as? [[String: Any]])?.first?["message"] as? String ?? ""
      let isTrue =
        [
          "gives only its latest", "goes back", "has no candles of a time that ended", "cannot do candles",
          "no candles",
        ]
        .contains { message.contains($0) }
      let isDaily =
        ["alphavantage", "ecb", "frankfurter", "stooq"].contains(id) && window.length < .seconds(4 * 86_400)
      let isBefore = (isDaily || window.end < (Date(utcText: listed) ?? now)) && message.contains("no data")
      return isTrue || isBefore ? nil : "\(response.status) \(message)"
    }
    let points = (object["points"] as? [[String: Any]] ?? []).compactMap { point in
      (point["time"] as? String).flatMap { Date(utcText: $0) }
    }
    guard let first = points.first, let last = points.last else { return "no points" }
    let steps = zip(points, points.dropFirst()).map { $1.since($0) }.sorted()
    let step = steps.isEmpty ? Duration.seconds(86_400) : steps[steps.count / 2]
    if let widest = steps.last, widest > max(step * 2, .seconds(4 * 86_400)) { return "a gap of \(widest)" }
    if window.end.since(last) > max(step * 2, .seconds(4 * 86_400)) { return "ends on \(last.iso8601)" }
    let incomplete = object["incomplete"] as? String
    let isLate = first.since(window.start) > max(step * 2, .seconds(5 * 86_400))
    guard isLate else { return nil }
    let begins = Date(utcText: listed) ?? now
    if first.since(begins) <= max(step * 2, .seconds(5 * 86_400)) {
      // All there is has come.
      if span == "range=MAX", incomplete == nil { return nil }
      guard let incomplete else { return "begins on \(first.iso8601) without a word" }
      let isTrue = incomplete.hasSuffix("begin on \(first.dayText)")
      return isTrue ? nil : "its beginning of trading is told as: \(incomplete)"
    }
    guard let incomplete else { return "begins on \(first.iso8601) without a word" }
    return incomplete.contains(": it") || incomplete.contains("its plan") ? nil : "untrue: \(incomplete)"
  }

  private static func window(_ span: String) throws -> TimeWindow {
    if let range = ChartTimeRange.standard.first(where: { "range=\($0.name)" == span }) {
      return range.timeWindow(at: now)
    }
    let parts = span.split(separator: "&").compactMap { $0.split(separator: "=").last }
    let start = try #require(parts.first.flatMap { Date(utcText: String($0)) })
    let end = parts.count > 1 ? try #require(Date(utcText: String(parts[1]))).adding(.seconds(86_400)) : now
    return TimeWindow(start: start, end: min(end, now), isPast: end < now)
  }
}

@Suite struct `Lines of some days at CoinGecko's door` {
  @Test func `Thirty days that are cached answer for fourteen and for seven`() async throws {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    let time = FrozenTime(at: `Ranges of the provider files we ship`.now)
    let source = CappedSource(now: time.now, listed: Date(milliseconds: 1_600_000_000_000))
    let specification = try ProviderCatalog(settings: Settings(providersDirs: [root + "/providers"])).specification(
      for: "binance")
    let service = PriceService(
      providers: [
        DialectProvider(dialect: try DeclarativeDialect(specification), transport: source, time: time)
      ], cache: PriceCache(path: nil, memoryLimit: 1 << 26, diskLimit: 1) { _ in }, time: time)
    let exchange = Exchange(router: Router(Market(service)))
    for days in [30, 14, 7, 30] {
      let chart = try await exchange.object("/api/v3/coins/bitcoin/market_chart?vs_currency=usd&days=\(days)")
      let first = try #require((chart["prices"] as? [[Double]])?.first?.first)
      #expect(Int64(first) - (time.now.milliseconds - Int64(days) * 86_400_000) <= 3_600_000)
    }
    #expect(source.asked.all.count == 1)
  }
}
