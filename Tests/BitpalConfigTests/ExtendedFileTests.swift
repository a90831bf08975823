import BitpalModel
import BitpalProviders
import Glibc
import TestSupport
import Testing

@testable import BitpalConfig

@Suite struct `Provider files that extend others` {
  private static let base = """
    kind: http
    name: Base
    category: exchange
    terms: of the base
    rate_limit: 60/1m
    currencies: [usd, eur]
    symbols: { bitcoin: BTC, ethereum: ETH }
    quotes:
      get: /t?p={SYMBOL}{CURRENCY}
      time: seconds
      fields: { price: $.last, time: $.t, volume: $.v }
    candles:
      get: /c?p={SYMBOL}
      time: seconds
      intervals: { 1d: 1 }
      each: $
      fields: { time: "$[0]", open: "$[1]", high: "$[2]", low: "$[3]", close: "$[4]" }

    """

  private static let head = "id: mine\nname: Mine\nextends: exchange\nbase_url: https://a.example\n"

  private static func workspace(_ text: String, _ files: [String: String] = [:]) throws -> Workspace {
    try Workspace(
      ["providers/base/exchange.yaml": base, "providers/mine.yaml": head + text].merging(files) { $1 })
  }

  private static func read(_ text: String, _ files: [String: String] = [:]) throws -> ProviderSpecification {
    let workspace = try workspace(text, files)
    return try withExtendedLifetime(workspace) {
      try `Finding and reading provider files`.catalog(workspace).specification(for: "mine")
    }
  }

  private static func complaint(_ text: String, _ files: [String: String] = [:]) throws -> String {
    try `Finding and reading provider files`.complaint(try workspace(text, files), "mine")
  }

  @Test func `Keys of the base hold unless the file has them, mapping by mapping`() throws {
    let mine = try Self.read(
      """
      symbols: { bitcoin: XBT, ethereum: ~, solana: SOL }
      currencies: [gbp]
      quotes: { time: ~, fields: { time: ~, price: $.close } }
      candles: ~
      """)
    #expect(mine.symbols == ["bitcoin": "XBT", "solana": "SOL"])
    #expect(mine.currencies == ["gbp"] && mine.rateLimits == [.perMinute(60)].compactMap(\.self))
    #expect(mine.facts.category == .exchange)
    let operations = try #require(mine.declared).operations
    #expect(Set(operations.keys) == [.quotes])
    guard case .each(_, let fields)? = operations[.quotes]?.rows else { throw BitpalError.usage("no fields") }
    #expect(fields.map { "\($0.name) \($0.source.text)" } == ["price $.close", "volume $.v"])
  }

