import BitpalFiles
import BitpalModel
import BitpalProviders
import TestSupport
import Testing

@testable import BitpalConfig

@Suite struct `Finding and reading provider files` {
  static let good = "id: mine\nname: Mine\nkind: coingecko\n"

  static func catalog(_ workspace: Workspace, _ settings: String = "") throws -> ProviderCatalog {
    try workspace.write("config.yaml", "bitpal: 1\nproviders_dir: providers\n" + settings)
    return ProviderCatalog(settings: try workspace.load([:], SettingsOverrides(configPath: "config.yaml")))
  }

  static func complaint(_ workspace: Workspace, _ id: String, _ settings: String = "") throws -> String {
    let catalog = try catalog(workspace, settings)
    return message { () throws(BitpalError) in try catalog.specification(for: id) }
  }

  @Test func `Everything in a file is taken over`() throws {
    let workspace = try Workspace([
      "providers/mine.yaml": """
      id: mine
      name: My source
      website: https://example.com
      attribution: Prices by example
      kind: coingecko
      base_url: HTTPS://API.example.com:8443/v1//
      rate_limit: { limit: 60/1m, burst: 5 }
      timeout: 10s
      currencies: [USD, eur]
      symbols: { bitcoin: XBT, no: 1e3 }
      tier: pro
      key_env: MY_KEY
      key_hosts: [API.example.com]
      """
    ])
    var expected = ProviderSpecification(id: "mine", name: "My source", kind: CoinGeckoKind(.pro))
    expected.website = "https://example.com"
    expected.attribution = "Prices by example"
    expected.baseURL = "https://api.example.com:8443/v1"
    expected.rateLimits = [.perMinute(60), RateLimit(limit: 5, window: .seconds(5))].compactMap { $0 }
    expected.timeout = .seconds(10)
    expected.currencies = ["usd", "eur"]
    expected.symbols = ["bitcoin": "XBT", "no": "1e3"]
    expected.keyEnvironment = "MY_KEY"
    expected.keyHosts = ["api.example.com"]
    expected.file = workspace.path + "/providers/mine.yaml"
    #expect(try Self.catalog(workspace).specification(for: "mine") == expected)
  }

  @Test func `A recording is relative to the file that names it`() throws {
    let workspace = try Workspace([
      "providers/fixture.yaml": "id: fixture\nname: F\nkind: recorded\nof: coingecko\nrecording: ../Fixtures/market\n"
    ])
    let plain = try Self.catalog(workspace).specification(for: "fixture")
    #expect(plain.kind as? RecordedKind == RecordedKind(folder: workspace.path + "/Fixtures/market", of: "coingecko"))
    let overridden = try Self.catalog(workspace, "providers: { fixture: { recording: mine } }")
    #expect(try overridden.specification(for: "fixture").recordingFolder == workspace.path + "/mine")
  }

