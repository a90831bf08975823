import FoundationEssentials
import TestSupport
import Testing

@testable import BitpalModel

@Suite struct `An answer with its provenance` {
  private static let now = Date(milliseconds: 1_736_937_000_000)
  private static let key = AnswerKey(provider: "p", kind: .quote, coin: "bitcoin", currency: "usd")

  private func answer(_ freshness: Freshness = .fresh, warnings: [AnswerWarning] = []) -> Sourced<Int> {
    Sourced(7, about: Self.key, source: "kraken", fetchedAt: Self.now, freshness: freshness, warnings: warnings)
  }

  @Test func `keeps everything but the value when that is transformed`() {
    let stale = Freshness.stale(age: .seconds(90), because: .offline)
    let text = answer(stale, warnings: [.roundedNumbers]).map { "\($0)" }
    #expect(text.value == "7" && text.source == "kraken" && text.fetchedAt == Self.now)
    #expect(text.freshness == stale && text.warnings == [.roundedNumbers] && text.about == Self.key)
    #expect(answer().adding([.roundedNumbers]).adding([.roundedNumbers]).warnings.count == 2)
    #expect(answer(stale).marked(.fresh) == answer())
  }

  @Test(
    arguments: [
      (Freshness.fresh, nil, nil), (.stale(age: .seconds(11_100), because: .offline), "stale, 3h 5m old", "offline"),
      (.stale(age: .zero, because: .sourceFailed("x")), "stale, 0s old", "source_failed"),
      (.stale(age: .milliseconds(40), because: .renewing), "stale, 40ms old", "renewing"),
      (.outdated(age: .seconds(22 * 86_400)), "outdated, 22d old", "outdated"),
    ] as [(Freshness, String?, String?)])
  func `shows its age and the reason of its mark`(freshness: Freshness, text: String?, reason: String?) throws {
    #expect(freshness.text == text)
    #expect(freshness.reason == reason)
    #expect(freshness.isStale == (text != nil))
    #expect(freshness.isServedStale == (text?.hasPrefix("stale") ?? false))
    if let reason {
      // Read by another machine, the mark has the same reason and an age of its own.
      let read = try #require(Freshness(reason: reason))
      #expect(read.reason == reason && read.age == .zero)
    }
  }

  @Test(
    arguments: [
      (-60, -120, true), (-60, -60, false), (-60, -30, false), (-60, nil, false), (nil, -60, false), (200, -60, true),
      (400, -60, false), (-86_000, -90_000, true), (-86_500, -90_000, false),
    ] as [(Int64?, Int64?, Bool)])
  func `A price is older than another one by their source's own times, if those can be`(
    known: Int64?, next: Int64?, isOlder: Bool
  ) throws {
    func quote(_ time: Int64?, at fetched: Date, source: String = "s") throws -> Sourced<Answer> {
      let time = time.map { Self.now.addingTimeInterval(Double($0)) }
      let coin = try Coin(validating: "bitcoin", symbol: "btc", name: "Bitcoin", currentPrice: 7, lastUpdated: time)
      return Sourced(.quote(coin), about: Self.key, source: source, fetchedAt: fetched)
    }
    let before = try quote(known, at: Self.now.addingTimeInterval(-60))
    #expect(try quote(next, at: Self.now).isOlder(than: before) == isOlder)
    #expect(try !quote(next, at: Self.now, source: "other").isOlder(than: before))
  }

  @Test func `A mark with an unknown reason is not read`() {
    for reason in ["", "fresh", "Offline", "stale"] { #expect(Freshness(reason: reason) == nil) }
  }

  @Test func `is converted with the older freshness and all warnings`() {
    let rate = Sourced(
      Decimal(2), about: AnswerKey(provider: "ecb", kind: .line), source: "ecb", fetchedAt: Self.now,
      freshness: .outdated(age: .seconds(60)), warnings: [.roundedNumbers])
    let conversion = Conversion(from: "usd", price: 7, rate: 2, rateSource: "ecb", rateTime: Self.now)
    let ages: [(Freshness, Freshness)] = [
      (.fresh, .outdated(age: .seconds(60))),
      (.stale(age: .seconds(10), because: .offline), .outdated(age: .seconds(60))),
      (.stale(age: .seconds(600), because: .offline), .stale(age: .seconds(600), because: .offline)),
    ]
    for (own, expected) in ages {
      let converted = answer(own).converted(
        14, to: "eur", by: rate, conversion, warnings: [.withoutRate(count: 1, source: "ecb")])
      #expect(converted.freshness == expected)
      #expect(converted.about == AnswerKey(provider: "p", kind: .quote, coin: "bitcoin", currency: "eur"))
      #expect(converted.warnings == [.roundedNumbers, .withoutRate(count: 1, source: "ecb")])
      #expect(converted.conversion == conversion && converted.source == "kraken")
    }
  }

  @Test(
    arguments: [
      (.droppedRows(count: 1, reason: "no price"), "left out 1 row of the source: no price"),
      (.droppedRows(count: 2, reason: "no price"), "left out 2 rows of the source: no price"),
      (
        .sourceClockAhead(coin: "bitcoin", by: .seconds(7200)),
        "the source's time stamp of bitcoin is 2h ahead of this machine's clock"
      ),
      (
        .differs(coin: "uni", price: 7, other: "kraken", otherPrice: 70, currency: "usd"),
        "the price of uni, 7 USD, is far from the last one of kraken, 70: it may be another coin of that name"
      ),
      (
        .provisional(coin: "bitcoin", day: Date(milliseconds: 1_736_899_200_000), source: "kraken"),
        "the close of bitcoin on 2025-01-15 is provisional and may change: kraken has no later price yet"
      ),
      (.withoutRate(count: 1, source: "ecb"), "left out 1 price of days for which ecb has no exchange rate"),
      (
        .leftOutFigure("rank", coin: "a\u{1B}b", reason: "it is below 1"),
        "left out the rank of a\u{FFFD}b: it is below 1"
      ),
    ] as [(AnswerWarning, String)])
  func `has warnings in one sentence`(warning: AnswerWarning, text: String) {
    #expect(warning.description == text)
  }

  @Test func `names its question for messages`() {
    #expect(Self.key.description == "quote bitcoin usd")
    #expect(AnswerKey(provider: "p", kind: .coinList).description == "coin list")
  }
}

@Suite struct `Warnings and queues` {
  @Test func `Only the first of many warnings is sent, and later texts are not created`() async {
    let notes = Notes<String>()
    let created = Locked(0)
    let warn = FirstWarning { notes.add($0) }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          warn(
            {
              created.withLock { $0 += 1 }
              return "warning \(number)"
            }())
        }
      }
    }
    #expect(notes.all.count == 1 && created.withLock { $0 } == 1)
  }

  @Test func `A trace without a listener does not create its events`() {
    let created = Locked(0)
    func event() -> TraceEvent {
      created.withLock { $0 += 1 }
      return .joinedFlight(key: "k")
    }
    let heard = Notes<TraceEvent>()
    Trace.silent(event())
    #expect(created.withLock { $0 } == 0 && !Trace.silent.isShown)
    Trace { heard.add($0) }(event())
    #expect(created.withLock { $0 } == 1 && heard.all == [.joinedFlight(key: "k")])
  }

  @Test func `A closed queue gives the jobs that it has, then none, and takes no more`() {
    let queue = JobQueue<Int>()
    #expect(queue.add(1) && queue.add(2))
    queue.close()
    #expect(!queue.add(3))
    #expect([queue.next(), queue.next(), queue.next(), queue.next()] == [1, 2, nil, nil])
  }
}
