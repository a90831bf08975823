/// Prices that nobody has: the whole way, over a socket.
struct ColdPrices {
  private let world: World

  init(_ world: World) {
    self.world = world
  }

  func table() async throws -> Table {
    let title = "Cold, whole process, over a loopback server"
    let ten = world.bitpal(["price"] + Bodies.ids(10))
    try world.forget()
    let requests = try await world.server.requests { try ten.run() }
    let curl = world.curl(world.server.lastTarget)
    guard curl.isThere else { return Table(title, [], notes: ["curl is not installed: nothing is measured."]) }
    let times = try Command.inTurns([ten, curl], rounds: 100) { if $0 == 0 { try world.forget() } }
    return Table(
      title,
      [
        .within("`bitpal price` of 10 coins, no cache file", times[0], "curl of the same URL", times[1], atMost: 2),
        .count("its requests, counted by the server", requests, "request", wanted: 1, "coins asked for", 10),
      ])
  }
}
