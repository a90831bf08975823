import Foundation

/// What machines share on a real `redis-server`, beside `redis-cli`.
struct Fleets {
  private let world: World

  init(_ world: World) {
    self.world = world
  }

  func table() async throws -> Table {
    let title = "A fleet, whole processes"
    let machine = try world.sibling("fleet")
    defer { machine.remove() }
    let socket = machine.home + "/redis.sock"
    let server = Command(
      "/usr/bin/redis-server",
      ["--port", "0", "--unixsocket", socket, "--save", "", "--dir", machine.home, "--daemonize", "no"])
    func client(_ words: String...) -> Command { Command("/usr/bin/redis-cli", ["-s", socket] + words) }
    guard server.isThere, client().isThere else {
      return Table(title, [], notes: ["redis-server is not installed: nothing is measured."])
    }
    let process = try server.start()
    defer {
      kill(process, SIGTERM)
      _ = server.wait(for: process)
    }
    for _ in 0..<200 where (try? client("ping").run()) == nil { try await Task.sleep(for: .milliseconds(10)) }

    let alone = machine.home + "/config.yaml"
    let together = machine.home + "/fleet.yaml"
    let settings = try String(contentsOfFile: alone, encoding: .utf8)
    try (settings + "fleet: { redis: \(socket) }\n").write(toFile: together, atomically: true, encoding: .utf8)
    func price(_ settings: String, _ options: String...) -> Command {
      machine.bitpal(["price", "bitcoin"] + options, settings: settings)
    }
    try price(together).run()
    let key = try client("--raw", "keys", "bitpal:1:answer:*").output().trimmingCharacters(in: .newlines)
    // The answer of another machine: this one has forgotten its own.
    let left = try Command.inTurns([price(together), client("get", key)], rounds: 100) { index in
      if index == 0 { try machine.forget() }
    }
    try price(together).run()
    let others = try Command.inTurns(
      [price(together, "--refresh"), price(alone, "--refresh"), price(together), price(alone)], rounds: 100)
    return Table(
      title,
      [
        .within("an answer that another machine has left", left[0], "redis-cli GET", left[1], atMost: 2),
        .beyond(
          "a price from the source, by the count of all", others[0], "by this machine's", others[1],
          atMost: left[1].duration * 2),
        .within("a price from the cache, with a fleet", others[2], "without", others[3], atMost: 1.05),
      ])
  }
}
