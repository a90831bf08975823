import BitpalJSON
import BitpalModel
import FoundationEssentials
import TestSupport
import Testing

@testable import BitpalConfig

@Suite struct `Contents of a settings file` {
  @Test(arguments: [
    BadFile(
      "a list for a file", "- a\n",
      """
      config.yaml:1:1: the file must hold keys and values (key: value), not a list
        - a
        ^
      """),
    BadFile(
      "an unknown key", "bitpal: 1\ncache:\n  tll: { quotes: 5m }\n",
      """
      config.yaml:3:3: unknown key "tll" (did you mean "ttl"?)
          tll: { quotes: 5m }
          ^
      """),
    BadFile(
      "a key like no other", "bitpal: 1\ncache:\n  colour: red\n",
      """
      config.yaml:3:3: unknown key "colour" (valid here: path, memory, disk, max_stale, while_renewing, ttl)
          colour: red
          ^
      """),
    BadFile(
      "several wrong types", "bitpal: 1\ncurrency: [usd]\nrefresh: 30\ncache: 5\nchart:\n  - a\n",
      """
      config.yaml:2:11: currency must be a currency like usd, not a list
        currency: [usd]
                  ^
      config.yaml:3:10: refresh must be a duration like 30s or 5m (units: ms s m h d w), not "30"
        refresh: 30
                 ^
      config.yaml:4:8: cache must hold keys and values (key: value), not "5"
        cache: 5
               ^
      config.yaml:6:3: chart must hold keys and values (key: value), not a list
          - a
          ^
      """),
    BadFile(
      "sources that cannot agree", "bitpal: 1\nprovider: { agree: [a], within: 1 }\n",
      """
      config.yaml:2:20: provider.agree needs two providers or more
        provider: { agree: [a], within: 1 }
                           ^
      """),
    BadFile(
      "a rule that asks for too much", "bitpal: 1\nprovider: { agree: [a, b], at_least: 3, within: 60%, else: no }\n",
      """
      config.yaml:2:38: provider.at_least must be between 2 and 2, not 3
        provider: { agree: [a, b], at_least: 3, within: 60%, else: no }
                                             ^
      config.yaml:2:49: provider.within must be a percentage above 0% and up to 50%, like 1%
        provider: { agree: [a, b], at_least: 3, within: 60%, else: no }
                                                        ^
      config.yaml:2:60: provider.else must be one of error, first, not "no"
        provider: { agree: [a, b], at_least: 3, within: 60%, else: no }
                                                                   ^
      """),
    BadFile(
      "a duplicate key and others", "bitpal: 1\nrefresh: 5s\nrefresh: 30s\ncurrency: u\n",
      """
      config.yaml:2:10: refresh must be at least 10s, not 5s
        refresh: 5s
                 ^
      config.yaml:3:1: duplicate key "refresh" (first at line 2, column 1)
        refresh: 30s
        ^
      config.yaml:4:11: a currency is 2 to 12 letters or digits, like usd, not "u"
        currency: u
                  ^
      """),
    BadFile(
      "an unknown range", "bitpal: 1\nchart: { default_range: 2D }\n",
      """
      config.yaml:2:25: unknown range "2D"; valid here: 15M, 1H, 4H, 1D, 1W, 1M, 3M, 6M, YTD, 1Y, 5Y, MAX
        chart: { default_range: 2D }
                                ^
      """),
    BadFile(
      "an unknown chart type", "bitpal: 1\nchart: { default_type: bar }\n",
      """
      config.yaml:2:24: chart.default_type must be one of line, candle, not "bar"
        chart: { default_type: bar }
                               ^
      """),
    BadFile(
      "a negative time to live", "bitpal: 1\ncache:\n  ttl: { quotes: -5m, detail: 0s }\n",
      """
      config.yaml:3:18: cache.ttl.quotes cannot be negative, but is -5m
          ttl: { quotes: -5m, detail: 0s }
                         ^
      config.yaml:3:31: cache.ttl.detail must be more than 0, not 0s
          ttl: { quotes: -5m, detail: 0s }
                                      ^
      """),
    BadFile(
      "sizes", "bitpal: 1\ncache: { memory: 16MB, disk: 0 }\n",
      """
      config.yaml:2:18: cache.memory must be a size like 16MiB or 512KiB (units: KiB MiB GiB, none for bytes), \
      not "16MB"
        cache: { memory: 16MB, disk: 0 }
                         ^
      config.yaml:2:30: cache.disk must be more than 0
        cache: { memory: 16MB, disk: 0 }
                                     ^
      """),
    BadFile(
      "ranges",
      """
      bitpal: 1
      chart:
        ranges:
          2D: { window: 2d }
          15M: { types: [] }
          3M: { window: 90d, points: 0, candle: 1d, ttl: 1h }
          4M: { window: 1d, points: many, candle: 2d, ttl: 1h }
          5M: { window: 1d, points: 9, candle: 2d, ttl: 1h, types: [bar] }
          6M: { window: 1d, points: 9, candle: 2d, ttl: 1h }
          1d: { ttl: 9m }
          1D: { ttl: 9m }
          7M: 5
          "": { ttl: 9m }
        default_range: 3m
      """,
      """
      config.yaml:4:5: chart.ranges.2D lacks points, candle, ttl
            2D: { window: 2d }
            ^
      config.yaml:5:19: chart.ranges.15M.types must have at least one of line, candle
            15M: { types: [] }
                          ^
      config.yaml:6:32: chart.ranges.3M.points must be between 1 and 10000, not 0
            3M: { window: 90d, points: 0, candle: 1d, ttl: 1h }
                                       ^
      config.yaml:7:31: chart.ranges.4M.points must be a whole number, not "many"
            4M: { window: 1d, points: many, candle: 2d, ttl: 1h }
                                      ^
      config.yaml:8:63: chart.ranges.5M.types must be one of line, candle, not "bar"
          5M: { window: 1d, points: 9, candle: 2d, ttl: 1h, types: [bar] }
                                                                    ^
      config.yaml:9:42: a candle of 2d is wider than its window, 1d
            6M: { window: 1d, points: 9, candle: 2d, ttl: 1h }
                                                 ^
      config.yaml:11:5: the range "1D" is there already, in other letters
            1D: { ttl: 9m }
            ^
      config.yaml:12:9: chart.ranges.7M must hold keys and values (key: value), not "5"
            7M: 5
                ^
      config.yaml:13:5: a range needs a name without spaces
            "": { ttl: 9m }
            ^
      """),
    BadFile(
      "a newer version", "bitpal: 2\nwidgets: true\n",
      """
      config.yaml:1:9: this file is written in version 2 of the format, and this bitpal reads version 1; \
      a newer bitpal is needed
        bitpal: 2
                ^
      """),
    BadFile(
      "no version", "currency: eur\n",
      "config.yaml: the key \"bitpal\" is missing; the file must begin with  bitpal: 1"),
    BadFile(
      "nothing", "# nothing\n",
      "config.yaml: the key \"bitpal\" is missing; the file must begin with  bitpal: 1"),
    BadFile(
      "a version that is none", "bitpal: yes\n",
      """
      config.yaml:1:9: bitpal is the version of this format and must be 1, not "yes"
        bitpal: yes
                ^
      """),
    BadFile(
      "providers", "bitpal: 1\nprovider: [coingecko, ../x, coingecko]\n",
      """
      config.yaml:2:23: a provider id is made of lower-case letters, digits, - and _, like coingecko, not "../x"
        provider: [coingecko, ../x, coingecko]
                              ^
      """),
    BadFile(
      "the same provider twice", "bitpal: 1\nprovider: [coingecko, coingecko]\n",
      """
      config.yaml:2:23: coingecko is listed twice
        provider: [coingecko, coingecko]
                              ^
      """),
    BadFile(
      "no provider", "bitpal: 1\nprovider: []\ncurrency:\n",
      """
      config.yaml:2:11: provider names no provider
        provider: []
                  ^
      config.yaml:3:10: currency has no value
        currency:
                 ^
      """),
    BadFile(
      "aliases", "bitpal: 1\naliases: { btc: bitcoin, BTC: other, \"\": x }\n",
      """
      config.yaml:2:26: the alias "BTC" is there already, in other letters
        aliases: { btc: bitcoin, BTC: other, "": x }
                                 ^
      config.yaml:2:38: an alias needs a name
        aliases: { btc: bitcoin, BTC: other, "": x }
                                             ^
      """),
    BadFile(
      "overrides of providers",
      "bitpal: 1\nproviders:\n  coingecko: { teir: demo, tier: free, id: x }\n  Bad: {}\n  k: 5\n",
      """
      config.yaml:3:16: unknown key "teir" (did you mean "tier"?)
          coingecko: { teir: demo, tier: free, id: x }
                       ^
      config.yaml:3:34: providers.coingecko.tier must be one of public, demo, pro, not "free"
          coingecko: { teir: demo, tier: free, id: x }
                                         ^
      config.yaml:3:40: the id of a provider cannot be overridden
          coingecko: { teir: demo, tier: free, id: x }
                                               ^
      config.yaml:4:3: a provider id is made of lower-case letters, digits, - and _, like coingecko, not "Bad"
          Bad: {}
          ^
      config.yaml:5:6: providers.k must hold keys and values (key: value), not "5"
          k: 5
             ^
      """),
  ])
  func `Every mistake is reported with its place, all in one run`(file: BadFile) throws {
    #expect(try Workspace().complaint(about: file.text) == file.complaint)
  }