  @Test(arguments: [
    BadFile(
      "all at once",
      """
      id: other
      kind: coingecko
      website: example.com
      base_url: http://example.com
      rate_limit: fast
      timeout: -1s
      currencies: [usd, "€"]
      tier: gold
      key_env: CG-secret
      key_hosts: [https://x]
      recording: x
      quotes: {}
      tire: 1
      """,
      """
      providers/mine.yaml: the key "name" is missing
      providers/mine.yaml:1:5: the id must be the file's name without .yaml, which is "mine"
        id: other
            ^
      providers/mine.yaml:3:10: website must begin with https:// or http://
        website: example.com
                 ^
      providers/mine.yaml:4:11: base_url must begin with https:// (http:// is only for localhost, 127.0.0.1 and [::1])
        base_url: http://example.com
                  ^
      providers/mine.yaml:5:13: rate_limit must be a budget like 60/1m (60 requests a minute), not "fast"
        rate_limit: fast
                    ^
      providers/mine.yaml:6:10: timeout cannot be negative, but is -1s
        timeout: -1s
                 ^
      providers/mine.yaml:7:19: a currency is 2 to 12 letters or digits, like usd, not "€"
        currencies: [usd, "€"]
                          ^
      providers/mine.yaml:8:7: tier must be one of public, demo, pro, not "gold"
        tier: gold
              ^
      providers/mine.yaml:9:10: key_env must be the name of an environment variable, like COINGECKO_API_KEY, \
      not the key itself
        key_env: CG-secret
                 ^
      providers/mine.yaml:10:13: key_hosts must hold hosts like api.example.com, without https:// or a path
        key_hosts: [https://x]
                    ^
      providers/mine.yaml:11:1: recording is only for kind: recorded
        recording: x
        ^
      providers/mine.yaml:12:1: quotes is only for kind: http
        quotes: {}
        ^
      providers/mine.yaml:13:1: unknown key "tire" (did you mean "tier"?)
        tire: 1
        ^
      """),
    BadFile(
      "a kind that is none", "id: mine\nname: Mine\nkind: magic\n",
      """
      providers/mine.yaml:3:7: kind must be one of http, coingecko, recorded, file, plugin, bitpal, not "magic"
        kind: magic
              ^
      """),
    BadFile(
      "prices of one's own that would be asked of a host",
      "id: mine\nname: Mine\nkind: file\nfile: prices.db\nbase_url: https://mine.example\nrate_limit: 5/1m\nrecording: x\n",
      """
      providers/mine.yaml:5:1: base_url has no meaning for kind: file, which sends no requests
        base_url: https://mine.example
        ^
      providers/mine.yaml:6:1: rate_limit has no meaning for kind: file, which sends no requests
        rate_limit: 5/1m
        ^
      providers/mine.yaml:7:1: recording is only for kind: recorded
        recording: x
        ^
      """),
    BadFile(
      "a recorded one without a recording", "id: mine\nname: Mine\nkind: recorded\ntier: pro\n",
      """
      providers/mine.yaml: the key "of" is missing
      providers/mine.yaml: the key "recording" is missing
      providers/mine.yaml:4:1: tier is only for kind: coingecko
        tier: pro
        ^
      """),
    BadFile(
      "an HTTP one", "id: mine\nname: Mine\nkind: http\nquotes: { get: /x }\n",
      """
      providers/mine.yaml: the key "base_url" is missing
      providers/mine.yaml:4:1: quotes lacks fields (or select), which say where the columns are
        quotes: { get: /x }
        ^
      """),
    BadFile(
      "another server without its address", "id: mine\nname: Mine\nkind: bitpal\nquotes: { get: /x }\n",
      """
      providers/mine.yaml: the key "base_url" is missing
      providers/mine.yaml:4:1: quotes is only for kind: http
        quotes: { get: /x }
        ^
      """),
    BadFile(
      "a list", "- a\n",
      """
      providers/mine.yaml:1:1: the file must hold keys and values (key: value), not a list
        - a
        ^
      """),
    BadFile(
      "budgets", "id: mine\nname: Mine\nkind: coingecko\nrate_limit: { limit: 5/1m, burst: 6 }\n",
      """
      providers/mine.yaml:4:35: rate_limit.burst must be between 1 and 5, not 6
        rate_limit: { limit: 5/1m, burst: 6 }
                                          ^
      """),
    BadFile(
      "a budget that no source has", "id: mine\nname: Mine\nkind: coingecko\nrate_limit: 9223372036854775807/1ms\n",
      """
      providers/mine.yaml:4:13: rate_limit can allow at most 1000000 requests, not 9223372036854775807
        rate_limit: 9223372036854775807/1ms
                    ^
      """),
  ])
  func `Every mistake in a file is reported with its place`(file: BadFile) throws {
    #expect(try Self.complaint(Workspace(["providers/mine.yaml": file.text]), "mine") == file.complaint)
  }

  @Test(
    arguments: [
      ("https://api.example.com", "https://api.example.com"), ("https://a.b/c/", "https://a.b/c"),
      ("http://localhost:8080/x", "http://localhost:8080/x"), ("http://127.0.0.1", "http://127.0.0.1"),
      ("http://[::1]:9/", "http://[::1]:9"), ("http://localhost.example.com", nil),
      ("http://127.0.0.1.example.com", nil),
      ("http://127.0.0.1@example.com", nil), ("https://user:secret@example.com", nil), ("https://example.com?x=1", nil),
      ("https://example.com/#x", nil), ("https://", nil), ("https://a b", nil), ("https://a\\@b", nil),
      ("https://example.com:99999", nil), ("ftp://example.com", nil), ("example.com", nil), ("https://[::2]", nil),
      ("https://a..b", nil), ("https://exämple.com", nil), ("http://[::1].example.com", nil),
    ] as [(String, String?)])
  func `A base URL is https, or http on this machine`(text: String, url: String?) throws {
    let workspace = try Workspace(["providers/mine.yaml": Self.good + "base_url: '\(text)'\n"])
    #expect((try? Self.catalog(workspace).specification(for: "mine"))?.baseURL == url)
  }

