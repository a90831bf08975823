import Foundation

/// Whole processes that need no network, beside `sqlite3`.
struct Starts {
  private let world: World

  init(_ world: World) {
    self.world = world
  }

  func table() async throws -> Table {
    let title = "From the cache, whole process"
    let price = world.bitpal("price", "bitcoin")
    let select = Command("/usr/bin/sqlite3", [world.cacheFile, "SELECT * FROM entry"])
    let version = Command("/usr/bin/sqlite3", ["--version"])
    guard select.isThere else { return Table(title, [], notes: ["sqlite3 is not installed: nothing is measured."]) }
    try world.forget()
    try price.run()
    let fixture = world.bitpal(
      ["price", "bitcoin"], settings: FileManager.default.currentDirectoryPath + "/config.yaml")
    try fixture.run()
    let times = try Command.inTurns(
      [price, select, world.bitpal("--version"), version, fixture, world.bitpal("config", "path")], rounds: 200)
    func counted(_ what: String, _ count: (Command) throws -> Int, atMost: Int) throws -> Row {
      let (ours, theirs) = (try count(price), try count(select))
      return Row(
        what: what, measured: "\(ours)", against: "sqlite3: \(theirs)",
        ratio: Row.ratio(Double(ours) / Double(theirs)), wanted: "at most \(atMost)", met: Row.verdict(ours <= atMost))
    }
    return Table(
      title,
      [
        .within("`bitpal price bitcoin`, SQLite tier", times[0], "sqlite3, one SELECT", times[1], atMost: 1.7),
        .within("`bitpal --version`", times[2], "sqlite3 --version", times[3], atMost: 1.3),
        .within("`bitpal config path`", times[5], "sqlite3 --version", times[3], atMost: 1.5),
        .within("`bitpal price bitcoin`, demo recording", times[4], "sqlite3, one SELECT", times[1], atMost: nil),
        try counted("calls of the system of a cached price", { try $0.systemCalls() }, atMost: 150),
        try counted("page faults of a cached price", { try $0.pageFaults() }, atMost: 255),
      ])
  }
}
