import BitpalModel
import Testing

@testable import BitpalConfig

@Suite struct `Precedence of settings` {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    var file = "bitpal: 1\n"
    var variables: [String: String] = [:]
    var overrides = SettingsOverrides()
    let entries: [String]
  }

  static let file = "bitpal: 1\nprovider: [kraken, coingecko]\ncurrency: eur\ncache: { path: f.db }\nrefresh: 1m\n"
  static let variables = ["BITPAL_PROVIDER": "binance, coinbase", "BITPAL_CURRENCY": "GBP", "BITPAL_CACHE": "v.db"]

  @Test(arguments: [
    Case(
      testDescription: "nobody",
      entries: [
        "provider: coingecko (default)", "currency: usd (default)", "refresh: 30s (default)",
        "cache.path: ~/.cache/bitpal/cache.db (default)",
      ]),
    Case(
      testDescription: "the file", file: file,
      entries: [
        "provider: [kraken, coingecko] (config.yaml:2)", "currency: eur (config.yaml:3)",
        "refresh: 1m (config.yaml:5)", "cache.path: ./f.db (config.yaml:4)",
      ]),
    Case(
      testDescription: "variables over the file", file: file, variables: variables,
      entries: [
        "provider: [binance, coinbase] (BITPAL_PROVIDER)", "currency: gbp (BITPAL_CURRENCY)",
        "refresh: 1m (config.yaml:5)", "cache.path: ./v.db (BITPAL_CACHE)",
      ]),
    Case(
      testDescription: "flags over variables", file: file, variables: variables,
      overrides: SettingsOverrides(provider: "fixture", currency: "Jpy", refresh: "10s"),
      entries: [
        "provider: fixture (--provider)", "currency: jpy (--currency)", "refresh: 10s (--every)",
        "cache.path: ./v.db (BITPAL_CACHE)",
      ]),
    Case(
      testDescription: "empty variables decide nothing", file: file,
      variables: ["BITPAL_PROVIDER": "", "BITPAL_CURRENCY": "", "BITPAL_CACHE": "", "BITPAL_CONFIG": ""],
      entries: [
        "provider: [kraken, coingecko] (config.yaml:2)", "currency: eur (config.yaml:3)",
        "refresh: 1m (config.yaml:5)", "cache.path: ./f.db (config.yaml:4)",
      ]),
  ])
  func `Flags win over variables, variables over the file, the file over the defaults`(given: Case) throws {
    let workspace = try Workspace(["config.yaml": given.file])
    try workspace.trust()
    let settings = try workspace.load(given.variables, given.overrides)
    let entries = settings.entries.filter { ["provider", "currency", "refresh", "cache.path"].contains($0.key) }
    #expect(
      entries.map(\.description).map {
        $0.replacing(workspace.path + "/home", with: "~").replacing(workspace.path, with: ".")
      } == given.entries)
  }

  @Test(arguments: [
    (SettingsOverrides(provider: "a,,b"), "--provider: \(id) \"\""),
    (SettingsOverrides(provider: "a,b,a"), "--provider: a is listed twice"),
    (SettingsOverrides(currency: "US$"), "--currency: \(currency) \"US$\""),
    (
      SettingsOverrides(refresh: "5s"),
      "--every: the time must be at least 10s, like 30s or 5m, not \"5s\""
    ),
  ])
  func `A bad flag is a usage error`(overrides: SettingsOverrides, complaint: String) throws {
    let workspace = try Workspace()
    let error = #expect(throws: BitpalError.self) { try workspace.load([:], overrides) }
    #expect(error == .usage(complaint))
  }

  @Test func `Bad variables are reported together with the file's faults`() throws {
    let workspace = try Workspace(["config.yaml": "bitpal: 1\nrefresh: soon\n"])
    let complaint = message { () throws(BitpalError) in
      try workspace.load(["BITPAL_PROVIDER": "../etc", "BITPAL_CURRENCY": "€"])
    }
    #expect(
      complaint == """
        config.yaml:2:10: refresh must be a duration like 30s or 5m (units: ms s m h d w), not "soon"
          refresh: soon
                   ^
        BITPAL_PROVIDER: \(Self.id) "../etc"
        BITPAL_CURRENCY: \(Self.currency) "€"
        """)
  }

  @Test func `Every value in force is listed with its origin, in the order of the sample file`() throws {
    let workspace = try Workspace([
      "config.yaml": """
      bitpal: 1
      provider: fixture
      providers_dir: providers
      aliases: { ETH: ethereum, btc: bitcoin }
      cache:
        ttl:
          detail: 90s
      chart:
        ranges:
          3M: { window: 90d, points: 90, candle: 1d, ttl: 1h, types: [line] }
          1d: { ttl: 9m }
      providers:
        coingecko: { tier: demo, symbols: { bitcoin: XBT }, currencies: [usd, eur] }
      """
    ])
    try workspace.trust()
    let lines = try workspace.load().entries.map { $0.description.replacing(workspace.path, with: "/w") }
    #expect(
      lines == [
        "provider: fixture (config.yaml:2)",
        "currency: usd (default)",
        "convert: ecb (default)",
        "timezone: UTC (default)",
        "providers_dir: /w/providers:/w/home/.local/share/bitpal/providers:/w/none/bitpal/providers (config.yaml:3)",
        "refresh: 30s (default)",
        "aliases.ETH: ethereum (config.yaml:4)",
        "aliases.btc: bitcoin (config.yaml:4)",
        "tickers: 198 built in (sol: solana, usdt: tether, bnb: binancecoin, …) (default)",
        "cache.path: /w/home/.cache/bitpal/cache.db (default)",
        "cache.memory: 16MiB (default)",
        "cache.disk: 64MiB (default)",
        "cache.max_stale: 7d (default)",
        "cache.while_renewing: 0s, 10s in serve (default)",
        "cache.ttl.quotes: 1m (default)",
        "cache.ttl.detail: 90s (config.yaml:7)",
        "cache.ttl.coin_list: 7d (default)", "fleet.redis: none (default)",
        "chart.default_type: line (default)",
        "chart.default_range: 1D (default)",
        "chart.ranges.15M: { window: 15m, points: 15, candle: 1m, ttl: 1m, types: [candle] } (default)",
        "chart.ranges.1H: { window: 1h, points: 60, candle: 1m, ttl: 1m, types: [line, candle] } (default)",
        "chart.ranges.4H: { window: 4h, points: 48, candle: 5m, ttl: 1m, types: [candle] } (default)",
        "chart.ranges.1D: { window: 1d, points: 96, candle: 15m, ttl: 9m, types: [line, candle] } (config.yaml:11)",
        "chart.ranges.1W: { window: 7d, points: 42, candle: 4h, ttl: 15m, types: [line, candle] } (default)",
        "chart.ranges.1M: { window: 30d, points: 30, candle: 1d, ttl: 30m, types: [line, candle] } (default)",
        "chart.ranges.3M: { window: 90d, points: 90, candle: 1d, ttl: 1h, types: [line] } (config.yaml:10)",
        "chart.ranges.6M: { window: 180d, points: 90, candle: 1d, ttl: 1h, types: [line, candle] } (default)",
        "chart.ranges.YTD: { window: year, points: 90, candle: 1d, ttl: 1h, types: [line, candle] } (default)",
        "chart.ranges.1Y: { window: 365d, points: 52, candle: 7d, ttl: 1h, types: [line, candle] } (default)",
        "chart.ranges.5Y: { window: 1826d, points: 130, candle: 7d, ttl: 6h, types: [line, candle] } (default)",
        "chart.ranges.MAX: { window: max, points: 130, candle: 7d, ttl: 6h, types: [line, candle] } (default)",
        "providers.coingecko.tier: demo (config.yaml:13)",
        "providers.coingecko.symbols: { bitcoin: XBT } (config.yaml:13)",
        "providers.coingecko.currencies: [usd, eur] (config.yaml:13)",
      ])
  }

  static let id = "a provider id is made of lower-case letters, digits, - and _, like coingecko, not"
  static let currency = "a currency is 2 to 12 letters or digits, like usd, not"
}
