import BitpalModel
import BitpalNetwork
import BitpalServe
import Foundation
import LoopbackServer
import TestSupport

/// The sources of all worlds on one port of this machine: `/WORLD/SOURCE/…` is the path of a source in a world.
final class TruthServer: Sendable {
  private struct State {
    var moods: [String: [Source: TruthNetwork.Mood]] = [:]
    var sent: [String: [(source: Source, target: String)]] = [:]
  }

  private let server: LoopbackServer
  private let state: Locked<State>

  init(_ truth: Truth) throws {
    let state = Locked(State())
    self.state = state
    server = try LoopbackServer { request in
      let parts = request.target.split(separator: "/", maxSplits: 2).map(String.init)
      guard parts.count == 3, let source = Source(rawValue: parts[1]) else { return .status(404) }
      let target = "/" + parts[2]
      let mood = state.withLock { state in
        state.sent[parts[0], default: []].append((source, target))
        return state.moods[parts[0]]?[source] ?? .well
      }
      let wire = Wire(truth: truth, now: WorldFiles.start)
      guard let reply = TruthNetwork.reply(of: source, target, wire, mood) else { return .silence(.seconds(60)) }
      let headers = reply.status == 429 ? [("Retry-After", "60")] : []
      return .response(
        status: reply.status, headers: [("Content-Type", "application/json")] + headers, body: Array(reply.body.utf8))
    }
  }

  var url: String { server.url }

  func turn(_ world: String, _ source: Source, _ mood: TruthNetwork.Mood) {
    state.withLock { $0.moods[world, default: [:]][source] = mood }
  }

  /// What was sent in a world since it was last asked.
  func takeSent(_ world: String) -> [(source: Source, target: String)] {
    state.withLock { $0.sent.removeValue(forKey: world) ?? [] }
  }

  func stop() { server.stop() }
}

/// A machine in the world on which the built program runs.
final class BinaryWorld {
  let `case`: Case
  private let server: TruthServer
  private let files: WorldFiles
  private let home: TemporaryFolder
  private let name: String

