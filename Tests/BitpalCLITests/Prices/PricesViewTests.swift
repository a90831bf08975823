import Bitpal
import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalQueries
import Testing

@testable import bitpal

@Suite struct `Prices` {
  private func answer(stale: Duration? = nil, secondSource: String = "fixture") throws -> QuotesAnswer {
    QuotesAnswer(
      quotes: [
        Sample.sourced(
          try Sample.coin("bitcoin", "btc", "Bitcoin", "67187.3358936566", change: "3.12502"), stale: stale),
        Sample.sourced(
          try Sample.coin("shiba-inu", "shib", "Shiba Inu", "0.0000271234567", change: "-0.004", updated: nil),
          source: secondSource),
        Sample.sourced(try Sample.coin("ada", "ada", "Über, 日本", "0.45", updated: Sample.instant)),
      ],
      failures: [
        CoinFailure(coin: "nope", error: .notFound(coin: "nope", provider: "fixture", suggestion: "neo"))
      ])
  }

  @Test func `A table says where the prices come from, then one line a coin`() throws {
    let view = PricesView(try answer(), order: nil, providers: [Sample.fixture], currency: "usd")
    #expect(
      view.text(.table, style: .plain) == """
        fixture · recorded 2025-01-15 10:30Z · simulated market

        COIN        SYMBOL    PRICE USD     24H  UPDATED
        Bitcoin     BTC       67,187.34  +3.13%  2025-01-15 10:30:00Z
        Shiba Inu   SHIB    0.000027123   0.00%  fetched 2025-01-15 10:30:00Z
        Über, 日本  ADA            0.45       -  2025-01-15 10:30:00Z

        """)
  }

  @Test func `Stale prices and other sources get columns of their own`() throws {
    let view = PricesView(
      try answer(stale: .seconds(11_100), secondSource: "coinpaprika"), order: nil, providers: [Sample.fixture],
      currency: "eur")
    #expect(
      view.text(.table, style: .plain) == """
        fixture, coinpaprika · fetched 2025-01-15 10:30:00Z · recorded 2025-01-15 10:30Z · simulated market · stale, 3h 5m old

        COIN        SYMBOL    PRICE EUR     24H  UPDATED                       SOURCE       STATE
        Bitcoin     BTC       67,187.34  +3.13%  2025-01-15 10:30:00Z          fixture      stale, 3h 5m old
        Shiba Inu   SHIB    0.000027123   0.00%  fetched 2025-01-15 10:30:00Z  coinpaprika
        Über, 日本  ADA            0.45       -  2025-01-15 10:30:00Z          fixture

        """)
  }

  @Test func `A live source is named with the time of fetching and its credit`() throws {
    let quotes = [Sample.sourced(try Sample.coin("bitcoin", "btc", "Bitcoin", "1"), source: "coingecko")]
    let line = Provenance.line(quotes.map(Provenance.init), providers: [Sample.live], style: .plain)
    #expect(line == "coingecko · fetched 2025-01-15 10:30:00Z · Data by CoinGecko")
  }

  @Test(arguments: [
    (PriceOrder.name, ["bitcoin", "shiba-inu", "id:ada"]), (.price, ["bitcoin", "id:ada", "shiba-inu"]),
    (.change, ["bitcoin", "shiba-inu", "id:ada"]),
  ])
  func `Rows can be sorted`(order: PriceOrder, ids: [String]) throws {
    let view = PricesView(try answer(), order: order, providers: [Sample.fixture], currency: "usd")
    #expect(view.output.rows.map { $0["id"] } == ids.map { .string($0) })
  }

  @Test func `JSON carries every digit and the errors`() throws {
    let view = PricesView(try answer(stale: .seconds(90)), order: nil, providers: [Sample.fixture], currency: "usd")
    #expect(
      JSONValue.object(view.output.json).compact()
        == #"{"schema":"bitpal.prices/1","provider":"fixture","currency":"usd","#
        + #""prices":[{"id":"bitcoin","symbol":"btc","name":"Bitcoin","price":"67187.3358936566","#
        + #""change_24h":"3.12502","last_updated":"2025-01-15T10:30:00Z","fetched_at":"2025-01-15T10:30:00Z","#
        + #""stale":true,"stale_reason":"source_failed","source":"fixture","converted":null,"place":null,"#
        + #""currency":"usd","market_cap":null,"total_volume":null,"rank":null,"volume":null},"#
        + #"{"id":"shiba-inu","symbol":"shib","name":"Shiba Inu","price":"0.0000271234567","change_24h":"-0.004","#
        + #""last_updated":null,"fetched_at":"2025-01-15T10:30:00Z","stale":false,"stale_reason":null,"source":"fixture","converted":null,"place":null,"#
        + #""currency":"usd","market_cap":null,"total_volume":null,"rank":null,"volume":null},"#
        + #"{"id":"id:ada","symbol":"ada","name":"Über, 日本","price":"0.45","change_24h":null,"#
        + #""last_updated":"2025-01-15T10:30:00Z","fetched_at":"2025-01-15T10:30:00Z","stale":false,"stale_reason":null,"#
        + #""source":"fixture","converted":null,"place":null,"#
        + #""currency":"usd","market_cap":null,"total_volume":null,"rank":null,"volume":null}],"#
        + #""errors":[{"coin":"nope","code":"not_found","#
        + #""message":"no coin \"nope\" at fixture; did you mean \"neo\"?"}]}"#)
  }

  @Test func `CSV has the keys of a row as its header`() throws {
    let view = PricesView(try answer(), order: nil, providers: [Sample.fixture], currency: "usd")
    #expect(
      view.text(.csv, style: .plain) == """
        id,symbol,name,price,change_24h,last_updated,fetched_at,stale,source,stale_reason,converted,place,currency,market_cap,total_volume,rank,volume,agreement
        bitcoin,btc,Bitcoin,67187.3358936566,3.12502,2025-01-15T10:30:00Z,2025-01-15T10:30:00Z,false,fixture,,,,usd,,,,,
        shiba-inu,shib,Shiba Inu,0.0000271234567,-0.004,,2025-01-15T10:30:00Z,false,fixture,,,,usd,,,,,
        id:ada,ada,"Über, 日本",0.45,,2025-01-15T10:30:00Z,2025-01-15T10:30:00Z,false,fixture,,,,usd,,,,,

        """)
  }

  @Test func `Without prices the table is left out, and JSON is complete`() {
    let failure = CoinFailure(coin: "x", error: .noPrice(coin: "x", provider: "fixture"))
    let view = PricesView(
      QuotesAnswer(quotes: [], failures: [failure]), order: nil, providers: [Sample.fixture], currency: "usd")
    #expect(view.text(.table, style: .plain) == "")
    #expect(view.text(.jsonl, style: .plain) == "")
    #expect(view.output.json["prices"] == [])
  }
}
