import BitpalFiles
import BitpalModel
import BitpalProviders
import FoundationEssentials
import Glibc
import Testing

@testable import BitpalConfig

@Suite struct `Trust in settings with plugins` {
  private static let settings = "bitpal: 1\nproviders_dir: providers\n"
  private static let plugin =
    "id: mine\nname: Mine\nkind: plugin\ncommand: [python3, -I, mine.py, tickers.txt, missing.txt]\nhosts: [mine.example]\n"

  private func workspace(_ files: [String: String] = [:]) throws -> Workspace {
    try Workspace(
      [
        "config.yaml": Self.settings, "providers/mine.yaml": Self.plugin, "providers/mine.py": "print(1)",
        "providers/tickers.txt": "BTC", "lib/run": "#!/bin/sh\n",
      ].merging(files) { $1 })
  }

  private func content(_ workspace: Workspace) throws -> FolderContent {
    try #require(try SettingsLoader(environment: workspace.environment()).content())
  }

  @Test func `Says what would be started, and which files that are`() throws {
    let workspace = try workspace([
      "providers/more.yaml":
        "id: more\nname: M\nkind: plugin\n\"comm\\x61nd\": [../lib/run, -v, \"two words\"]\nhosts: [more.example]\n",
      "providers/odd.yaml": "id: odd\nkind: plugin\ncommand: python3 odd.py\nhosts: [odd.example]\n",
    ])
    let programs = try content(workspace).programs
    #expect(programs.map(\.provider) == ["mine", "more"])
    #expect(programs.map(\.files) == [["providers/mine.py", "providers/tickers.txt"], ["lib/run"]])
    #expect(
      programs.map(\.commandLine) == ["python3 -I mine.py tickers.txt missing.txt", "../lib/run -v 'two words'"])
  }

  @Test(
    arguments: [
      ("providers/mine.py", "print(2)", true), ("providers/mine.py", nil, true), ("providers/tickers.txt", "ETH", true),
      ("providers/missing.txt", "there now", true), ("providers/notes.txt", "anything", false),
      ("lib/run", "other", false),
    ] as [(String, String?, Bool)])
  func `A program that has changed asks again, and so does a file that its command names`(
    file: String, text: String?, asksAgain: Bool
  ) throws {
    let workspace = try workspace()
    try workspace.trust()
    #expect(try workspace.load().trust == .trusted)
    if let text { try workspace.write(file, text) } else { unlink(workspace.path + "/" + file) }
    #expect(
      try workspace.load().trust
        == (asksAgain ? .untrusted(folder: workspace.path, hasChanged: true) : .trusted))
  }

  @Test func `A program that a setting starts is covered like one of a provider file`() throws {
    let workspace = try workspace([
      "config.yaml": Self.settings
        + "providers: { mine: { command: [lib/run] }, kraken: { command: [./lib/other] } }\n",
      "lib/other": "x",
    ])
    try workspace.trust()
    #expect(try content(workspace).programs.map(\.provider) == ["kraken", "mine", "mine"])
    for file in ["lib/run", "lib/other"] {
      try workspace.write(file, "changed \(file)")
      #expect(try workspace.load().trust.untrustedFolder == workspace.path, "\(file)")
      try workspace.trust()
    }
  }

  @Test func `A program that cannot be read is known by its stamp`() throws {
    let workspace = try workspace()
    let path = workspace.path + "/providers/mine.py"
    chmod(path, 0)
    let before = try content(workspace).digest
    try #require(access(path, R_OK) != 0 || geteuid() == 0)
    unlink(path)
    try workspace.write("providers/mine.py", "print(3)")
    chmod(path, 0)
    #expect(try content(workspace).digest != before)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func `A program of another user is refused`() throws {
    let workspace = try workspace()
    chown(workspace.path + "/providers/mine.py", 4711, 4711)
    #expect(
      throws: BitpalError.configuration([
        ConfigurationIssue(
          file: "providers/mine.py",
          message: "belongs to another user, who could change it at any time; make it yours to trust it")
      ])
    ) { try workspace.trust() }
  }

  @Test func `Nothing is started for settings that are not trusted, not even the user's own`() throws {
    let own = "home/.local/share/bitpal/providers/own.yaml"
    let workspace = try workspace([own: Self.plugin.replacing("mine", with: "own")])
    func refusal(_ id: String) throws -> String {
      let catalog = ProviderCatalog(settings: try workspace.load())
      return message { () throws(BitpalError) in try catalog.specification(for: id).demandTrustToRun() }
    }
    #expect(try refusal("mine") == "./config.yaml is not trusted: no providers/mine.yaml")
    #expect(try refusal("own") == "./config.yaml is not trusted: no plugin own")
    #expect(try refusal("coingecko") == "no complaint")
    #expect(ProviderCatalog(settings: try workspace.load()).withheldPlugins.map(\.id) == ["mine"])
    try workspace.trust()
    #expect(try refusal("mine") == "no complaint")
    #expect(try refusal("own") == "no complaint")
    #expect(ProviderCatalog(settings: try workspace.load()).withheldPlugins.isEmpty)
    try workspace.write("providers/mine.py", "print(4)")
    #expect(try refusal("own") == "./config.yaml has changed since it was trusted: no plugin own")
  }
}