  /// The built program, which is beside the tests.
  static let tool: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: own).deletingLastPathComponent().path + "/bitpal"
  }()

  private let tool: String

  /// - Parameters:
  ///   - number: What tells it from the other worlds of the server.
  ///   - tool: The program.
  init(
    _ files: WorldFiles, _ server: TruthServer, _ case: Case, number: Int, tool: String = BinaryWorld.tool
  ) throws {
    self.tool = tool
    self.files = files
    self.server = server
    self.case = `case`
    name = "w\(number)"
    home = try TemporaryFolder()
    let sources = Set(`case`.sources + [.ecb])
    for source in sources {
      let isTight = `case`.condition == .budget && `case`.stopped == source
      let from = files.folder.path + (isTight ? "/tight/\(source.rawValue)" : "/providers") + "/\(source.rawValue).yaml"
      let text = try String(contentsOfFile: from, encoding: .utf8)
      try home.write(moved(text, source), to: "providers/\(source.rawValue).yaml")
    }
    for file in ["prices.journal", "prices.csv"] {
      try home.write(
        try String(contentsOfFile: files.folder.path + "/providers/" + file, encoding: .utf8), to: "providers/" + file)
    }
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/tape", withDestinationPath: files.folder.path + "/tape")
    try home.write(
      """
      bitpal: 1
      provider: [\(`case`.sources.map(\.rawValue).joined(separator: ", "))]
      currency: \(`case`.currency)
      convert: \(`case`.converts ? "[ecb]" : "none")
      providers_dir: \(home.path)/providers

      """, to: ".config/bitpal/config.yaml")
  }

  /// A provider file whose source is on this machine.
  private func moved(_ text: String, _ source: Source) -> String {
    guard source.isOnWeb else { return text }
    let prefix = "\(server.url)/\(name)/\(source.rawValue)"
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
      line.hasPrefix("base_url: https://\(source.host)")
        ? String(line.replacing("https://\(source.host)", with: prefix)) : String(line)
    }
    return lines.joined(separator: "\n") + (source == .coingecko ? "\nbase_url: \(prefix)/api/v3\n" : "")
  }

  /// Asks the case of the program.
  func answerOfCommand() async throws -> Reply {
    let asking = Asking(self.case, clock: TruthClock(WorldFiles.start))
    for (name, text) in asking.files { try home.write(text, to: name) }
    try await prepare()
    for line in asking.preparations { _ = try await run(line) }
    if [.offline, .refresh].contains(`case`.condition) { _ = try await run(asking.words) }
    turn()
    let mode = `case`.condition == .offline ? ["--offline"] : `case`.condition == .refresh ? ["--refresh"] : []
    let outcome = try await run(asking.words + mode)
    var reply = asking.reply(toWords: outcome.output)
    if reply.figures.isEmpty, reply.codes.isEmpty {
      let last = outcome.errors.split(separator: "\n").last.map(String.init) ?? ""
      reply.codes = JSONReply(Array(last.utf8))?.reply().codes ?? []
    }
    reply.status = Int(outcome.status)
    reply.notices = outcome.errors
    reply.sent = server.takeSent(name)
    return reply
  }

  /// Asks the case of a running `serve`, through each of its doors.
  func answersOfServe(_ doors: [Door]) async throws -> [(Door, Reply)] {
    let asking = Asking(self.case, clock: TruthClock(WorldFiles.start))
    try await prepare()
    let output = Spool()
    let child = try Child(
      tool, ["serve", "--listen", "127.0.0.1:0", "--timeout", "3s"] + Self.clock, environment: environment,
      in: home.path, output: output.descriptor)
    defer {
      child.send(SIGTERM)
      _ = child.wait()
    }
    while !output.text.hasSuffix("\n") { try await Task.sleep(for: .milliseconds(5)) }
    let url = output.text.dropLast()
    turn()
    var replies: [(Door, Reply)] = []
    for door in doors {
      let headers = door == .page ? [HTTPHeader("accept", "text/html")] : []
      let response = try await CurlTransport(userAgent: "test", time: SystemTime(), trace: .silent)
        .send(HTTPRequest(url: url + asking.target(door), headers: headers))
      var reply = asking.reply(
        to: WebResponse(
          status: response.status, headers: response.headers.map { WebHeader($0.name, $0.value) }, body: response.body),
        door)
      reply.sent = server.takeSent(name)
      replies.append((door, reply))
    }
    return replies
  }

  private func prepare() async throws {
    if `case`.hasList { _ = try await run(["search", "bitcoin"]) }
    if `case`.condition == .budget, let stopped = `case`.stopped,
      !server.takeSent(name).contains(where: { $0.source == stopped })
    {
      _ = try await run([
        "price", stopped.filler, "-p", stopped.rawValue, "--currency", stopped == .ecb ? "sek" : "usd",
      ])
    }
  }

  private func turn() {
    if let source = `case`.stopped ?? `case`.frozen, let mood = TruthNetwork.Mood(rawValue: `case`.condition.rawValue) {
      server.turn(name, source, mood)
    }
    _ = server.takeSent(name)
  }

  private var environment: [String: String] {
    ["HOME": home.path, "TMPDIR": home.path, "PATH": "/usr/bin:/bin", "TZ": "UTC"]
  }

  private static let clock = ["--now", WorldFiles.start.instantText]

  /// What was sent since it was last asked.
  func takeSent() -> [(source: Source, target: String)] { server.takeSent(name) }

  /// Runs the program to its end, on a thread that is not one of those that tasks share.
  func run(_ words: [String]) async throws -> (output: String, errors: String, status: Int32) {
    let (output, errors) = (Spool(), Spool())
    let child = try Child(
      tool, words + Self.clock + ["--format", "json", "--errors", "json", "--wait", "0s", "--timeout", "3s"],
      environment: environment, in: home.path, output: output.descriptor, errors: errors.descriptor)
    let ending = await withCheckedContinuation { done in
      Thread.detachNewThread { done.resume(returning: child.wait()) }
    }
    let status: Int32 = if case .exited(let status) = ending { status } else { 128 }
    return (output.text, errors.text, status)
  }
}
