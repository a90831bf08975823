import Foundation
import Glibc
import LoopbackServer
import TestSupport
import Testing

/// `bitpal serve`, running.
final class Serving {
  /// It has not said where it listens.
  struct Silent: Error { let errors: String }

  let url: String
  private let child: Child
  private let folder: String

  /// - Parameter start: Starts the tool with those words, and with its streams going there.
  init(
    _ folder: String, _ arguments: [String] = [], _ start: ([String], _ output: Int32, _ errors: Int32) throws -> Child
  ) throws {
    self.folder = folder
    let streams = ["/served", "/served-errors"].map {
      open(folder + $0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    }
    defer { for stream in streams { close(stream) } }
    child = try start(["serve", "--listen", "127.0.0.1:0"] + arguments, streams[0], streams[1])
    for _ in 0..<12_000 {
      let said = try String(contentsOfFile: folder + "/served", encoding: .utf8)
      if said.hasSuffix("\n") {
        url = String(said.dropLast())
        return
      }
      usleep(10_000)
    }
    child.send(SIGKILL)
    throw Silent(errors: (try? String(contentsOfFile: folder + "/served-errors", encoding: .utf8)) ?? "")
  }

  convenience init(_ world: World, _ arguments: [String] = [], variables: [String: String] = [:]) throws {
    try self.init(world.folder, arguments) {
      try world.start(Repository.tool, $0, variables: variables, output: $1, errors: $2)
    }
  }

  convenience init(_ live: LiveWorld, _ arguments: [String] = []) throws {
    try self.init(live.world.folder, arguments) { try live.start($0, output: $1, errors: $2) }
  }

  /// What it said on standard error until now.
  var errors: String { (try? String(contentsOfFile: folder + "/served-errors", encoding: .utf8)) ?? "" }

  func send(_ signal: Int32) { child.send(signal) }

  func wait() -> Child.Ending { child.wait() }

  func stop() -> Child.Ending {
    send(SIGTERM)
    return wait()
  }
}

@Suite(.ownThreads) struct `Prices over HTTP` {
  @Test func `Served answers equal those of the command line, byte for byte`() throws {
    let world = try World()
    let serving = try Serving(world)
    defer { #expect(serving.stop() == .exited(0)) }
    for (path, command) in [
      ("price?coins=btc,eth", "price btc eth"), ("coin/btc", "coin btc"),
      ("chart/eth?range=1W&points=20", "chart eth --range 1W --points 20"),
      ("chart/btc?type=candle", "chart btc --type candle"),
      ("history/btc?from=2025-01-10&to=2025-01-12", "history btc --from 2025-01-10 --to 2025-01-12"),
      ("price?coins=btc&currency=eur", "price btc --currency eur"),
    ] {
      let served = try world.run("curl -s '\(serving.url)/v1/\(path)'").output
      #expect(served == (try world.run("bitpal \(command) --format json")).output, "\(path)")
      #expect(served.hasPrefix("{\n"))
    }
    let svg = try world.run("curl -s '\(serving.url)/v1/chart/btc.svg?range=1W'").output
    #expect(svg == (try world.run("bitpal chart btc --range 1W --svg -")).output)
  }

  @Test func `The address is reported to the service manager, and a second server cannot use it`() throws {
    let world = try World()
    let serving = try Serving(world)
    defer { #expect(serving.stop() == .exited(0)) }
    let address = serving.url.dropFirst("http://".count)
    let second = try world.run("bitpal serve --listen \(address)")
    #expect(second.status == 4 && second.errors.contains("Address already in use"))
    let ready = try world.run(
      "bitpal serve --listen 127.0.0.1:0 --ready-fd 3 3>ready >address & until [ -s address ]; do sleep 0.05; done; "
        + "kill $!; wait $!; echo $?; cmp ready address && cat ready")
    #expect(ready.output.hasPrefix("0\nhttp://127.0.0.1:"))
  }

  @Test func `The check of a server says by its status whether bitpal answers at the address`() throws {
    let world = try World()
    let serving = try Serving(world)
    let address = serving.url.dropFirst("http://".count)
    func check(_ address: some StringProtocol) throws -> World.Outcome {
      try world.run("https_proxy=http://127.0.0.1:9 bitpal serve --check --listen \(address)")
    }
    #expect(try check(address) == World.Outcome(output: "", errors: "", status: 0))
    #expect(try check("0.0.0.0:\(address.split(separator: ":")[1])").status == 0)
    #expect(serving.stop() == .exited(0))
    let absent = try check(address)
    #expect(absent.status == 1 && absent.errors.contains("127.0.0.1"), "\(absent.errors)")
    let other = try LoopbackServer { _ in .ok(json: "{}") }
    defer { other.stop() }
    let foreign = try check(other.url.dropFirst("http://".count))
    #expect(foreign.status == 1 && foreign.errors.contains("another program answers there"), "\(foreign.errors)")
    for wrong in ["192.0.2.1:8642", "127.0.0.1:0"] { #expect(try check(wrong).status == 2) }
  }

  @Test func `Other users need a token, which only the owner can read`() throws {
    let world = try World()
    let open = try world.run("bitpal serve --listen 0.0.0.0:0")
    #expect(open.status == 3 && open.errors.contains("--token-file FILE"))
    try world.write("a long enough\n", to: "words")
    try world.write("CANARY-0123456789abcdef\n", to: "token")
    for (file, reason) in [
      ("none", "no such file"), ("words", "holds no token"), ("token", "others can read this token"),
    ] {
      _ = try world.run("chmod 600 words; chmod 644 token")
      let outcome = try world.run("bitpal serve --listen 0.0.0.0:0 --token-file \(file)")
      #expect(outcome.status == 3 && outcome.errors.lowercased().contains(reason), "\(outcome.errors)")
    }
    _ = try world.run("chmod 600 token")
    let serving = try Serving(world, ["-v", "--token-file", world.absolute("token")])
    defer { #expect(serving.stop() == .exited(0)) }
    func status(_ arguments: String) throws -> String {
      try world.run("curl -s -o /dev/null -w '%{http_code}' \(arguments)").output
    }
    let price = "'\(serving.url)/v1/price?coins=btc&x_cg_demo_api_key=CANARY'"
    #expect(try status(price) == "401")
    #expect(try status("-H 'Authorization: Bearer wrong' \(price)") == "401")
    #expect(try status("-H 'Authorization: Bearer CANARY-0123456789abcdef' \(price)") == "200")
    #expect(try status("\(serving.url)/healthz") == "200")
    #expect(try status("-H 'Host: evil.example' \(serving.url)/healthz") == "421")
    #expect(serving.errors.contains("GET /v1/price?coins=btc&x_cg_demo_api_key=… 200, "))
    #expect(!serving.errors.contains("CANARY"))
  }

  @Test func `Two hundred clients that want one cold price are one request of the source`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url)
    let serving = try Serving(live)
    defer { #expect(serving.stop() == .exited(0)) }
    let statuses = try live.run(
      "curl -sZ --parallel-immediate --parallel-max 200 -o /dev/null -w '%{http_code}\\n' "
        + "'\(serving.url)/api/v3/simple/price?ids=bitcoin&vs_currencies=usd&x=[1-200]' | sort | uniq -c"
    ).output
    #expect(statuses.split(whereSeparator: \.isWhitespace) == ["200", "200"])
    #expect(server.requests.count == 1)
    let metrics = try live.run("curl -s \(serving.url)/metrics").output
    #expect(metrics.contains("bitpal_source_requests_total 1\n"))
    #expect(metrics.contains(#"bitpal_http_requests_total{path="/api/v3/simple/price",status="200"} 200"# + "\n"))
  }

  @Test func `With --max-stale 0s an expired answer never stands in for a source that fails`() throws {
    for (limit, status) in [("0s", "502"), ("1h", "200")] {
      let server = try MarketServer()
      let live = try LiveWorld(server.url, settings: LiveWorld.staleAtOnce)
      let serving = try Serving(live, ["--max-stale", limit])
      defer { #expect(serving.stop() == .exited(0)) }
      let ask = "curl -s -o body -w '%{http_code}' '\(serving.url)/v1/price?coins=bitcoin'"
      #expect(try live.run(ask).output == "200")
      server.turn(.status(401))
      #expect(try live.run(ask).output == status, "\(limit)")
      let isStale = try live.run("grep -c '\"stale\": true' body").output
      #expect(isStale == (limit == "1h" ? "1\n" : "0\n"), "\(limit)")
    }
    let wrong = try World().run("bitpal serve --max-stale soon")
    #expect(wrong.status == 2 && wrong.errors.contains("--max-stale: \"soon\" is not a duration"))
  }

  @Test func `Requests in progress are finished when it ends`() throws {
    let row = #"[{"id":"bitcoin","symbol":"btc","name":"Bitcoin","current_price":1.5}]"#
    let (begun, released) = (Arrivals(), Arrivals())
    let server = try LoopbackServer { _ in
      begun.add()
      released.wait(for: 1)
      return .ok(json: row)
    }
    defer { server.stop() }
    let live = try LiveWorld(server.url)
    let serving = try Serving(live, ["--timeout", "10m"])
    let clients = try live.world.start(
      "/bin/sh",
      [
        "-c",
        "curl -sZ --parallel-immediate --parallel-max 100 -o /dev/null -w '%{http_code}\\n' "
          + "'\(serving.url)/api/v3/simple/price?ids=bitcoin&vs_currencies=usd&x=[1-100]' > statuses",
      ])
    begun.wait(for: 1)
    // All of them have come when the server counts them, and wait for the one answer.
    for _ in 0..<5000 {
      if try live.run("curl -s \(serving.url)/metrics").output.contains("bitpal_http_connections 101\n") { break }
    }
    serving.send(SIGTERM)
    released.add()
    #expect(serving.wait() == .exited(0))
    #expect(clients.wait() == .exited(0))
    let statuses = try String(contentsOfFile: live.world.work + "/statuses", encoding: .utf8)
    #expect(statuses == String(repeating: "200\n", count: 100))
    #expect(try live.run("curl -s \(serving.url)/healthz").status == 7)
  }

  @Test(arguments: [SIGINT, SIGHUP])
  func `Other wishes to end are heard too`(signal: Int32) throws {
    let serving = try Serving(try World())
    serving.send(signal)
    #expect(serving.wait() == .exited(0))
  }

  @Test func `The questions of its clients are recorded, and the recording gives the same answers`() throws {
    let world = try World()
    let source = try SimulatedSource(in: world)
    defer { source.stop() }
    func ask(_ serving: Serving) throws -> String {
      try [
        "/api/v3/simple/price?ids=bitcoin,ethereum&vs_currencies=usd", "/v1/price?coins=bitcoin", "/v1/coin/bitcoin",
      ].map { path in
        let same = "sed '/schema/d; /fetched_at/d; s/recording:..tape/coingecko/'"
        return try world.run("curl -s '\(serving.url)\(path)' | \(same)").output
      }.joined()
    }
    let serving = try Serving(world, ["-p", "coingecko", "--record", "./tape"])
    let answers = try ask(serving)
    #expect(answers.contains("96841"))
    #expect(serving.stop() == .exited(0))
    #expect(serving.errors.contains("in ./tape; to replay: bitpal serve -p recording:./tape"), "\(serving.errors)")
    source.stop()
    let replaying = try Serving(world, ["-p", "recording:./tape"])
    #expect(try ask(replaying) == answers)
    #expect(replaying.stop() == .exited(0))
    let again = try world.run("bitpal serve -p coingecko --listen 127.0.0.1:0 --record ./tape")
    #expect(again.status == 2 && again.errors.contains("there is a recording in ./tape already"))
  }

  @Test func `A listener gets the prices, and the end of the server`() throws {
    let world = try World()
    let serving = try Serving(world)
    let listener = try world.start(
      "/bin/sh", ["-c", "curl -sN '\(serving.url)/events?coins=btc,eth' > heard; echo $? > status"])
    func heard() -> String { (try? String(contentsOfFile: world.absolute("heard"), encoding: .utf8)) ?? "" }
    for _ in 0..<12_000 where !heard().hasSuffix("\n\n") { usleep(10_000) }
    #expect(heard().contains("\nevent: prices\ndata: {\"schema\":\"bitpal.prices/1\""))
    #expect(heard().contains("\"price\":\"96841.328675354258\""))
    #expect(serving.stop() == .exited(0))
    #expect(listener.wait() == .exited(0))
    #expect(try String(contentsOfFile: world.absolute("status"), encoding: .utf8) == "0\n")
  }
}
