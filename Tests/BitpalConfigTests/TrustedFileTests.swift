import BitpalFiles
import BitpalModel
import BitpalProviders
import FoundationEssentials
import Glibc
import Testing

@testable import BitpalConfig

@Suite struct `The files that trust covers` {
  private static let files = [
    "config.yaml": "bitpal: 1\nproviders_dir: providers\nprovider: own\n",
    "providers/own.yaml": "id: own\nname: Own\nkind: file\nfile: ../prices.db\n",
    "providers/tape.yaml": "id: tape\nname: T\nkind: recorded\nof: coingecko\nrecording: ../tape\n",
    "providers/mine.yaml": "id: mine\nname: M\nkind: plugin\ncommand: [sh, mine.sh]\nhosts: [a.example, b.example]\n",
    "providers/mine.sh": "exit", "prices.db": "P 2024-01-01 BTC 96000 USD\n", "tape/recording.har": "{}",
    "imports/bank.yaml": "id: bank\n",
  ]

  private func content(_ workspace: Workspace) throws -> FolderContent {
    try #require(try SettingsLoader(environment: workspace.environment()).content())
  }

  @Test(
    arguments: [
      "prices.db", "tape/recording.har", "imports/bank.yaml", "imports/new.yaml", "providers/new.yaml",
      "providers/mine.sh",
    ])
  func `A change to any of them asks again`(file: String) throws {
    let workspace = try Workspace(Self.files)
    try workspace.trust()
    #expect(try workspace.load().trust == .trusted)
    try workspace.write(file, "changed")
    #expect(try workspace.load().trust == .untrusted(folder: workspace.path, hasChanged: true))
  }

  @Test func `Their names and the hosts of providers are shown`() throws {
    let content = try content(try Workspace(Self.files))
    #expect(content.importFiles == ["imports/bank.yaml"])
    #expect(content.dataFiles.sorted() == ["prices.db", "tape/recording.har"])
    #expect(content.sources == [FolderContent.Source(provider: "mine", hosts: ["a.example", "b.example"])])
  }