  @Test func `The declared type decides what a scalar is`() throws {
    let settings = try Workspace([
      "config.yaml":
        "bitpal: 1\nprovider: no\ncurrency: 1e3\naliases: { no: 1e3, 1e3: no, Yes: \"~\", 0x10: on, t: true }"
    ]).load([:], SettingsOverrides(configPath: "config.yaml"))
    #expect(settings.provider == ["no"])
    #expect(settings.currency == "1e3")
    #expect(settings.aliases == ["no": "1e3", "1e3": "no", "yes": "~", "0x10": "on", "t": "true"])
  }

  @Test(
    arguments: [
      ("true", true, "no complaint"), ("false", false, "no complaint"),
      ("yes", nil, "f:1:4: on must be true or false, not \"yes\"\n  x: yes\n     ^"),
      ("True", nil, "f:1:4: on must be true or false, not \"True\"\n  x: True\n     ^"),
    ] as [(String, Bool?, String)])
  func `A boolean is true or false`(text: String, value: Bool?, complaint: String) throws {
    let source = YAMLSource(file: "f", directory: "/", bytes: Array("x: \(text)".utf8))
    let entry = try #require(YAMLDocument(source).root?.entry("x"))
    let issues = IssueList()
    let declared = DeclaredValue(
      YAMLNode.Entry(key: "on", keyMark: entry.keyMark, value: entry.value), in: "", issues: issues)
    #expect(declared.bool() == value)
    #expect(message { () throws(BitpalError) in try issues.check() } == complaint)
  }

