import Foundation

/// A real `bitpal watch` of 100 coins at the shortest interval that is allowed.
struct WatchedProcess {
  private static let interval = 10

  private let world: World
  private let updates: Int

  init(_ world: World, seconds: Int) {
    self.world = world
    updates = max(2, seconds / Self.interval)
  }

  /// What it had in memory early on and after the last update, in KiB.
  func run() throws -> (early: (updates: Int, kiB: Int), last: Int, updates: Int) {
    try world.forget()
    let early = min(10, updates / 2)
    let command = world.bitpal(["watch"] + Bodies.ids(100) + ["--every", "\(Self.interval)s"])
    let before = world.server.count
    let process = try command.start()
    defer {
      kill(process, SIGTERM)
      _ = command.wait(for: process)
    }
    let atEarly = try resident(process, after: before + early)
    let atLast = try resident(process, after: before + updates)
    return ((early, atEarly), atLast, updates)
  }

  /// What is in memory a second after the server has been asked so many times.
  private func resident(_ process: pid_t, after count: Int) throws -> Int {
    let end = ContinuousClock.now + .seconds(Self.interval * (updates + 2))
    while world.server.count < count, .now < end { usleep(200_000) }
    sleep(1)
    guard world.server.count >= count, let kiB = Machine.residentKiB(of: "\(process)") else {
      throw Command.Failure(description: "watch ended early")
    }
    return kiB
  }
}
