import Bitpal
import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries
import Foundation
import Testing

@testable import bitpal

@Suite struct `Other answers` {
  @Test func `A dash stands for what the source does not know of a coin`() throws {
    let detail = try CoinDetail(
      validating: Sample.coin("bitcoin", "btc", "Bitcoin", "67187.3358936566", change: "3.12502"),
      marketCap: Decimal(1_322_890_123_456), circulatingSupply: Sample.decimal("19677843.5"), maximumSupply: 21_000_000,
      rank: 1,
      changes: PeriodChanges(week: Sample.decimal("-2.99783")),
      allTimeHigh: PriceExtreme(price: 73738, date: Sample.instant))
    let view = CoinView(Sample.sourced(detail), providers: [Sample.fixture], currency: "usd")
    #expect(
      view.text(.table, style: .plain) == """
        Bitcoin (BTC)
        fixture · recorded 2025-01-15 10:30Z · simulated market

        Id                  bitcoin
        Rank                1
        Price               67,187.34 USD
        24h change          +3.13%
        7d change           -3.00%
        30d change          -
        1y change           -
        All-time high       73,738 USD (2025-01-15, -8.88% since)
        All-time low        -
        Market cap          1.32 T USD
        24h volume          -
        Circulating supply  19.7 M BTC
        Total supply        -
        Maximum supply      21 M BTC
        Updated             2025-01-15 10:30:00Z

        """)
    #expect(
      JSONValue.object(view.output.json).compact()
        == #"{"schema":"bitpal.coin/1","provider":"fixture","currency":"usd","#
        + #""id":"bitcoin","symbol":"btc","name":"Bitcoin","price":"67187.3358936566","change_24h":"3.12502","#
        + #""last_updated":"2025-01-15T10:30:00Z","fetched_at":"2025-01-15T10:30:00Z","stale":false,"stale_reason":null,"#
        + #""source":"fixture","converted":null,"place":null,"market_cap":"1322890123456","total_volume":null,"circulating_supply":"19677843.5","#
        + #""image":null,"total_supply":null,"max_supply":"21000000","rank":1,"change_7d":"-2.99783","#
        + #""change_30d":null,"change_1y":null,"ath":"73738","ath_date":"2025-01-15T10:30:00Z","#
        + #""ath_change":"-8.883701899079714665","atl":null,"atl_date":null,"atl_change":null,"volume":null,"errors":[]}"#
    )
  }

  @Test func `A fact is a sentence for people and an object for programs`() {
    let view = FactView("removed 2 answers", DoneOutput("cache clear", ["answers": 2]))
    #expect(view.text(.table, style: .plain) == "removed 2 answers\n")
    #expect(view.text(.csv, style: .plain) == "done,subject,answers\ncache clear,,2\n")
    let steering = FactView("wrote /a\u{1B}[2J\u{9B}b", DoneOutput("cache clear"))
    #expect(steering.text(.table, style: .plain) == "wrote /a\u{FFFD}[2J\u{FFFD}b\n")
    #expect(
      JSONValue.object(view.output.json).compact()
        == #"{"schema":"bitpal.done/1","done":"cache clear","subject":null,"facts":{"answers":2},"errors":[]}"#)
  }

  @Test(arguments: [
    (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (16 << 20, "16.0 MiB"),
    (3 << 30, "3.0 GiB"), ((1 << 20) - 1, "1023.9 KiB"), (Int.max, "8589934591.9 GiB"),
  ])
  func `Sizes are in the largest unit`(bytes: Int, text: String) {
    #expect(ByteText.text(bytes) == text)
  }
}

@Suite struct `Output of a search` {
  @Test func `Emoji, full-width and right-to-left names leave the columns straight`() throws {
    let items = try [
      ("frog-pond", "frog", "🐸 Frog Pond"), ("wide-coin", "ｗｉｄｅ", "Ｗｉｄｅ"), ("yuan", "元", "模拟元"),
      ("dirham", "dirs", "درهم رقمي"), ("evil", "e\u{1B}", "\u{202E}liv\u{7}e"),
    ].map { try CoinListItem(validating: $0.0, symbol: $0.1, name: $0.2) }
    let view = SearchView(
      SearchOutput(SearchAnswer(text: "x", coins: Sample.sourced(items)), currency: "usd"), providers: [Sample.fixture])
    let lines = view.table(style: .plain).split(separator: "\n").dropFirst().map(String.init)
    #expect(
      lines == [
        "ID         SYMBOL    NAME",
        "frog-pond  FROG      🐸 Frog Pond",
        "wide-coin  ＷＩＤＥ  Ｗｉｄｅ",
        "yuan       元        模拟元",
        "dirham     DIRS      درهم رقمي",
        "evil       E�        �liv�e",
      ])
  }
}