  @Test(
    arguments: [
      ("1", 1), ("512KiB", 524_288), ("16MiB", 16_777_216), ("2GiB", 2_147_483_648), ("8589934592GiB", nil),
      ("", nil), ("MiB", nil), ("1.5MiB", nil), ("-1", nil), ("1 MiB", nil), ("16mib", nil),
    ] as [(String, Int?)])
  func `A size is a whole number and a binary unit`(text: String, bytes: Int?) {
    #expect(ByteSize(text)?.bytes == bytes)
  }

  @Test func `Everything in a file is taken over`() throws {
    let workspace = try Workspace([
      "etc/my.yaml": """
      bitpal: 1
      provider: [coingecko, kraken]
      currency: EUR
      providers_dir: ../plugins
      refresh: 1m
      aliases: { BTC: bitcoin }
      cache: { path: cache.db, memory: 1MiB, disk: 2MiB, max_stale: 0s, ttl: { quotes: 1s, detail: 2s, coin_list: 3s } }
      chart:
        default_type: candle
        default_range: 3m
        ranges:
          3M: { window: 90d, points: 90, candle: 1d, ttl: 1h }
          1d: { ttl: 9m }
          15M: { window: 20m, points: 20, candle: 1m, ttl: 1m }
          4h: { ttl: 2m }
          ytd: { ttl: 3m }
          All: { window: max, points: 9, candle: 30d, ttl: 1h }
      """
    ])
    let settings = try workspace.load([:], SettingsOverrides(configPath: "etc/my.yaml"))
    #expect(settings.provider == ["coingecko", "kraken"])
    #expect(settings.currency == "eur")
    #expect(settings.providersDirs.first == workspace.path + "/plugins")
    #expect(settings.refresh == .seconds(60))
    #expect(settings.aliases == ["btc": "bitcoin"])
    #expect(
      settings.cache
        == CacheSettings(
          path: workspace.path + "/etc/cache.db", memoryBytes: 1 << 20, diskBytes: 2 << 20, maxStale: .zero,
          ttl: CacheSettings.TimeToLive(quotes: .seconds(1), detail: .seconds(2), coinList: .seconds(3))))
    #expect(settings.chart.defaultType == .candle)
    #expect(settings.chart.defaultRange == "3M")
    #expect(
      settings.chart.ranges.map(\.name) == [
        "15M", "1H", "4H", "1D", "1W", "1M", "3M", "6M", "YTD", "1Y", "5Y", "MAX", "All",
      ])
    #expect(settings.chart.ranges.named("YTD")?.beginning == .newYear)
    #expect(settings.chart.ranges.named("All")?.beginning == .ever)
    #expect(settings.chart.ranges.named("1D")?.timeToLive == .seconds(540))
    #expect(settings.chart.ranges.named("1D")?.window == .seconds(86_400))
    #expect(settings.chart.ranges.named("4H")?.types == [.candle])
    #expect(settings.chart.ranges.named("15M")?.types == [.line, .candle])
    #expect(settings.chart.ranges.named("3M")?.types == [.line, .candle])
    #expect(settings.file?.name == "etc/my.yaml")
    #expect(settings.file?.path == workspace.path + "/etc/my.yaml")
  }

  @Test func `Sources agree by a rule, which another choice of sources ends`() throws {
    let workspace = try Workspace(["etc/my.yaml": "bitpal: 1\nprovider: { agree: [a, b, c, d], within: 0.5 % }\n"])
    let settings = try workspace.load([:], SettingsOverrides(configPath: "etc/my.yaml"))
    #expect(settings.provider == ["a", "b", "c", "d"])
    #expect(settings.agreement == AgreementRule(atLeast: 3, within: try Decimal(strict: "0.5")))
    #expect(settings.asking(["a", "b"]).agreement == nil)
    #expect(
      settings.entries.first?.value == "{ agree: [a, b, c, d], at_least: 3, within: 0.5%, else: error }")
  }

  @Test func `A section whose lines are all commented out is empty`() throws {
    let text = "bitpal: 1\naliases:\n  # btc: bitcoin\ncache:\nchart: { ranges: }\nproviders:\n"
    #expect(try Workspace().complaint(about: text) == "no complaint")
  }

  // MARK: Places

  @Test func `A byte order mark and Windows line ends are read, and lines and columns stay right`() {
    let text = "\u{FEFF}bitpal: 1\r\ncache:\r\n  tll: { quotes: 1m }\r\n"
    let issues = IssueList()
    var settings = Settings()
    let document = YAMLDocument(YAMLSource(file: "config.yaml", directory: "/", bytes: Array(text.utf8)))
    #expect(document.issues == [])
    document.root.map { SettingsDecoder(issues: issues).decode([$0], into: &settings) }
    #expect(
      issues.sorted.map(\.description) == [
        """
        config.yaml:3:3: unknown key "tll" (did you mean "ttl"?)
            tll: { quotes: 1m }
            ^
        """
      ])
  }

  @Test func `Columns count characters, not bytes or scalars`() throws {
    #expect(
      try Workspace().complaint(about: "bitpal: 1\naliases: { e\u{301}👨‍👩‍👧: [] }\n") == """
        config.yaml:2:16: aliases.e\u{301}👨‍👩‍👧 must be a coin id, not a list
          aliases: { e\u{301}👨‍👩‍👧: [] }
                         ^
        """)
  }

  @Test func `At most 50 faults of a file are reported`() throws {
    let keys = (0..<20_000).map { "k\($0): *x\n" }.joined()
    let complaint = try Workspace().complaint(about: "bitpal: 1\n" + keys)
    #expect(complaint.split(separator: "\n").count == 150)
  }
}
