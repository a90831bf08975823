import Foundation

/// Resident memory: the peak of short commands, and what stays of long ones.
struct Memory {
  private let world: World

  /// How long a real `bitpal watch` is watched.
  private let seconds: Int

  init(_ world: World, seconds: Int) {
    self.world = world
    self.seconds = seconds
  }

  func table() async throws -> Table {
    var rows: [Row] = []
    var notes: [String] = []
    let ten = world.bitpal(["price"] + Bodies.ids(10))
    try world.forget()
    let cold = try ten.peakKiB()
    let target = world.server.lastTarget
    let cached = try ten.peakKiB()
    if let cold, let cached, let curl = try world.curl(target).peakKiB(),
      let sqlite = try Command("/usr/bin/sqlite3", [world.cacheFile, "SELECT * FROM entry"]).peakKiB()
    {
      rows.append(Self.row("`price` of 10 coins, cold, peak", cold, "curl, peak", curl, limit: 20))
      rows.append(Self.row("the same from the SQLite tier, peak", cached, "sqlite3, peak", sqlite, limit: 20))
    } else {
      notes.append("GNU time, curl or sqlite3 is not installed: no peak is measured.")
    }
    let hour = try WatchedHour.inItsOwnProcess(world)
    rows.append(
      Self.row(
        "an hour of refreshing 100 coins, the service with a clock of its own", hour.last,
        "after 10 of 120", hour.tenth, limit: 40))
    if seconds > 0 {
      let watch = try WatchedProcess(world, seconds: seconds).run()
      rows.append(
        Self.row(
          "`watch` of 100 coins, a real process", watch.last,
          "after \(watch.early.updates) of \(watch.updates) updates", watch.early.kiB, limit: 40))
    }
    notes.append("Flat is a ratio of 1.")
    return Table("Resident memory", rows, notes: notes)
  }

  private static func row(_ what: String, _ kiB: Int, _ name: String, _ other: Int, limit: Int) -> Row {
    Row(
      what: what, measured: text(kiB), against: "\(name): \(text(other))",
      ratio: Row.ratio(Double(kiB) / Double(other)),
      wanted: "at most \(limit) MiB", met: Row.verdict(kiB <= limit * 1024))
  }

  static func text(_ kiB: Int) -> String { "\((Double(kiB) / 1024).rounded(places: 1)) MiB" }
}
