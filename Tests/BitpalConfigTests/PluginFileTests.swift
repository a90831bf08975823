import BitpalFiles
import BitpalModel
import BitpalProviders
import FoundationEssentials
import TestSupport
import Testing

@testable import BitpalConfig

@Suite struct `Provider files of plugins` {
  static let head = "id: mine\nname: Mine\nkind: plugin\nhosts: [API.mine.example, \"[::1]\"]\n"

  private func program(_ workspace: Workspace, _ settings: String = "") throws -> PluginProgram {
    let catalog = try `Finding and reading provider files`.catalog(workspace, settings)
    return try #require(try catalog.specification(for: "mine").plugin)
  }

  @Test func `Say what runs and where, and what every provider has`() throws {
    let workspace = try Workspace([
      "providers/mine.yaml": Self.head + """
        command: [python3, -I, mine.py, "an argument"]
        rate_limit: [5/1s, 100/1m]
        timeout: 3s
        max_age: 2h
        currencies: [usd]
        symbols: { bitcoin: XBT }
        attribution: Prices by mine
        key_env: MINE_KEY
        key_hosts: [api.mine.example]

        """
    ])
    let specification = try `Finding and reading provider files`.catalog(workspace).specification(for: "mine")
    let program = try #require(specification.plugin)
    #expect(program.command == ["python3", "-I", "mine.py", "an argument"])
    #expect(program.folder == workspace.path + "/providers")
    #expect(program.hosts == ["api.mine.example", "[::1]"])
    #expect(specification.kindName == "plugin" && specification.needsNetwork && !specification.kind.needsKey)
    #expect(specification.rateLimits.count == 2 && specification.timeout == .seconds(3))
    #expect(specification.keyHosts == ["api.mine.example"] && specification.keyEnvironment == "MINE_KEY")
    #expect(specification.currencies == ["usd"] && specification.symbols == ["bitcoin": "XBT"])
    #expect(specification.kind.examples == [])
  }

  @Test func `A setting may start another program, from the folder of the settings`() throws {
    let workspace = try Workspace(["providers/mine.yaml": Self.head + "command: [./mine]\n"])
    let program = try program(workspace, "providers: { mine: { command: [./other, -v] } }")
    #expect(program.command == ["./other", "-v"] && program.folder == workspace.path)
  }

  @Test func `The program's own files are those that its command names, links followed`() throws {
    let workspace = try Workspace([
      "providers/mine.yaml": Self.head
        + "command: [./run, -x, run, mine.py, ../lib/help.py, lib, gone, /etc/hostname]\n",
      "providers/run": "", "providers/-x": "", "providers/mine.py": "", "lib/help.py": "", "providers/lib/x": "",
    ])
    let files = try program(workspace).files.map { $0.replacing(workspace.path + "/providers/", with: "") }
    #expect(files == ["./run", "run", "mine.py", "../lib/help.py", "/etc/hostname"])
    let inPath = try Workspace(["providers/mine.yaml": Self.head + "command: [mine.py]\n", "providers/mine.py": ""])
    #expect(try program(inPath).files == [])
  }

  @Test func `An example has one body for all requests, or one for each`() throws {
    let workspace = try Workspace([
      "providers/mine.yaml": Self.head + """
        command: [./mine]
        examples:
          - ask: quotes
            coin: bitcoin
            now: 2026-11-22T10:00:00Z
            body: one for all
            rows: [{ price: 1 }]
          - ask: detail
            coin: bitcoin
            body: ["the first", the second]
            rows: [{ price: 1 }]
          - ask: coin_list
            body_file: [a.json, b.json]
            error: not_found

        """,
      "providers/a.json": "A", "providers/b.json": "B",
    ])
    let examples = try program(workspace).examples
    #expect(examples.map(\.now) == [Date(utcText: "2026-11-22T10:00:00Z"), nil, nil])
    #expect(examples.map(\.furtherBodies.count) == [0, 1, 1])
    #expect(examples.first?.body == .inline("one for all") && examples.last?.expectation == .failure(.notFound))
  }