  @Test func `Keys that describe one source are not inherited`() throws {
    let mine = try Self.read(
      "",
      [
        "providers/base/exchange.yaml": Self.base
          + "id: other\nwebsite: https://b.example\nattribution: B\nchecked: { on: 2026-01-01, bodies: [quotes] }\n"
          + "examples: [{ ask: quotes, coin: bitcoin, body: '{}', error: no_price }]\n"
      ])
    #expect(mine.id == "mine" && mine.name == "Mine" && mine.website == nil && mine.attribution == nil)
    #expect(
      mine.facts.category == .exchange && mine.facts.terms == nil && mine.facts.checked == nil
        && mine.declared?.examples == [])
  }

  @Test func `A base may extend another, whose keys come last`() throws {
    let mine = try Self.read(
      "timeout: 2s",
      [
        "providers/base/exchange.yaml":
          "extends: root\nkind: http\nrate_limit: 5/1m\nquotes: { fields: { volume: ~ } }\n",
        "providers/base/root.yaml": Self.base,
      ])
    #expect(mine.rateLimits == [.perMinute(5)].compactMap(\.self) && mine.timeout == .seconds(2))
    guard case .each(_, let fields)? = mine.declared?.operations[.quotes]?.rows else { throw BitpalError.usage("none") }
    #expect(fields.map(\.name) == ["price", "time"])
  }

  @Test func `A file may extend the one of the program that has its name, and settings override both`() throws {
    let workspace = try Workspace([
      "providers/kraken.yaml": "id: kraken\nname: Mine\nextends: kraken\nrate_limit: 7/1m\nexamples: []\n"
    ])
    try workspace.write(
      "config.yaml", "bitpal: 1\nproviders_dir: providers\nproviders: { kraken: { rate_limit: 3/1m, timeout: 4s } }\n")
    let settings = try workspace.load([:], SettingsOverrides(configPath: "config.yaml"))
    let kraken = try ProviderCatalog(settings: settings).specification(for: "kraken")
    #expect(kraken.name == "Mine" && kraken.baseURL == "https://api.kraken.com/0/public")
    #expect(kraken.rateLimits == [.perMinute(3)].compactMap(\.self) && kraken.timeout == .seconds(4))
  }

  @Test(arguments: [
    ExtendedBadFile(
      "a fault in the base", "",
      """
      providers/base/exchange.yaml:1:13: rate_limit must be a budget like 60/1m (60 requests a minute), not "often"
        rate_limit: often
                    ^
      """, base: "rate_limit: often\nkind: http\nquotes: { get: /a, fields: { price: $.a } }\n"),
    ExtendedBadFile(
      "a fault in what joins both", "quotes: { fields: { prise: $.b } }\n",
      """
      providers/mine.yaml:5:21: unknown key "prise" (did you mean "price"?)
        quotes: { fields: { prise: $.b } }
                            ^
      """, base: "kind: http\nquotes: { get: /a, fields: { price: $.a } }\n"),
    ExtendedBadFile(
      "a key that is missing in both", "",
      """
      providers/mine.yaml: the key "kind" is missing
      """, base: "rate_limit: 1/1m\n"),
    ExtendedBadFile(
      "null for what is not inherited", "timeout: ~\n",
      """
      providers/mine.yaml:5:10: timeout has no value
        timeout: ~
                 ^
      """, base: "kind: http\nquotes: { get: /a, fields: { price: $.a } }\n"),
    ExtendedBadFile(
      "a base that is a list", "",
      """
      providers/base/exchange.yaml:1:1: the file must hold keys and values (key: value), not a list
        - a
        ^
      """, base: "- a\n"),
    ExtendedBadFile(
      "a base that is not YAML", "",
      """
      providers/base/exchange.yaml:1:4: a value is expected here
        a: ]
           ^
      """, base: "a: ]\n"),
    ExtendedBadFile(
      "a base with a TODO", "",
      """
      providers/base/exchange.yaml:2:13: rate_limit: the file says TODO; fill it in there, see docs/providers.md
        rate_limit: TODO
                    ^
      """, base: "kind: http\nrate_limit: TODO\n"),
    ExtendedBadFile(
      "two bases in a circle", "",
      """
      providers/base/other.yaml:1:10: files cannot extend each other in a circle: \
      providers/mine.yaml extends providers/base/exchange.yaml extends providers/base/other.yaml \
      extends providers/base/exchange.yaml
        extends: exchange
                 ^
      """, base: "extends: other\n"),
    ExtendedBadFile(
      "a row that is too long", "",
      """
      providers/base/c.yaml:1:10: at most 4 files may extend each other: \
      providers/mine.yaml extends providers/base/exchange.yaml extends providers/base/b.yaml \
      extends providers/base/c.yaml extends providers/base/d.yaml
        extends: d
                 ^
      """, base: "extends: b\n"),
    ExtendedBadFile(
      "a base that is not there", "",
      """
      providers/base/exchange.yaml:1:10: cannot find "exchang" to extend (did you mean "exchange"?): \
      neither providers/base/exchang.yaml, nor a file that comes with bitpal
        extends: exchang
                 ^
      """, base: "extends: exchang\n"),
    ExtendedBadFile(
      "a path", "",
      """
      providers/base/exchange.yaml:1:10: extends must be the name of a file without .yaml, like exchange
        extends: ../mine
                 ^
      """, base: "extends: ../mine\n"),
    ExtendedBadFile(
      "several bases", "",
      """
      providers/base/exchange.yaml:1:10: extends must be the name of a file without .yaml, like exchange
        extends: [b, c]
                 ^
      """, base: "extends: [b, c]\n"),
  ])
  func `A fault is reported where it stands`(file: ExtendedBadFile) throws {
    let others = ["other": "extends: exchange", "b": "extends: c", "c": "extends: d", "d": "kind: http"]
    let files = others.reduce(into: ["providers/base/exchange.yaml": file.base]) { files, other in
      files["providers/base/\(other.key).yaml"] = other.value
    }
    #expect(try Self.complaint(file.text, files) == file.complaint)
  }

  @Test func `Two files that extend each other are a circle, and a base in settings is refused`() throws {
    let circle = "providers/mine.yaml extends providers/other.yaml extends providers/mine.yaml"
    let workspace = try Workspace([
      "providers/mine.yaml": "id: mine\nextends: other\n", "providers/other.yaml": "id: other\nextends: mine\n",
    ])
    #expect(try `Finding and reading provider files`.complaint(workspace, "mine").contains(circle))
    #expect(
      try workspace.complaint(about: "bitpal: 1\nproviders: { mine: { extends: other } }\n")
        .contains("a provider's base is named in its file only"))
  }

  @Test func `A base is not a provider`() throws {
    let workspace = try Self.workspace("")
    let catalog = try `Finding and reading provider files`.catalog(workspace)
    #expect(!catalog.ids().contains { $0.contains("exchange") || $0 == "base" })
    #expect(!catalog.list().contains { $0.id.contains("exchange") })
  }

  @Test(arguments: [
    ("category: stocks", "category must be one of exchange, aggregator, shares, funds, metals, currencies"),
    ("terms: \"a\\nb\"", "terms must be one line"), ("of: Coin Gecko", "a provider id is made of"),
    ("checked: 2026-11-26", "checked must hold keys and values"),
    ("checked: { on: 2026-11-26 }", "checked must hold on and bodies"),
    ("checked: { on: yesterday, bodies: [quotes] }", "checked.on must be a day like 2026-11-26, not \"yesterday\""),
    ("checked: { on: 2026-02-30, bodies: [quotes] }", "checked.on must be a day"),
    ("checked: { on: 2026-11-26, bodies: [quote] }", "checked.bodies must be one of quotes"),
    ("checked: { on: 2026-11-26, bodies: [] }", "checked.bodies must name the answers that were read"),
    ("checked: { on: 2026-11-26, bodies: [quotes], of: 2024 }", "checked.of must be a month like 2024-03"),
  ])
  func `A fact about the source that cannot be read is reported`(text: String, complaint: String) throws {
    #expect(try Self.complaint(text).contains(complaint))
  }

  @Test func `Facts about the source are read`() throws {
    let facts = try Self.read(
      "terms: none found\nof: coingecko\nchecked: { on: 2026-11-26, bodies: [quotes, limit], of: 2024-03 }"
    )
    .facts
    #expect(facts.terms == "none found" && facts.republished == "coingecko" && facts.category == .exchange)
    #expect(facts.checked?.day == "2026-11-26" && facts.checked?.month == "2024-03")
    #expect(facts.checked?.bodies == ["quotes", "limit"])
  }

  @Test(arguments: ["providers/base/exchange.yaml", "providers/base/new.yaml", "tape/recording.har"])
  func `Trust covers the bases and what they name`(file: String) throws {
    let workspace = try Workspace([
      "config.yaml": "bitpal: 1\nproviders_dir: providers\n",
      "providers/base/exchange.yaml": "kind: recorded\nrecording: ../../tape\n",
      "providers/mine.yaml": "id: mine\nname: Mine\nextends: exchange\nof: coingecko\n", "tape/recording.har": "{}",
    ])
    let environment = workspace.environment()
    let content = try #require(try SettingsLoader(environment: environment).content())
    #expect(content.providerFiles == ["providers/mine.yaml"])
    #expect(content.dataFiles.sorted() == ["providers/base/exchange.yaml", "tape/recording.har"])
    try workspace.trust()
    let settings = try workspace.load()
    #expect(settings.trust == .trusted)
    #expect(
      try ProviderCatalog(settings: settings).specification(for: "mine").recordingFolder == workspace.path + "/tape")
    try workspace.write(file, "kind: recorded\nrecording: ../../other\n")
    #expect(try workspace.load().trust == .untrusted(folder: workspace.path, hasChanged: true))
    guard file.contains("exchange") else { return }
    // The settings were read before the change.
    #expect(
      message { () throws(BitpalError) in try ProviderCatalog(settings: settings).specification(for: "mine") }
        == "./config.yaml has changed since it was trusted: no \(workspace.path)/\(file)")
  }

  @Test func `A program of a base is listed with each provider that starts it`() throws {
    let workspace = try Workspace([
      "config.yaml": "bitpal: 1\nproviders_dir: providers\n",
      "providers/base/sh.yaml": "kind: plugin\ncommand: [sh, own.sh]\nhosts: [a.example]\n",
      "providers/base/own.sh": "exit",
      "providers/b.yaml": "id: b\nname: B\nextends: sh\n",
      "providers/a.yaml": "id: a\nname: A\nextends: sh\nhosts: [b.example]\n",
    ])
    let content = try #require(try SettingsLoader(environment: workspace.environment()).content())
    #expect(content.programs.map(\.provider) == ["a", "b"])
    #expect(content.programs.map(\.files) == [["providers/base/own.sh"], ["providers/base/own.sh"]])
    #expect(content.sources.map(\.hosts) == [["b.example"], ["a.example"]])
    try workspace.trust()
    #expect(try workspace.load().trust == .trusted)
    try workspace.write("providers/base/own.sh", "evil")
    #expect(try workspace.load().trust.untrustedFolder == workspace.path)
  }

  @Test func `Untrusted settings use a recording through a base below their folder only`() throws {
    let workspace = try Workspace([
      "work/config.yaml": "bitpal: 1\nproviders_dir: providers\n",
      "work/providers/base/tape.yaml": "kind: recorded\nof: coingecko\nrecording: ../../tape\n",
      "work/providers/mine.yaml": "id: mine\nname: Mine\nextends: tape\n",
      "work/providers/out.yaml": "id: out\nname: Out\nextends: link\n", "work/tape/recording.har": "{}",
      "other.yaml": "kind: recorded\nof: coingecko\nrecording: tape\n",
    ])
    symlink("../../../other.yaml", workspace.path + "/work/providers/base/link.yaml")
    let catalog = ProviderCatalog(settings: try workspace.load(in: "work"))
    #expect(try catalog.specification(for: "mine").recordingFolder == workspace.path + "/work/tape")
    #expect(
      message { () throws(BitpalError) in try catalog.specification(for: "out") }.contains(
        "is not trusted: no providers/out"))
  }
}

/// A file over a base, and what is said about them.
struct ExtendedBadFile: CustomTestStringConvertible {
  let testDescription: String
  let text: String
  let complaint: String
  let base: String

  init(_ description: String, _ text: String, _ complaint: String, base: String) {
    (testDescription, self.text, self.complaint, self.base) = (description, text, complaint, base)
  }
}
