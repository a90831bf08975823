import Foundation

/// `bitpal serve` under load, beside a proxy of the usual make.
struct Serving {
  private static let connections = 20
  private let world: World

  init(_ world: World) {
    self.world = world
  }

  /// A server that runs.
  private struct Server {
    let process: pid_t
    let command: Command
    let url: String

    func stop() {
      kill(process, SIGTERM)
      _ = command.wait(for: process)
    }
  }

  /// What a load was answered.
  private struct Load {
    let perSecond: Double

    /// In milliseconds.
    let p99: Double
    let failures: Int
  }

  func table() async throws -> Table {
    let title = "`bitpal serve`"
    guard Command("/usr/bin/wrk", []).isThere else {
      return Table(title, [], notes: ["wrk is not installed: nothing is measured."])
    }
    var rows = [try ready()]
    var notes: [String] = []
    try world.forget()
    let server = try served()
    defer { server.stop() }
    let path = "/api/v3/simple/price?ids=coin-0&vs_currencies=usd"
    rows.append(try await coldKey(server))
    try Command("/usr/bin/curl", ["-sf", server.url + path]).run()
    let trouble = try Command("Benchmarks/peers.sh", ["Benchmarks/.build/peers"]).output()
    let proxy = trouble.isEmpty ? try proxied(server) : nil
    defer { proxy?.stop() }
    if !trouble.isEmpty { notes.append(trouble.trimmingCharacters(in: .whitespacesAndNewlines)) }
    var ours: [Load] = []
    var theirs: [Load] = []
    for _ in 0..<5 {
      ours.append(try load(server.url + path, seconds: 3))
      if let proxy { theirs.append(try load(proxy.url + path, seconds: 3)) }
    }
    let (our, their) = (Self.middle(ours), theirs.isEmpty ? nil : Self.middle(theirs))
    let theirText = their.map { "a WSGI proxy with requests-cache: \(Self.rate($0.perSecond))" } ?? "-"
    let times = their.map { our.perSecond / $0.perSecond }
    rows.append(
      Row(
        what: "cached `simple/price`, \(Self.connections) connections", measured: Self.rate(our.perSecond),
        against: theirText, ratio: times.map(Row.ratio) ?? "", wanted: "at least 14,000/s, 10 x",
        met: Row.verdict(our.perSecond >= 14_000 && times ?? 0 >= 10 && our.failures == 0)))
    rows.append(
      Row(
        what: "the same, 99 of 100 answered within", measured: "\(our.p99.rounded(places: 2)) ms",
        against: their.map { "the proxy: \($0.p99.rounded(places: 2)) ms" } ?? "-", wanted: "at most 5 ms",
        met: Row.verdict(our.p99 <= 5)))
    rows.append(try memory(server, path))
    let readers = Readers(process: server.process, url: server.url)
    rows.append(try readers.many())
    rows += try readers.memory()
    notes.append(
      "The load is wrk's, on the same two cores; the proxy is `Benchmarks/proxy.py` on gunicorn with two processes.")
    return Table(title, rows, notes: notes)
  }

  // MARK: What is measured

  /// From the start of the process to its first line.
  private func ready() throws -> Row {
    var times: [Duration] = []
    for _ in 0..<21 {
      let clock = ContinuousClock()
      let began = clock.now
      let server = try served()
      times.append(clock.now - began)
      server.stop()
    }
    let start = try Measurement(median: (0..<21).map { _ in try world.bitpal("--version").run() })
    return .limit("ready", Measurement(median: times), .milliseconds(12), "`bitpal --version`", start)
  }

  private func coldKey(_ server: Server) async throws -> Row {
    let clients = Command(
      "/usr/bin/curl",
      [
        "-sfZ", "--parallel-immediate", "--parallel-max", "200", "-o", "/dev/null",
        server.url + "/api/v3/simple/price?ids=coin-1&vs_currencies=usd&x=[1-200]",
      ])
    let requests = try await world.server.requests { try clients.run() }
    return .count("200 clients at once on one cold key", requests, "request", wanted: 1, "clients", 200)
  }

