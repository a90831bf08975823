import BitpalModel
import Foundation
import Glibc
import Testing

@testable import BitpalConfig

@Suite struct `Places of settings files` {
  static func config(_ currency: String) -> String { "bitpal: 1\ncurrency: \(currency)\n" }

  static let files = [
    "named.yaml": config("aaa"), "variable.yaml": config("bbb"), "work/config.yaml": config("ccc"),
    "xdg/bitpal/config.yaml": config("ddd"), "home/.config/bitpal/config.yaml": config("eee"),
  ]

  @Test(
    arguments: [
      (["named.yaml", "variable.yaml", "work/config.yaml", "xdg/bitpal/config.yaml"], "aaa", "../named.yaml"),
      (["variable.yaml", "work/config.yaml", "xdg/bitpal/config.yaml"], "bbb", "/w/variable.yaml"),
      (["work/config.yaml", "xdg/bitpal/config.yaml"], "ccc", "config.yaml"),
      (["xdg/bitpal/config.yaml", "home/.config/bitpal/config.yaml"], "ddd", "/w/xdg/bitpal/config.yaml"),
      (["home/.config/bitpal/config.yaml"], "usd", nil),
      ([], "usd", nil),
    ] as [([String], String, String?)])
  func `The first place that has one wins`(present: [String], currency: String, name: String?) throws {
    let workspace = try Workspace(Self.files.filter { present.contains($0.key) })
    var variables = ["XDG_CONFIG_HOME": workspace.path + "/xdg"]
    if present.contains("variable.yaml") { variables["BITPAL_CONFIG"] = workspace.path + "/variable.yaml" }
    let flag = present.contains("named.yaml") ? "../named.yaml" : nil
    let settings = try workspace.load(variables, SettingsOverrides(configPath: flag), in: "work")
    #expect(settings.currency == currency)
    #expect(settings.file?.name.replacing(workspace.path, with: "/w") == name)
    let loader = SettingsLoader(
      environment: workspace.environment(variables, in: "work"), overrides: SettingsOverrides(configPath: flag))
    #expect(try loader.file() == settings.file)
  }

