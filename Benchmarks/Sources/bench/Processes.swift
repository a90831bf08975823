import Foundation

/// Whole processes: the tool beside `sqlite3`, run in turns so that both see the same machine.
struct Processes {
  let tool: String

  func rows() throws -> [Bench.Row] {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3") else {
      print("sqlite3 is not installed: no process is measured")
      return []
    }
    let home = NSTemporaryDirectory() + "bitpal-bench-home-\(getpid())"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: home) }
    setenv("HOME", home, 1)
    let cache = home + "/.cache/bitpal/cache.db"
    _ = try run(tool, ["price", "bitcoin"])
    let price = try inTurns((tool, ["price", "bitcoin"]), ("/usr/bin/sqlite3", [cache, "SELECT * FROM entry"]))
    let version = try inTurns((tool, ["--version"]), ("/usr/bin/sqlite3", ["--version"]))
    return [
      row("price bitcoin from the SQLite tier", price, "sqlite3, one SELECT", atMost: 2),
      row("--version", version, "sqlite3 --version", atMost: 1.5),
    ]
  }

  private func row(
    _ what: String, _ pair: (Measurement, Measurement), _ name: String, atMost: Double
  ) -> Bench.Row {
    let ratio = pair.0.duration / pair.1.duration
    return Bench.Row(
      what: what, measured: pair.0.text, against: "\(name) \(pair.1.text)",
      wanted: "<= \(atMost) x, is \(Double(Int(ratio * 100)) / 100)", met: ratio <= atMost ? "yes" : "NO")
  }

  private func inTurns(
    _ first: (String, [String]), _ second: (String, [String])
  ) throws -> (Measurement, Measurement) {
    var times: ([Duration], [Duration]) = ([], [])
    for _ in 0..<200 {
      times.0.append(try run(first.0, first.1))
      times.1.append(try run(second.0, second.1))
    }
    // The minimum: what a process takes when nothing disturbs it.
    return (Measurement(times.0.min() ?? .zero), Measurement(times.1.min() ?? .zero))
  }

  private func run(_ path: String, _ arguments: [String]) throws -> Duration {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let clock = ContinuousClock()
    return clock.measure {
      var process: pid_t = 0
      if posix_spawn(&process, path, &actions, nil, &words, environ) == 0 {
        var status: Int32 = 0
        waitpid(process, &status, 0)
      }
    }
  }
}
