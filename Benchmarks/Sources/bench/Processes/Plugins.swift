import Bitpal
import BitpalConfig
import BitpalModel
import Foundation

/// A question to a plugin in Python that runs, and the same to a declared source; and what is cached of either.
struct Plugins {
  private let world: World

  init(_ world: World) {
    self.world = world
  }

  func table() async throws -> Table {
    let title = "A plugin in Python, beside a declared source"
    let python = "/usr/bin/python3"
    guard FileManager.default.isExecutableFile(atPath: python) else {
      return Table(title, [], notes: ["\(python) is not installed: nothing is measured."])
    }
    try write("plugin.py", Self.program(world.server.url))
    try write(
      "plugin.yaml",
      "id: plugin\nname: P\nkind: plugin\ncommand: [\(python), plugin.py]\nhosts: [127.0.0.1]\nrate_limit: 1000000/1s\n"
    )
    try write(
      "declared.yaml",
      """
      id: declared
      name: D
      kind: http
      base_url: \(world.server.url)
      rate_limit: 1000000/1s
      quotes: { get: "/coincap/{id}", fields: { price: $.data.priceUsd } }

      """)
    let declared = try await asking("declared")
    let plugin = try await asking("plugin")
    let asked = try await Measurement.inTurns(repeated(plugin), repeated(declared))
    let cached = try ["plugin", "declared"].map { name in
      let settings = world.home + "/\(name)/config.yaml"
      try FileManager.default.createDirectory(atPath: world.home + "/\(name)", withIntermediateDirectories: true)
      let text = "bitpal: 1\nprovider: \(name)\nproviders_dir: ../providers\ncache: { ttl: { quotes: 1h } }\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: settings))
      let command = world.bitpal(["price", "bitcoin"], settings: settings)
      try command.run()
      return command
    }
    let processes = try Command.inTurns(cached, rounds: 100)
    return Table(
      title,
      [
        .beyond("a price, asked for over and over", asked[0], "declared", asked[1], atMost: .milliseconds(1)),
        .within("`bitpal price bitcoin`, cached, whole process", processes[0], "declared", processes[1], atMost: nil),
      ])
  }

  /// Asks for a price, whatever is cached.
  private func asking(_ provider: String) async throws -> () async throws -> Void {
    let settings = Settings(
      provider: [provider], providersDirs: [world.home + "/providers"],
      cache: CacheSettings(path: world.home + "/\(provider).db"))
    let environment = Environment(
      variables: ["HOME": world.home, "PATH": "/usr/bin:/bin"], currentDirectory: world.home)
    let service = try Assembly(settings: settings, environment: environment).priceService()
    return {
      let answer = try await service.quotes(["bitcoin"], currency: "usd", policy: .refresh)
      guard answer.quotes.count == 1 else { throw Command.Failure(description: "\(provider) has no price") }
    }
  }

  private func write(_ name: String, _ text: String) throws {
    let folder = world.home + "/providers"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
  }

  private static func program(_ url: String) -> String {
    """
    import json, sys
    for line in sys.stdin:
        question = json.loads(line)
        if "hello" in question:
            answer = {"bitpal": 1, "answers": ["quotes"]}
        elif "plan" in question:
            answer = {"requests": [{"url": "\(url)/coincap/" + question["plan"]["coins"][0]}]}
        else:
            data = json.loads(question["parse"]["responses"][0]["body"])["data"]
            answer = {"rows": [{"id": data["id"], "price": data["priceUsd"]}]}
        print(json.dumps(answer), flush=True)

    """
  }
}