  @Test func `Another server of bitpal may be asked without TLS`() throws {
    let text = "id: mine\nname: Mine\nkind: bitpal\nbase_url: http://relay.example:8642/\nkey_env: RELAY_TOKEN\n"
    let workspace = try Workspace(["providers/mine.yaml": text])
    let specification = try Self.catalog(workspace).specification(for: "mine")
    #expect(specification.kind is RelayKind && specification.baseURL == "http://relay.example:8642")
    #expect(specification.needsNetwork && !specification.kind.needsKey)
  }

  @Test(
    arguments: [
      ("60/1m", "60/1m"), ("{ limit: 30/1m }", "30/1m"), ("{ limit: 1/2s, burst: 1 }", "1/2s"),
      ("{ limit: 10/1s, burst: 5 }", "10/1s 5/500ms"), ("[100/1m, 10000/30d]", "100/1m 10000/30d"),
      ("[5/1m, x]", nil), ("[1/1s, 2/1m, 3/1h, 4/1d, 5/30d]", nil), ("0/1m", nil), ("5/0s", nil), ("5", nil),
      ("5/", nil), ("/1m", nil), ("5/1m/2", nil), ("{ burst: 5 }", nil),
      ("{ limit: 5/1m, burst: 0 }", nil), ("[5]", nil), ("1000001/1m", nil),
      ("1000000/1ms", "1000000/1ms"),
      ("{ limit: 9223372036854775807/1ms, burst: 9223372036854775807 }", nil),
    ] as [(String, String?)])
  func `A rate limit is requests per window, or several`(text: String, limits: String?) throws {
    let workspace = try Workspace(["providers/mine.yaml": Self.good + "rate_limit: \(text)\n"])
    let specification = try? Self.catalog(workspace).specification(for: "mine")
    #expect(specification?.rateLimits.map(\.description).joined(separator: " ") == limits)
  }

  @Test func `Overrides of the settings are laid over the file, value by value`() throws {
    let workspace = try Workspace([
      "providers/mine.yaml": Self.good + "timeout: 10s\nsymbols: { bitcoin: XBT, dogecoin: XDG }\ncurrencies: [usd]\n"
    ])
    let catalog = try Self.catalog(
      workspace, "providers:\n  mine: { timeout: 3s, symbols: { dogecoin: DOGE, x: Y }, currencies: [eur] }\n")
    let specification = try catalog.specification(for: "mine")
    #expect(specification.timeout == .seconds(3))
    #expect(specification.symbols == ["bitcoin": "XBT", "dogecoin": "DOGE", "x": "Y"])
    #expect(specification.currencies == ["eur"])
    #expect(specification.name == "Mine")
  }