  private func memory(_ server: Server, _ path: String) throws -> Row {
    func resident() throws -> Int {
      guard let kiB = Machine.residentKiB(of: "\(server.process)") else {
        throw Command.Failure(description: "serve ended early")
      }
      return kiB
    }
    let early = try resident()
    var count = 0.0
    while count < 240_000 { count += try load(server.url + path, seconds: 3).perSecond * 3 }
    let late = try resident()
    return Row(
      what: "in memory after 240,000 requests more", measured: Memory.text(late),
      against: "before: \(Memory.text(early))", ratio: Row.ratio(Double(late) / Double(early)),
      wanted: "at most 40 MiB", met: Row.verdict(late <= 40 * 1024))
  }

  // MARK: Running

  private func served() throws -> Server {
    let command = world.bitpal("serve", "--listen", "127.0.0.1:0")
    let file = world.home + "/served"
    try? FileManager.default.removeItem(atPath: file)
    let process = try command.start(output: file)
    for _ in 0..<20_000 {
      if let said = try? String(contentsOfFile: file, encoding: .utf8), said.hasSuffix("\n") {
        return Server(process: process, command: command, url: String(said.dropLast()))
      }
      usleep(200)
    }
    kill(process, SIGKILL)
    throw Command.Failure(description: "serve does not say where it listens")
  }

  /// A proxy that has our server behind it; what is measured comes from its cache.
  private func proxied(_ server: Server) throws -> Server {
    // A port that was free a moment ago.
    let port = try Loopback().port &+ 1
    let url = "http://127.0.0.1:\(port)"
    let command = Command(
      "Benchmarks/.build/peers/bin/gunicorn",
      ["-w", "2", "-b", "127.0.0.1:\(port)", "--chdir", "Benchmarks", "--log-level", "error", "proxy:app"],
      environment: ["UPSTREAM": server.url, "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"])
    let process = try command.start()
    let path = "/api/v3/simple/price?ids=coin-0&vs_currencies=usd"
    for _ in 0..<100 {
      if (try? Command("/usr/bin/curl", ["-sf", url + path]).run()) != nil {
        return Server(process: process, command: command, url: url)
      }
      usleep(100_000)
    }
    kill(process, SIGKILL)
    throw Command.Failure(description: "the proxy does not answer")
  }

  private func load(_ url: String, seconds: Int) throws -> Load {
    let text = try Command(
      "/usr/bin/wrk", ["-t1", "-c\(Self.connections)", "-d\(seconds)s", "--latency", url]
    ).output()
    // The name begins its line: another one may contain it, as 70.99% contains 99%.
    let lines = text.split(separator: "\n").map { $0.drop(while: \.isWhitespace) }
    func word(after name: String) -> String? {
      let line = lines.first { $0.hasPrefix(name) }
      return line?.dropFirst(name.count).split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
    guard let perSecond = word(after: "Requests/sec:").flatMap({ Double($0) }), let slow = word(after: "99%"),
      let p99 = Self.milliseconds(slow)
    else { throw Command.Failure(description: "wrk said: \(text)") }
    let failures = word(after: "Non-2xx or 3xx responses:").flatMap { Int($0) } ?? 0
    return Load(perSecond: perSecond, p99: p99, failures: failures)
  }

  /// `2.49ms`, `830.00us`, `1.20s`.
  private static func milliseconds(_ text: String) -> Double? {
    for (unit, factor) in [("us", 0.001), ("ms", 1.0), ("s", 1000.0)] where text.hasSuffix(unit) {
      return Double(text.dropLast(unit.count)).map { $0 * factor }
    }
    return nil
  }

  /// The load in the middle of several.
  private static func middle(_ loads: [Load]) -> Load {
    loads.sorted { $0.perSecond < $1.perSecond }[loads.count / 2]
  }

  private static func rate(_ perSecond: Double) -> String { "\(Int(perSecond))/s" }
}
