import Bitpal
import BitpalModel
import BitpalProviders

/// Many who ask for the same thing at once, when nobody has it yet.
struct Flights {
  private let world: World

  init(_ world: World) {
    self.world = world
  }

  func table() async throws -> Table {
    // Long enough for all of them to be waiting.
    let delay = Duration.milliseconds(300)
    let service = world.service("flights")
    let tasks = try await world.server.requests(delay: delay) {
      try await Self.hundred { _ = try await service.quotes(["flight"], currency: "usd") }
    }
    let provider = world.provider()
    let alone = try await world.server.requests(delay: delay) {
      try await Self.hundred { _ = try await provider.answer(to: .quotes(coins: ["flight"], currency: "usd")) }
    }
    try world.forget()
    let processes = try await world.server.requests(delay: delay) {
      try Self.runAtOnce((0..<20).map { _ in world.bitpal("price", "flight") })
    }
    let worlds = try (0..<20).map { try world.sibling("flight-\($0)") }
    defer { for world in worlds { world.remove() } }
    let strangers = try await world.server.requests(delay: delay) {
      try Self.runAtOnce(worlds.map { $0.bitpal("price", "flight") })
    }
    return Table(
      "One cold key, asked for at once",
      [
        .count("100 tasks", tasks, "request", wanted: 1, "100 tasks at the bare provider", alone),
        .count("20 processes", processes, "request", wanted: 1, "20 processes with a cache each", strangers),
      ])
  }

  private static func hundred(_ ask: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { try await ask() } }
      try await group.waitForAll()
    }
  }

  private static func runAtOnce(_ commands: [Command]) throws {
    let started = try commands.map { ($0, try $0.start()) }
    for (command, process) in started {
      let status = command.wait(for: process)
      guard status == 0 else { throw Command.Failure(description: "\(command.arguments) ended with \(status)") }
    }
  }
}
