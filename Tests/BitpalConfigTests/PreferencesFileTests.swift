import BitpalModel
import Foundation
import Glibc
import Testing

@testable import BitpalConfig

@Suite struct `Preferences beside the settings` {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace(["work/config.yaml": "bitpal: 1\naliases: { BTC: bitcoin, eth: ethereum }\n"])
  }

  private var path: String { workspace.path + "/work/preferences.yaml" }

  private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

  private func set(_ key: [String], _ text: String?) throws(BitpalError) -> PreferencesFile.Change {
    try PreferencesFile(SettingsFile(path: path, name: "preferences.yaml", discovery: .flag)).set(key, to: text)
  }

  private func named() throws -> Settings {
    try workspace.load([:], SettingsOverrides(configPath: "config.yaml"), in: "work")
  }

  @Test func `A change writes the file whole, sorted, and keeps what it held`() throws {
    try write(
      "currency: eur\nbitpal: 1  # the format\naliases: {USDT: old, \"a: b\": x}\nconvert: [ecb, \"\"]\ntimezone:\n")
    let change = try set(["aliases", "usdt"], "tether")
    #expect(change.previous == "old")
    #expect(try change.after.map { String(decoding: $0, as: UTF8.self) } == text())
    let expected = """
      # Written by bitpal, and read after the settings beside it.
      bitpal: 1
      aliases:
        "a: b": x
        usdt: tether
      convert: [ecb, ""]
      currency: eur
      timezone:\u{20}

      """
    #expect(try text() == expected)
    #expect(try set(["aliases", "usdt"], "tether").before == change.after)
    #expect(try set(["cache", "ttl", "quotes"], "30s").previous == nil)
    #expect(try text().contains("cache:\n  ttl:\n    quotes: 30s\n"))
    #expect(try set(["cache", "ttl", "quotes"], nil).previous == "30s")
    #expect(try text() == expected)
  }

  @Test func `Nothing is written where nothing is removed`() throws {
    #expect(try set(["aliases", "x"], nil) == PreferencesFile.Change(previous: nil, before: nil, after: nil))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: [
    ("元", "模拟元"), ("a b", "c: d"), ("\"", "\\"), ("no", "1e3"), ("#", "- x"), ("null", "~"), ("tab\t", "line\nline"),
    ("\u{85}", "\u{FEFF}x\u{2028}"), (":", "{x}"), ("é", "e\u{301}"),
  ])
  func `Any name and coin is read back as it was written`(name: String, coin: String) throws {
    _ = try set(["aliases", name], coin)
    #expect(try named().aliases[name.lowercased()] == coin)
  }

  @Test func `Preferences go before the settings, and each value names its origin`() throws {
    try write("bitpal: 1\naliases:\n  btc: bitcoin-cash\ncurrency: eur\n")
    let settings = try named()
    #expect(settings.aliases == ["btc": "bitcoin-cash", "eth": "ethereum"] && settings.currency == "eur")
    let shown = settings.entries.map(\.description).filter { $0.hasPrefix("aliases") || $0.hasPrefix("currency") }
    #expect(
      shown == [
        "currency: eur (preferences.yaml:4)", "aliases.BTC: bitcoin-cash (preferences.yaml:3 over config.yaml:2)",
        "aliases.eth: ethereum (config.yaml:2)",
      ])
  }

  @Test(arguments: [
    ("bitpal: 1\ncurency: eur\n", "preferences.yaml:2:1: unknown key \"curency\""),
    ("bitpal: 1\naliases: [x]\n", "preferences.yaml:2:10: aliases must hold keys and values"),
    ("bitpal: 2\nx: y\n", "preferences.yaml:1:9: this file is written in version 2"),
    ("bitpal: 1\naliases: { a: b, A: c }\n", "preferences.yaml:2:18: the alias \"A\" is there already"),
    ("bitpal: [\n", "preferences.yaml:"),
  ])
  func `A fault is one of the file that has it`(text: String, message: String) throws {
    try write(text)
    let error = #expect(throws: BitpalError.self) { try named() }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }

  @Test func `Another program's file is neither read nor replaced`() throws {
    try write("theme: dark\n")
    let settings = try named()
    #expect(settings.aliases["btc"] == "bitcoin")
    #expect(settings.warnings.first?.hasPrefix("./preferences.yaml is ignored") == true)
    #expect(throws: BitpalError.self) { try set(["aliases", "x"], "y") }
    #expect(try text() == "theme: dark\n")
  }

  @Test func `A link stays a link, and permissions stay`() throws {
    let target = workspace.path + "/mine.yaml"
    try Data("bitpal: 1\n".utf8).write(to: URL(filePath: target))
    chmod(target, 0o640)
    symlink("../mine.yaml", path)
    _ = try set(["aliases", "x"], "y")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "../mine.yaml")
    let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(try text().contains("x: y"))
  }

  @Test func `Without a settings file they are in the user's folder`() throws {
    try FileManager.default.removeItem(atPath: workspace.path + "/work/config.yaml")
    let own = workspace.path + "/home/.config/bitpal/preferences.yaml"
    let before = try workspace.load([:], in: "work")
    #expect(before.preferences?.path == own && before.file == nil)
    _ = try PreferencesFile(#require(before.preferences)).set(["aliases", "x"], to: "y")
    #expect(try workspace.load([:], in: "work").aliases == ["x": "y"])
  }

  @Test func `In a working folder trust covers them`() throws {
    try write("bitpal: 1\naliases: { btc: evil }\n")
    let environment = workspace.environment([:], in: "work")
    let loader = SettingsLoader(environment: environment)
    let untrusted = try loader.load()
    #expect(untrusted.aliases.isEmpty && untrusted.withheldAliases["btc"] == "evil")
    let content = try #require(try loader.content())
    #expect(content.settingsFiles == ["config.yaml", "preferences.yaml"])
    try TrustedFolders(environment: environment).add(content)
    #expect(try loader.load().aliases["btc"] == "evil")
    try write("bitpal: 1\naliases: { btc: worse }\n")
    #expect(try loader.load().aliases.isEmpty)
    try FileManager.default.removeItem(atPath: path)
    #expect(try loader.load().trust != .trusted)
  }
}