  @Test func `An error that only an override makes points into the settings`() throws {
    let workspace = try Workspace(["providers/mine.yaml": Self.good])
    #expect(
      try Self.complaint(workspace, "mine", "providers:\n  mine: { recording: tape }\n") == """
        config.yaml:4:11: recording is only for kind: recorded
            mine: { recording: tape }
                    ^
        """)
  }

  @Test func `CoinGecko is there without any file, and can be overridden`() throws {
    let workspace = try Workspace()
    #expect(try Self.catalog(workspace).specification(for: "coingecko") == .builtInCoinGecko)
    let catalog = try Self.catalog(workspace, "providers: { coingecko: { tier: demo, rate_limit: 30/1m } }\n")
    var expected = ProviderSpecification.builtInCoinGecko
    expected.kind = CoinGeckoKind(.demo)
    expected.rateLimits = [.perMinute(30)]
    #expect(try catalog.specification(for: "coingecko") == expected)
    #expect(
      try Self.complaint(workspace, "coingecko", "providers: { coingecko: { kind: http } }\n") == """
        config.yaml:3:33: the built-in coingecko is of kind coingecko; another kind needs a file
          providers: { coingecko: { kind: http } }
                                          ^
        """)
  }

  @Test func `The first folder with an id wins, and only that file is read`() throws {
    let workspace = try Workspace([
      "providers/mine.yaml": Self.good, "home/.local/share/bitpal/providers/mine.yaml": "broken: [",
      "home/.local/share/bitpal/providers/theirs.yaml": "id: theirs\nname: Theirs\nkind: coingecko\n",
      "providers/broken.yaml": "[",
    ])
    let catalog = try Self.catalog(workspace)
    #expect(try catalog.specification(for: "mine").name == "Mine")
    #expect(try catalog.specification(for: "theirs").name == "Theirs")
  }

  @Test(
    arguments: [
      (
        "provider: coingeko\n", [:], SettingsOverrides(configPath: "config.yaml"), "coingeko",
        """
        config.yaml:3:11: unknown provider "coingeko" (did you mean "coingecko"?); known: coingecko, mine
          provider: coingeko
                    ^
        """
      ),
      (
        "provider: [mine, zzz]\n", [:], SettingsOverrides(configPath: "config.yaml"), "zzz",
        """
        config.yaml:3:18: unknown provider "zzz", providers/zzz.yaml does not exist; known: coingecko, mine
          provider: [mine, zzz]
                           ^
        """
      ),
      (
        "", ["BITPAL_PROVIDER": "zzz"], SettingsOverrides(configPath: "config.yaml"), "zzz",
        "BITPAL_PROVIDER: unknown provider \"zzz\", providers/zzz.yaml does not exist; known: coingecko, mine"
      ),
      (
        "provider: zzz\n", [:], SettingsOverrides(configPath: "config.yaml", provider: "zzz"), "zzz",
        "--provider: unknown provider \"zzz\", providers/zzz.yaml does not exist; known: coingecko, mine"
      ),
      (
        "", [:], SettingsOverrides(configPath: "config.yaml"), "../mine",
        "provider: unknown provider \"../mine\"; known: coingecko, mine"
      ),
    ] as [(String, [String: String], SettingsOverrides, String, String)])
  func `An unknown provider is reported where it was chosen, with the known ones`(
    settings: String, variables: [String: String], overrides: SettingsOverrides, id: String, complaint: String
  ) throws {
    let workspace = try Workspace([
      "providers/mine.yaml": Self.good, "config.yaml": "bitpal: 1\nproviders_dir: providers\n" + settings,
    ])
    let catalog = ProviderCatalog(settings: try workspace.load(variables, overrides))
    #expect(message { () throws(BitpalError) in try catalog.specification(for: id) } == complaint)
  }

  @Test func `All providers are listed, bad and shadowed ones too`() throws {
    let workspace = try Workspace([
      "providers/mine.yaml": Self.good, "providers/broken.yaml": "id: broken\nname: B\nkind: magic\n",
      "providers/coingecko.yaml": "id: coingecko\nname: CoinGecko\nkind: coingecko\n", "providers/notes.txt": "",
      "providers/.hidden.yaml": "", "providers/Bad Name.yaml": "",
      "home/.local/share/bitpal/providers/mine.yaml": "id: mine\nname: Other\nkind: coingecko\n",
    ])
    let lines = try Self.catalog(workspace).list().map { listing in
      let file = listing.file.map { PathText.shown($0, from: workspace.path) } ?? "built in"
      let outcome =
        switch listing.outcome {
        case .success(let provider): provider.specification.name
        case .failure(let error): error.message.split(separator: "\n").first.map(String.init) ?? ""
        }
      return "\(listing.id) | \(file) | \(listing.isShadowed ? "shadowed" : "used") | \(outcome)"
    }
    #expect(
      lines == [
        "Bad Name | providers/Bad Name.yaml | used | providers/Bad Name.yaml: a provider id is made of lower-case "
          + "letters, digits, - and _, like coingecko, not \"Bad Name\"",
        "broken | providers/broken.yaml | used | providers/broken.yaml:3:7: kind must be one of http, coingecko, "
          + "recorded, file, plugin, bitpal, not \"magic\"",
        "coingecko | providers/coingecko.yaml | used | CoinGecko",
        "coingecko | built in | shadowed | CoinGecko",
        "mine | providers/mine.yaml | used | Mine",
        "mine | home/.local/share/bitpal/providers/mine.yaml | shadowed | Other",
      ])
  }

  @Test func `An override for a provider that is not there is found`() throws {
    let workspace = try Workspace(["providers/mine.yaml": Self.good])
    let catalog = try Self.catalog(workspace, "providers: { mien: { timeout: 3s }, coingecko: { tier: demo } }\n")
    #expect(
      catalog.unknownOverrides().map(\.description) == [
        """
        config.yaml:3:14: unknown provider "mien" (did you mean "mine"?); known: coingecko, mine
          providers: { mien: { timeout: 3s }, coingecko: { tier: demo } }
                       ^
        """
      ])
  }
}