  @Test(arguments: ["", "config", "./config"])
  func `A relative XDG folder is ignored`(value: String) throws {
    let workspace = try Workspace([
      "home/.config/bitpal/config.yaml": Self.config("eee"), "config/bitpal/config.yaml": Self.config("fff"),
    ])
    let settings = try workspace.load([
      "XDG_CONFIG_HOME": value, "XDG_DATA_HOME": value, "XDG_CACHE_HOME": value, "XDG_DATA_DIRS": "\(value):/s:d",
    ])
    #expect(settings.currency == "eee")
    #expect(settings.file?.name == "home/.config/bitpal/config.yaml")
    #expect(settings.cache.path == workspace.path + "/home/.cache/bitpal/cache.db")
    #expect(
      settings.providersDirs == [workspace.path + "/home/.local/share/bitpal/providers", "/s/bitpal/providers"])
  }

  @Test func `XDG folders are used as they are given`() {
    let environment = Environment(
      variables: [
        "XDG_CONFIG_HOME": "/c/", "XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/k", "XDG_DATA_DIRS": "/x:/d:/y/",
      ], currentDirectory: "/")
    #expect(environment.userConfigFile == "/c/bitpal/config.yaml")
    #expect(environment.defaultCacheFile == "/k/bitpal/cache.db")
    #expect(environment.dataHome == "/d")
    let settings = try? SettingsLoader(environment: environment).load()
    #expect(settings?.providersDirs == ["/d/bitpal/providers", "/x/bitpal/providers", "/y/bitpal/providers"])
  }

  @Test func `Without a home there are defaults, and the cache has no file`() throws {
    let environment = Environment(variables: [:], currentDirectory: "/")
    let settings = try SettingsLoader(environment: environment).load()
    #expect(settings.provider == ["coingecko"])
    #expect(settings.cache.path == nil)
    #expect(settings.providersDirs == ["/usr/local/share/bitpal/providers", "/usr/share/bitpal/providers"])
    #expect(settings.entries.map(\.description).contains("cache.path: none (default)"))
  }

  @Test(arguments: [
    "version: 3\nservices: {}\n", "base: &base { a: 1 }\nother: { <<: *base }\n", "- a\n- b\n", "", "\tbroken: [\n",
    " bitpal: [\n", "nested:\n  bitpal: 1\n", "{{ template }}\n",
  ])
  func `Another program's config.yaml is never taken for ours`(text: String) throws {
    let workspace = try Workspace(["config.yaml": text, "home/.config/bitpal/config.yaml": Self.config("eee")])
    #expect(try workspace.load().file?.name == "home/.config/bitpal/config.yaml")
  }

  @Test func `A large config.yaml of another program is skipped as well`() throws {
    let text = String(repeating: "key: value\n", count: 50_000)
    #expect(try Workspace(["config.yaml": text]).load().file == nil)
  }

  @Test(arguments: [
    (
      "bitpal: 1\ncurrency: [\n",
      """
      config.yaml:2:12: a value is expected here
        currency: [
                   ^
      """
    ),
    (
      "bitpal: 7\n",
      """
      config.yaml:1:9: this file is written in version 7 of the format, and this bitpal reads version 1; \
      a newer bitpal is needed
        bitpal: 7
                ^
      """
    ),
  ])
  func `Our own config.yaml is reported when it is broken`(text: String, complaint: String) throws {
    let workspace = try Workspace(["config.yaml": text])
    #expect(message { () throws(BitpalError) in try workspace.load() } == complaint)
  }

  @Test func `A named file that cannot be read is an error that names it`() throws {
    let workspace = try Workspace(["config.yaml": Self.config("ccc")])
    #expect(
      message { () throws(BitpalError) in try workspace.load([:], SettingsOverrides(configPath: "no/such.yaml")) }
        == "no/such.yaml: the file does not exist (named by --config)")
    #expect(
      message { () throws(BitpalError) in try workspace.load(["BITPAL_CONFIG": "gone.yaml"]) }
        == "gone.yaml: the file does not exist (named by BITPAL_CONFIG)")
    #expect(
      message { () throws(BitpalError) in try workspace.load([:], SettingsOverrides(configPath: ".")) }
        == ".: cannot be read: this is a folder, not a file (named by --config)")
  }

  @Test(
    .timeLimit(.minutes(20)),
    arguments: [
      "config.yaml", "home/.config/bitpal/config.yaml", "home/.local/share/bitpal/providers/mine.yaml",
    ])
  func `A pipe in the place of a settings or provider file is refused instead of waited for`(file: String) throws {
    let workspace = try Workspace([file + ".txt": ""])
    #expect(mkfifo(workspace.path + "/" + file, 0o600) == 0)
    let message = message { () throws(BitpalError) in
      _ = try ProviderCatalog(settings: try workspace.load()).specification(for: "mine")
    }
    let advice = file == "config.yaml" ? "; remove it, or name your settings with --config" : ""
    #expect(message == "\(file): cannot be read: this is a named pipe, not a file\(advice)")
  }

  @Test func `Settings that are named may come through a pipe`() throws {
    let workspace = try Workspace([:])
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let handle = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    try handle.write(contentsOf: Data(Self.config("ccc").utf8))
    try handle.close()
    let settings = try workspace.load([:], SettingsOverrides(configPath: "/proc/self/fd/\(ends[0])"))
    #expect(settings.currency == "ccc")
  }

  @Test func `Paths in a file are relative to it, and a tilde is the home`() throws {
    let workspace = try Workspace([
      "a/b/config.yaml": "bitpal: 1\nproviders_dir: ../p/./q\ncache: { path: ~/k.db }\n"
    ])
    let settings = try workspace.load([:], SettingsOverrides(configPath: "a/b/config.yaml"))
    #expect(settings.providersDirs.first == workspace.path + "/a/p/q")
    #expect(settings.cache.path == workspace.path + "/home/k.db")
  }

  @Test func `This process has an environment`() {
    let environment = Environment.process()
    #expect(environment.currentDirectory.hasPrefix("/"))
    #expect(environment.value("PATH") != nil)
    #expect(environment.description.hasSuffix(" variables in \(environment.currentDirectory)"))
  }

  @Test(
    arguments: [
      ("/opt/x/bin/bitpal", "/opt/x/share/bitpal/providers"), ("/bin/bitpal", "/share/bitpal/providers"),
      ("/src/.build/release/bitpal", nil), ("/opt/bin/below/bitpal", nil), (nil, nil),
    ] as [(String?, String?)])
  func `Installed files are found relative to the program`(
    executable: String?, directory: String?
  ) throws {
    let environment = Environment(
      variables: ["XDG_DATA_DIRS": "/none"], currentDirectory: "/nowhere", executable: executable)
    let directories = try SettingsLoader(environment: environment).load().providersDirs
    #expect(directories == ["/none/bitpal/providers"] + (directory.map { [$0] } ?? []))
  }
}
