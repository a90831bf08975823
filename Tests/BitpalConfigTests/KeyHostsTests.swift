import BitpalModel
import Testing

@testable import BitpalConfig

@Suite struct `Who may say where a key is sent` {
  static let provider = "id: mine\nname: Mine\nkind: coingecko\nkey_hosts: [file.example]\n"
  static let config = "bitpal: 1\nproviders_dir: providers\n"
  static let override = config + "providers:\n  mine: { key_hosts: [settings.example], timeout: 3s }\n"

  static func ignored(_ place: String) -> String {
    "\(place): key_hosts is ignored, because config.yaml was found in the current folder and may have come with "
      + "somebody else's files; name it with --config to trust it"
  }

  @Test func `A config.yaml found in the current folder may not, nor may its provider files`() throws {
    let workspace = try Workspace(["config.yaml": Self.override, "providers/mine.yaml": Self.provider])
    let settings = try workspace.load()
    #expect(settings.warnings == [Self.ignored("config.yaml:4")])
    let provider = try ProviderCatalog(settings: settings).provider(for: "mine")
    #expect(provider.specification.keyHosts == [])
    #expect(provider.specification.timeout == .seconds(3))
    #expect(provider.warnings == [Self.ignored("providers/mine.yaml:4")])
  }

  @Test(arguments: [config, override])
  func `The same files may when the user names them`(config: String) throws {
    let workspace = try Workspace(["config.yaml": config, "providers/mine.yaml": Self.provider])
    let hosts = config == Self.override ? ["settings.example"] : ["file.example"]
    let ways: [([String: String], SettingsOverrides)] = [
      ([:], SettingsOverrides(configPath: "config.yaml")), (["BITPAL_CONFIG": "./config.yaml"], SettingsOverrides()),
    ]
    for (variables, overrides) in ways {
      let settings = try workspace.load(variables, overrides)
      #expect(settings.warnings == [])
      let provider = try ProviderCatalog(settings: settings).provider(for: "mine")
      #expect(provider.specification.keyHosts == hosts)
      #expect(provider.warnings == [])
    }
  }

  @Test func `The user's own settings and provider files may`() throws {
    let workspace = try Workspace([
      "home/.config/bitpal/config.yaml": Self.override, "home/.config/bitpal/providers/mine.yaml": Self.provider,
    ])
    // Standing in the very folder of the user's settings makes them nobody else's.
    for directory in ["", "home/.config/bitpal"] {
      let settings = try workspace.load(in: directory)
      #expect(settings.file?.discovery == .userDirectory)
      #expect(try ProviderCatalog(settings: settings).specification(for: "mine").keyHosts == ["settings.example"])
    }
  }

  @Test func `A provider file of the user's may, even beside a config.yaml in the current folder`() throws {
    let workspace = try Workspace([
      "config.yaml": Self.config, "home/.local/share/bitpal/providers/mine.yaml": Self.provider,
    ])
    let provider = try ProviderCatalog(settings: try workspace.load()).provider(for: "mine")
    #expect(provider.specification.keyHosts == ["file.example"])
    #expect(provider.warnings == [])
    try workspace.write("config.yaml", "bitpal: 1\nproviders_dir: home/.local/share/bitpal/providers\n")
    #expect(
      try ProviderCatalog(settings: try workspace.load()).specification(for: "mine").keyHosts == ["file.example"])
  }

  @Test(arguments: [("mine", "MINE_KEY", true), ("my-coin", "MY_COIN_API_KEY", true), ("mine", "AWS_SECRET", false)])
  func `A variable of another service's key is not honoured there either`(
    id: String, variable: String, isHonoured: Bool
  ) throws {
    let workspace = try Workspace([
      "config.yaml": Self.config,
      "providers/\(id).yaml": "id: \(id)\nname: Mine\nkind: coingecko\nkey_env: \(variable)\n",
    ])
    let provider = try ProviderCatalog(settings: try workspace.load()).provider(for: id)
    #expect(provider.specification.keyEnvironment == (isHonoured ? variable : nil))
    #expect(
      provider.warnings
        == (isHonoured
          ? []
          : [
            "providers/mine.yaml:4: key_env is ignored (a variable of mine begins with MINE_), because config.yaml was "
              + "found in the current folder and may have come with somebody else's files; name it with --config to "
              + "trust it"
          ]))
  }

  @Test(arguments: [
    ("cache.db", true), ("below/cache.db", true), ("../cache.db", false), ("/var/lib/theirs.db", false),
  ])
  func `A file that came along may not name just any file as the cache`(path: String, isHonoured: Bool) throws {
    let workspace = try Workspace(["config.yaml": "bitpal: 1\ncache: { path: \(path) }\n"])
    let settings = try workspace.load()
    let isDefault = settings.cache.path?.hasSuffix("/.cache/bitpal/cache.db") == true
    #expect(isDefault == !isHonoured)
    #expect(
      settings.warnings
        == (isHonoured
          ? []
          : [
            "config.yaml:2: cache.path is ignored, because it leads out of the current folder, where config.yaml was "
              + "found; name the file with --config to trust it"
          ]))
    #expect(try workspace.load([:], SettingsOverrides(configPath: "config.yaml")).warnings == [])
  }
}
