import BitpalModel
import BitpalProviders
import Foundation
import Glibc
import Testing

@testable import BitpalConfig

/// A folder that one merely stands in was taken for the user's own word: keys went where it said, its prices were booked.
@Suite struct `Settings found in the working folder` {
  static let head = "bitpal: 1\nproviders_dir: providers\n"

  static let declared = """
    id: mine
    name: Mine
    kind: http
    base_url: http://127.0.0.1:1
    key_env: AWS_SECRET_ACCESS_KEY
    headers: { Authorization: "{key}" }
    quotes: { get: /p, fields: { price: $.p } }

    """

  static let prices = "id: mine\nname: Mine\nkind: file\nfile: "

  static let recorded = "id: mine\nname: Mine\nkind: recorded\nof: coingecko\nrecording: "

  @Test(arguments: [
    ("provider: kraken\ncurrency: eur\nrefresh: 20s", []),
    ("chart: { default_range: 1W, ranges: { 3M: { window: 90d, points: 9, candle: 1d, ttl: 1h } } }", []),
    ("cache: { max_stale: 1d, ttl: { quotes: 1s } }", []), ("cache: { path: default, memory: 16MiB, disk: 64MiB }", []),
    ("aliases: { bitcoin: evil-coin }", ["aliases"]), ("cache: { path: cache.db }", ["cache.path"]),
    ("cache: { path: ../below/cache.db, memory: 1MiB, disk: 1MiB }", ["cache.path", "cache.memory", "cache.disk"]),
    ("fleet: { redis: redis://evil.example, members: 9 }", ["fleet"]), ("fleet: { members: 9 }", []),
    ("providers_dir: providers", []), ("providers_dir: /etc", ["providers_dir"]),
    ("providers_dir: link", ["providers_dir"]), ("providers_dir: ..", ["providers_dir"]),
    ("providers: { coingecko: { base_url: \"http://127.0.0.1:1\", rate_limit: 100000/1s } }", ["providers"]),
  ])
  func `Choose sources, ranges, times and display, and nothing more until they are trusted`(
    text: String, withheld: [String]
  ) throws {
    let workspace = try Workspace(["work/config.yaml": "bitpal: 1\n\(text)\n", "other/x.yaml": ""])
    symlink(workspace.path + "/other", workspace.path + "/work/link")
    let settings = try workspace.load(in: "work")
    #expect(settings.trust == .untrusted(folder: workspace.path + "/work", hasChanged: false))
    #expect(settings.withheldKeys == withheld)
    #expect(settings.cache.path == workspace.path + "/home/.cache/bitpal/cache.db")
    #expect(settings.cache.memoryBytes == 16 << 20 && settings.cache.diskBytes == 64 << 20)
    #expect(settings.aliases == [:])
    #expect(settings.fleet == nil)
    #expect(
      settings.refusal(of: settings.withheldKeys)?.description
        == (withheld.isEmpty
          ? nil
          : "./config.yaml is not trusted: \(withheld.map { "no \($0)" }.joined(separator: ", ")); "
            + "\"bitpal trust\" if it is yours"))
    let named = try workspace.load([:], SettingsOverrides(configPath: "config.yaml"), in: "work")
    try workspace.trust(in: "work")
    for trusted in [named, try workspace.load(in: "work")] {
      #expect(trusted.trust == .trusted)
      #expect(trusted.withheldKeys == [])
      #expect(trusted.refusal(of: ["keys"]) == nil)
      #expect(trusted.entries.map(\.value) == named.entries.map(\.value))
    }
    #expect(withheld.isEmpty == (settings.entries.map(\.value) == named.entries.map(\.value)))
  }

  @Test func `A withheld value does not name the file as its source`() throws {
    let workspace = try Workspace([
      "config.yaml":
        "bitpal: 1\naliases: { a: b }\ncache: { path: x.db, memory: 16MiB }\nproviders_dir: /etc\nfleet: { redis: /r }\n"
    ])
    let entries = try workspace.load().entries.map(\.description)
    #expect(entries.contains { $0.hasPrefix("cache.path: ") && $0.hasSuffix("/.cache/bitpal/cache.db (default)") })
    #expect(entries.contains("cache.memory: 16MiB (config.yaml:3)"))
    #expect(entries.contains { $0.hasPrefix("providers_dir: ") && $0.hasSuffix(" (default)") })
    #expect(entries.contains("fleet.redis: none (default)"))
    #expect(!entries.contains { $0.hasPrefix("aliases") })
  }

  @Test func `Every fault is reported before anything is trusted`() throws {
    let workspace = try Workspace([
      "config.yaml": "bitpal: 1\ncache: { path: [] }\nproviders: { coingecko: { base_url: 7 } }\n"
    ])
    #expect(message { () throws(BitpalError) in try workspace.load() }.contains("config.yaml:3:"))
    #expect(throws: BitpalError.self) { try workspace.trust() }
  }

  @Test(
    arguments: [
      ("config.yaml", head + "currency: eur\n"), ("config.yaml", head + "\n"), ("providers/mine.yaml", declared + "\n"),
      ("providers/other.yaml", declared), ("providers/mine.yaml", nil),
      ("config.yaml", "bitpal: 1\nproviders_dir: other\n"),
    ] as [(String, String?)])
  func `Any change to the settings or provider files asks again`(file: String, text: String?) throws {
    let workspace = try Workspace(["config.yaml": Self.head, "providers/mine.yaml": Self.declared])
    try workspace.trust()
    #expect(try workspace.load().trust == .trusted)
    try? FileManager.default.removeItem(atPath: workspace.path + "/" + file)
    if let text { try workspace.write(file, text) }
    let settings = try workspace.load()
    #expect(settings.trust == .untrusted(folder: workspace.path, hasChanged: true))
    #expect(
      settings.refusal(of: ["keys"])?.description
        == "./config.yaml has changed since it was trusted: no keys; \"bitpal trust\" if it is yours")
    try workspace.trust()
    #expect(try workspace.load().trust == .trusted)
  }

  @Test func `Other files, and the user's own provider files, change nothing`() throws {
    let workspace = try Workspace(["config.yaml": Self.head, "providers/mine.yaml": Self.declared])
    try workspace.trust()
    try workspace.write("providers/notes.txt", "x")
    try workspace.write("home/.local/share/bitpal/providers/other.yaml", "x")
    #expect(try workspace.load().trust == .trusted)
    #expect(try TrustedFolders(environment: workspace.environment()).remove(workspace.path))
    #expect(try workspace.load().trust == .untrusted(folder: workspace.path, hasChanged: false))
  }

  @Test func `A folder is known by where it really is`() throws {
    let workspace = try Workspace(["one/config.yaml": Self.head, "two/config.yaml": Self.head])
    symlink(workspace.path + "/one", workspace.path + "/link")
    try workspace.trust(in: "link")
    #expect(try workspace.load(in: "one").trust == .trusted)
    #expect(try workspace.load(in: "link").trust == .trusted)
    #expect(try workspace.load(in: "two").trust.untrustedFolder == workspace.path + "/two")
  }

  @Test func `Provider files that came along are passed over, for the shipped and the user's own`() throws {
    let workspace = try Workspace([
      "config.yaml": Self.head + "providers: { coingecko: { key_env: AWS_SECRET_ACCESS_KEY } }\n",
      "providers/mine.yaml": Self.declared, "providers/other.yaml": Self.declared.replacing("mine", with: "other"),
      "providers/coingecko.yaml": Self.declared.replacing("mine", with: "coingecko"), "providers/broken.yaml": "id: [",
      "home/.local/share/bitpal/providers/mine.yaml": Self.declared.replacing("127.0.0.1:1", with: "localhost:2"),
    ])
    let catalog = ProviderCatalog(settings: try workspace.load())
    let own = try catalog.provider(for: "mine")
    #expect(own.specification.baseURL == "http://localhost:2" && own.withheld == ["providers/mine.yaml"])
    let builtIn = try catalog.provider(for: "coingecko")
    #expect(
      builtIn.specification.kind as? CoinGeckoKind == CoinGeckoKind()
        && builtIn.specification.keyEnvironment == "COINGECKO_API_KEY")
    #expect(builtIn.withheld == ["providers/coingecko.yaml", "providers.coingecko"])
    #expect(own.specification.untrustedFolder == workspace.path)
    #expect(builtIn.specification.untrustedFolder == workspace.path)
    for id in ["other", "broken"] {
      #expect(
        message { () throws(BitpalError) in try catalog.provider(for: id) }
          == "./config.yaml is not trusted: no providers/\(id).yaml")
    }
    #expect(catalog.ids() == ["coingecko", "mine"])
    #expect(catalog.list().map(\.id) == ["coingecko", "mine"])
    #expect(catalog.withheld == ["provider files"])
    #expect(try catalog.entries(for: "mine").contains { $0.value == "http://localhost:2" })
    try workspace.trust()
    let trusted = try ProviderCatalog(settings: try workspace.load()).provider(for: "mine")
    #expect(trusted.specification.baseURL == "http://127.0.0.1:1")
    #expect(trusted.specification.untrustedFolder == nil && trusted.withheld == [])
  }

  @Test(arguments: [
    ("../Fixtures/market", true), ("inside", true), ("../gone", true), ("../../secret", false), ("outside", false),
    ("~/secret", false), ("/etc", false),
  ])
  func `A recording is replayed when it lies below the folder, its links followed`(path: String, isHonoured: Bool)
    throws
  {
    let workspace = try Workspace([
      "work/config.yaml": Self.head, "work/providers/mine.yaml": Self.recorded + path + "\n",
      "work/Fixtures/market/recording.har": "", "secret/recording.har": "",
    ])
    symlink("../Fixtures/market", workspace.path + "/work/providers/inside")
    symlink(workspace.path + "/secret", workspace.path + "/work/providers/outside")
    let catalog = ProviderCatalog(settings: try workspace.load(in: "work"))
    #expect(((try? catalog.provider(for: "mine")) != nil) == isHonoured)
    #expect(catalog.withheld == (isHonoured ? [] : ["provider files"]))
  }

  @Test(arguments: [
    ("prices.db", true), ("../gone.db", true), ("../../secret/prices.db", false), ("outside", false),
    ("~/secret/prices.db", false), ("/etc/passwd", false),
  ])
  func `Prices of one's own are read when they lie below the folder, their links followed`(
    path: String, isHonoured: Bool
  ) throws {
    let workspace = try Workspace([
      "work/config.yaml": Self.head, "work/providers/mine.yaml": Self.prices + path + "\n",
      "work/providers/prices.db": "", "secret/prices.db": "",
    ])
    symlink(workspace.path + "/secret/prices.db", workspace.path + "/work/providers/outside")
    let catalog = ProviderCatalog(settings: try workspace.load(in: "work"))
    #expect(((try? catalog.provider(for: "mine")) != nil) == isHonoured)
    #expect(catalog.withheld == (isHonoured ? [] : ["provider files"]))
  }

  @Test(arguments: [
    ("recording:Fixtures/market", true), ("recording:market", true), ("recording:../secret", false),
    ("recording:link", false),
  ])
  func `A recording that the file names by its path too, but the user may name any`(choice: String, isHonoured: Bool)
    throws
  {
    let workspace = try Workspace([
      "work/config.yaml": "bitpal: 1\nprovider: \(choice)\n", "work/Fixtures/market/recording.har": "",
      "secret/recording.har": "",
    ])
    symlink("../secret", workspace.path + "/work/link")
    let settings = try workspace.load(in: "work")
    #expect(
      message { () throws(BitpalError) in try ProviderCatalog(settings: settings).provider(for: choice) }
        == (isHonoured ? "no complaint" : "./config.yaml is not trusted: no \(choice)"))
    let asked = try workspace.load([:], SettingsOverrides(provider: choice), in: "work")
    #expect(try ProviderCatalog(settings: asked).provider(for: choice).specification.untrustedFolder != nil)
  }

  @Test func `A provider file that is a link out of the folder is passed over`() throws {
    let workspace = try Workspace([
      "work/config.yaml": Self.head, "work/providers/x": "", "work/r/recording.har": "",
    ])
    try workspace.write("mine.yaml", Self.recorded + workspace.path + "/work/r\n")
    symlink("../../mine.yaml", workspace.path + "/work/providers/mine.yaml")
    #expect(throws: BitpalError.self) {
      try ProviderCatalog(settings: try workspace.load(in: "work")).provider(for: "mine")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func `Files of another user are refused, however the folder is trusted`() throws {
    let workspace = try Workspace(["config.yaml": Self.head, "providers/mine.yaml": Self.declared])
    chown(workspace.path + "/providers/mine.yaml", 4711, 4711)
    #expect(
      throws: BitpalError.configuration([
        ConfigurationIssue(
          file: "providers/mine.yaml",
          message: "belongs to another user, who could change it at any time; make it yours to trust it")
      ])
    ) { try workspace.trust() }
    chown(workspace.path + "/providers/mine.yaml", 0, 0)
    try workspace.trust()
    chown(workspace.path + "/providers/mine.yaml", 4711, 4711)
    #expect(try workspace.load().trust == .untrusted(folder: workspace.path, hasChanged: true))
    chown(workspace.path + "/config.yaml", 4711, 4711)
    #expect(
      message { () throws(BitpalError) in try workspace.load() }
        == "config.yaml: belongs to another user (number 4711), so it is not used; if you trust it all the same, name it: "
        + "--config config.yaml")
    #expect(try workspace.load([:], SettingsOverrides(configPath: "config.yaml")).trust == .trusted)
    try workspace.write("config.yaml", "theirs: 1\n")
    chown(workspace.path + "/config.yaml", 4711, 4711)
    #expect(try workspace.load().file == nil)
  }

  @Test func `The user's own settings are found by any way, and need no trust`() throws {
    let workspace = try Workspace(["home/.config/bitpal/config.yaml": "bitpal: 1\naliases: { a: b }\n"])
    symlink("home", workspace.path + "/way")
    for folder in ["home/.config/bitpal", "way/.config/bitpal"] {
      let settings = try workspace.load(in: folder)
      #expect(settings.file?.discovery == .userDirectory)
      #expect(settings.trust == .trusted && settings.aliases == ["a": "b"])
    }
  }

  @Test func `A config.yaml of another program is ignored with a warning`() throws {
    let workspace = try Workspace(["config.yaml": "services: {}\n"])
    #expect(
      try workspace.load().warnings == [
        "./config.yaml is ignored: it has no line \"bitpal: 1\"; add that line if the file is meant for bitpal"
      ])
  }

  // MARK: The file of trusted folders

  @Test func `Trust is kept for the user alone, by path`() throws {
    let workspace = try Workspace([
      "b/config.yaml": Self.head, "a folder  with spaces/config.yaml": Self.head,
      "b/providers/mine.yaml": Self.declared,
    ])
    for folder in ["b", "a folder  with spaces", "b"] { try workspace.trust(in: folder) }
    let folders = TrustedFolders(environment: workspace.environment())
    #expect(try folders.all().map(\.path) == ["a folder  with spaces", "b"].map { workspace.path + "/" + $0 })
    let file = workspace.path + "/home/.local/state/bitpal/trusted-folders"
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try folders.remove(workspace.path + "/b"))
    #expect(try !folders.remove(workspace.path + "/b"))
    #expect(try folders.all().count == 1)
    chmod(file, 0o620)
    #expect(
      throws: BitpalError.dataFile(
        path: file, reason: "others can write this file, so what it says of trust counts for nothing")
    ) { try folders.all() }
    #expect(throws: BitpalError.self) { try workspace.load(in: "b") }
  }

  @Test func `Without a home nothing can be trusted`() throws {
    let workspace = try Workspace(["config.yaml": Self.head])
    let environment = Environment(variables: [:], currentDirectory: workspace.path)
    let content = try #require(try SettingsLoader(environment: environment).content())
    #expect(throws: BitpalError.dataFile(path: "trusted-folders", reason: "HOME is not set, so its folder is unknown"))
    {
      try TrustedFolders(environment: environment).add(content)
    }
    #expect(try SettingsLoader(environment: environment).load().trust.untrustedFolder == workspace.path)
  }
}