  @Test func `A file that is replaced after the settings were read is not used`() throws {
    let workspace = try Workspace(Self.files)
    try workspace.trust()
    let settings = try workspace.load()
    for file in ["providers/own.yaml", "providers/late.yaml"] {
      try workspace.write(file, "id: own\nname: Own\nkind: file\nfile: ../other.db\n")
      let id = PathText.name(of: String(file.dropLast(5)))
      #expect(
        message { () throws(BitpalError) in try ProviderCatalog(settings: settings).specification(for: id) }
          == "./config.yaml has changed since it was trusted: no \(workspace.path)/\(file)")
    }
    try workspace.write("imports/bank.yaml", "id: bank\ncolumns: {}\n")
    #expect(
      message { () throws(BitpalError) in try ImportCatalog(settings: settings).specification(for: "bank") }
        .contains("has changed since it was trusted"))
    let tape = try ProviderCatalog(settings: settings).specification(for: "tape")
    #expect(throws: BitpalError.self) {
      try tape.trustedFiles?.check(Array("[]".utf8), of: workspace.path + "/tape/recording.har")
    }
    try tape.trustedFiles?.check(Array("{}".utf8), of: workspace.path + "/tape/recording.har")
    try tape.trustedFiles?.check([], of: workspace.path + "/notes.txt")
  }

  @Test func `Trust is renewed for what bitpal wrote, and for nothing else`() throws {
    let workspace = try Workspace(Self.files)
    let before = try content(workspace)
    let path = workspace.path + "/config.yaml"
    let old = Array((Self.files["config.yaml"] ?? "").utf8)
    let new = old + Array("aliases: { x: bitcoin }\n".utf8)
    try workspace.write("config.yaml", String(decoding: new, as: UTF8.self))
    let after = try content(workspace)
    #expect(after.change(since: before, except: [.init(path, before: old, after: new)]) == nil)
    #expect(after.change(since: before, except: []) == "config.yaml")
    // The file was another one when it was edited, or is another one now.
    #expect(after.change(since: before, except: [.init(path, before: new, after: new)]) == "config.yaml")
    #expect(after.change(since: before, except: [.init(path, before: old, after: old)]) == "config.yaml")
    try workspace.write("providers/mine.sh", "evil")
    #expect(
      try content(workspace).change(since: before, except: [.init(path, before: old, after: new)])
        == "providers/mine.sh")
  }

  @Test func `Renewal does not bring back a folder that was removed meanwhile`() throws {
    let workspace = try Workspace(Self.files)
    let folders = TrustedFolders(environment: workspace.environment())
    try workspace.trust()
    let before = try content(workspace)
    try workspace.write("prices.db", "other")
    let after = try content(workspace)
    #expect(try folders.remove(workspace.path))
    try folders.renew(after, from: before)
    #expect(try folders.all() == [])
    try folders.add(before)
    try folders.renew(after, from: before)
    #expect(try folders.all().map(\.digest) == [after.digest])
  }

  @Test(
    arguments: [
      ("providers/mine.sh", 0o666, "o-w"), ("config.yaml", 0o646, "o-w"), ("providers", 0o777, "o-w"),
      ("imports/bank.yaml", 0o602, "o-w"), (".", 0o757, "o-w"),
    ] as [(String, mode_t, String)])
  func `A file or folder that everybody may write is refused, with what fixes it`(
    name: String, mode: mode_t, fix: String
  ) throws {
    let workspace = try Workspace(Self.files)
    let path = PathText.joined(workspace.path, name)
    try #require(chmod(path, mode & ~0o020) == 0)
    let refusal = message { () throws(BitpalError) in
      guard let content = try SettingsLoader(environment: workspace.environment()).content() else { return }
      try TrustedFolders(environment: workspace.environment()).add(content)
    }
    #expect(refusal.contains("chmod \(fix) \(path)"), "\(refusal)")
    try #require(chmod(path, 0o700) == 0)
    try workspace.trust()
    #expect(try workspace.load().trust == .trusted)
    try #require(chmod(path, mode & ~0o020) == 0)
    #expect(try workspace.load().trust.untrustedFolder == workspace.path)
  }

  @Test(arguments: [
    (["python3", "-c", "1", "mine.sh"], "-c"), (["python3", "-Im", "moon"], "-Im"),
    (["env", "perl", "-we", "1"], "-we"),
    (["/bin/sh", "-ec", "ls"], "-ec"), (["jq", ".", "mine.sh"], "."), (["node", "--eval=1"], "--eval=1"),
    (["python3", "-X", "mine.sh", "-c", "1"], "-X"), (["env", "-S", "sh x"], "-S"),
    (["python3", "-I", "mine.sh"], nil), (["sh", "mine.sh", "-v"], nil), (["./mine.sh", "two words", "-c"], nil),
    (["awk", "-f", "mine.sh"], nil), (["./py", "-c", "1"], "-c"), (["./py", "mine.sh"], nil),
    (["perl", "-mMOD", "mine.sh"], "-mMOD"), (["perl", "-wT", "mine.sh"], nil), (["python3", "-I", "pkg"], "pkg"),
    (["node", "--require=./m.js", "mine.sh"], "--require=./m.js"), (["node", "--import", "mine.sh"], "--import"),
    (["deno", "eval", "1"], "eval"), (["env", "X=1", "sh", "mine.sh"], "X=1"), (["busybox", "sh", "mine.sh"], "sh"),
    (["env", "python3", "mine.sh"], nil), (["sh"], nil), (["sh", "-s"], "-s"),
  ])
  func `Code in a command is found`(command: [String], word: String?) throws {
    let workspace = try Workspace(Self.files)
    try workspace.write("providers/pkg/__main__.py", "")
    symlink("/bin/sh", PathText.joined(workspace.path, "providers/py"))
    #expect(PluginProgram(command: command, folder: workspace.path + "/providers").inlineCode == word)
  }
}
