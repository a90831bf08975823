import BitpalConfig
import BitpalModel
import ProviderFiles
import Testing

@testable import BitpalProviders

/// A hostile file of the same id and URL once filled the cache with its own prices, for good where they were closes.
@Suite struct `Identity of a source in the cache` {
  private static let text = """
    symbols: { bitcoin: XBT }
    ids: { bitcoin: btc-bitcoin }
    currencies: { usd: USDT }
    headers: { X-Plan: free }
    error: $.error
    currency: $.currency
    only: symbols
    errors: { not_found: [unknown] }
    quotes:
      get: /p?c={ids}&in={currency}
      time: seconds
      batch: 5
      each: $.rows
      fields: { id: $.id, price: $.p, time: $.t }
    line:
      get: /l?c={id}
      select: SELECT value->>'$[0]' AS time, value->'$[1]' AS price FROM json_each(:body)
      time: seconds
      intervals: { 1h: 60 }
      limit: 100
    coin_list:
      post: /all
      send: { page: "{cursor}" }
      next: $.next
      columns: { id: $.ids, symbol: $.symbols, name: $.names }
    candles:
      get: { 90d: "/short/{id}", max: "/long/{id}" }
      intervals: { 1d: 1d }
      time: seconds
      columns: { time: $.t, open: $.o, high: $.h, low: $.l, close: $.c }
    """

  private static func identity(_ text: String = text, id: String = "mine", folder: String? = nil) throws -> String {
    var specification = try Declared(text, id: id).specification
    specification.untrustedSettings = folder.map { .init(folder: $0, file: "config.yaml", hasChanged: false) }
    return try DeclarativeDialect(specification).descriptor.cacheIdentity
  }

  @Test func `The same file is always the same source`() throws {
    #expect(try Self.identity() == Self.identity())
    #expect(try Self.identity().hasPrefix("mine@"))
  }

  @Test(arguments: [
    ("XBT", "BTC"), ("btc-bitcoin", "eth-ethereum"), ("USDT", "USD"), ("X-Plan", "X-Plane"), ("free", "paid"),
    ("time: seconds\n  batch", "time: seconds\n  encoding: latin1\n  batch"),
    ("$.error", "$.message"), ("[unknown]", "[nothing]"), ("not_found", "no_data"),
    ("/p?c={ids}", "/p?c={ids},ethereum"), ("$.rows", "$.others"),
    ("get: /l", "get: /m"), ("time: seconds\n  batch", "time: milliseconds\n  batch"), ("batch: 5", "batch: 6"),
    ("price: $.p", "price: \"'31337'\""), ("value->'$[1]' AS price", "'31337' AS price"), ("1h: 60", "1h: 61"),
    ("1h: 60", "2h: 60"), ("limit: 100", "limit: 10"), ("currency: $.currency", "currency: $.in"),
    ("only: symbols", "only: ids"), ("{ page: ", "{ pages: "), ("$.next", "$.more"),
    ("post: /all\n  send: { page: \"{cursor}\" }", "get: /all?page={cursor}"),
    ("$.ids", "$.idents"), ("90d: ", "80d: "), ("/short", "/brief"), ("/long", "/whole"),
  ])
  func `Whatever changes a question or its answer makes another source`(part: String, other: String) throws {
    let text = Self.text.replacing(part, with: other)
    #expect(text != Self.text)
    #expect(try Self.identity(text) != Self.identity())
  }

  @Test func `The form of a body makes another source`() throws {
    let forms = [
      "", "body: xml", "body: csv", "body: csv\n  delimiter: \";\"", "body: csv\n  header: false",
      "body: csv\n  header: [t, p]", "body: csv\n  header: [p, t]",
    ]
    let identities = try forms.map { form in
      try Self.identity(Self.text.replacing("get: /l?c={id}", with: "get: /l?c={id}\n  \(form)"))
    }
    #expect(Set(identities).count == forms.count)
    #expect(try identities[0] == Self.identity())
  }

  @Test func `A setting without an effect on answers keeps the identity`() throws {
    let more = "website: https://mine.example\nattribution: Mine\nrate_limit: 9/1m\ntimeout: 3s\nkey_env: MINE_KEY\n"
    #expect(try Self.identity(more + Self.text) == Self.identity())
  }

  @Test func `A field that is new has to be thought of here`() throws {
    func fields(_ value: Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }
    let specification = try Declared(Self.text).specification
    let api = try #require(specification.declared)
    let noPart: Set = [
      "name", "website", "attribution", "rateLimits", "timeout", "maxAge", "alwaysOpen", "currencies", "keyEnvironment",
      "keyHosts",
      "file", "trustedFiles", "facts",
    ]
    #expect(
      fields(specification).subtracting(noPart) == ["id", "kind", "baseURL", "symbols", "untrustedSettings"])
    #expect(
      fields(api).subtracting(["examples"])
        == ["operations", "headers", "error", "answeredCurrency", "errors", "ids", "only", "without", "currencyCodes"])
    let operation = try #require(api.operations[.line])
    #expect(
      fields(operation).subtracting(["weight"]) == [
        "get", "reaches", "send", "next", "rows", "body", "encoding", "numbers", "time", "days", "batch", "intervals",
        "limit", "baseURL", "isCounted",
      ])
  }

  @Test func `A host, a kind, an id and an untrusted folder make others`() throws {
    var gecko = ProviderSpecification.builtInCoinGecko
    let identities = try [
      CacheIdentity.of(gecko), CoinGeckoDialect(tier: .pro).descriptor.cacheIdentity,
      CoinGeckoDialect(baseURL: "https://other.example").descriptor.cacheIdentity,
      CoinGeckoDialect(baseURL: "https://api.example.com/v1").descriptor.cacheIdentity,
      Self.identity("quotes: { get: /p, fields: { price: $.p } }", id: "coingecko"),
      Self.identity(), Self.identity(id: "other"), Self.identity(folder: "/a"), Self.identity(folder: "/b"),
    ]
    #expect(Set(identities).count == identities.count)
    gecko.baseURL = "https://api.coingecko.com/api/v3"
    gecko.kind = CoinGeckoKind(.demo)
    #expect(CacheIdentity.of(gecko) == CoinGeckoDialect().descriptor.cacheIdentity)
  }

  @Test func `A recording is named by its file, its state and who reads it`() {
    func identity(_ file: String, _ state: String, _ reader: String) -> String {
      CacheIdentity.of(recording: "r", file: file, fingerprint: state, reader: reader)
    }
    let identities = [
      identity("/a", "1", "x"), identity("/b", "1", "x"), identity("/a", "2", "x"), identity("/a", "1", "y"),
    ]
    #expect(Set(identities).count == 4)
  }
}