  @Test(arguments: [
    BadFile(
      "without a program", head,
      """
      providers/mine.yaml: the key "command" is missing
      """),
    BadFile(
      "without hosts", "id: mine\nname: Mine\nkind: plugin\ncommand: [./mine]\n",
      """
      providers/mine.yaml: the key "hosts" is missing
      """),
    BadFile(
      "with a URL for a host", "id: mine\nname: Mine\nkind: plugin\ncommand: [./mine]\nhosts: [https://x.example/]\n",
      """
      providers/mine.yaml:5:9: hosts must hold hosts like api.example.com, without https:// or a path
        hosts: [https://x.example/]
                ^
      """),
    BadFile(
      "with a shell's line for a program", head + "command: python3 mine.py\n",
      """
      providers/mine.yaml:5:10: command must be a list of 1 to 32 words: the program and its arguments, like \
      [python3, mine.py]
        command: python3 mine.py
                 ^
      """),
    BadFile(
      "with words that are none", head + "command: [\"\", \"a\\0b\", [c]]\n",
      """
      providers/mine.yaml:5:11: command has no value
        command: ["", "a\\0b", [c]]
                  ^
      providers/mine.yaml:5:15: a text cannot contain a NUL character
        command: ["", "a\\0b", [c]]
                      ^
      providers/mine.yaml:5:23: command must be a word, not a list
        command: ["", "a\\0b", [c]]
                              ^
      """),
    BadFile(
      "with what belongs to other kinds",
      head + "command: [./mine]\nbase_url: https://mine.example\nquotes: {}\nids: {}\nheaders: {}\ntier: demo\n"
        + "recording: x\nfile: y\ncurrencies: { usd: USDT }\n",
      """
      providers/mine.yaml:6:1: base_url is of no use to kind: plugin, whose program says where to ask
        base_url: https://mine.example
        ^
      providers/mine.yaml:7:1: quotes is only for kind: http
        quotes: {}
        ^
      providers/mine.yaml:8:1: ids is only for kind: http
        ids: {}
        ^
      providers/mine.yaml:9:1: headers is only for kind: http
        headers: {}
        ^
      providers/mine.yaml:10:1: tier is only for kind: coingecko
        tier: demo
        ^
      providers/mine.yaml:11:1: recording is only for kind: recorded
        recording: x
        ^
      providers/mine.yaml:12:1: file is only for kind: file
        file: y
        ^
      providers/mine.yaml:13:13: currencies of a plugin are a list: what its source calls them is the program's affair
        currencies: { usd: USDT }
                    ^
      """),
    BadFile(
      "with examples that are none",
      head + "command: [./mine]\nexamples:\n  - { ask: quotes, coin: a, body: [], rows: [] }\n"
        + "  - { ask: quotes, coin: a, body: [[x]], rows: [] }\n  - { ask: quotes, coin: a, now: soon, body: x, rows: [] }\n",
      """
      providers/mine.yaml:7:35: body must hold a body for each request
          - { ask: quotes, coin: a, body: [], rows: [] }
                                          ^
      providers/mine.yaml:8:36: body must be text; put  |  after body: and the text below it
          - { ask: quotes, coin: a, body: [[x]], rows: [] }
                                           ^
      providers/mine.yaml:9:34: now must be a time like 2025-01-15T10:30:00Z, not "soon"
          - { ask: quotes, coin: a, now: soon, body: x, rows: [] }
                                         ^
      """),
    BadFile(
      "that are of kind http, with a body for each request",
      "id: mine\nname: M\nkind: http\nbase_url: https://a.b\ncommand: [x]\nquotes: { get: /x, fields: { price: $.p } }\n"
        + "examples:\n  - { ask: quotes, coin: a, body: [x, y], rows: [] }\n",
      """
      providers/mine.yaml:5:1: command is only for kind: plugin
        command: [x]
        ^
      providers/mine.yaml:8:35: body must be text; put  |  after body: and the text below it
          - { ask: quotes, coin: a, body: [x, y], rows: [] }
                                          ^
      """),
  ])
  func `Every mistake in a file is reported with its place`(file: BadFile) throws {
    let workspace = try Workspace(["providers/mine.yaml": file.text])
    #expect(try `Finding and reading provider files`.complaint(workspace, "mine") == file.complaint)
  }
}
