import Bitpal
import BitpalConfig
import BitpalModel
import BitpalNetwork
import BitpalQueries
import BitpalServe
import Foundation
import TestSupport

@testable import bitpal

/// A machine in the world with sources, a cache and a clock of its own, on which cases are asked that differ only in what
/// they ask.
final class TruthWorld {
  let files: WorldFiles
  let `case`: Case
  let network: TruthNetwork
  let clock = TruthClock(WorldFiles.start)
  let home: TemporaryFolder

  init(_ files: WorldFiles, _ case: Case) throws {
    self.files = files
    self.case = `case`
    network = TruthNetwork(files.truth, clock: clock)
    home = try TemporaryFolder()
  }

  /// Asks cases through a door one after the other, with everything before them that their condition wants.
  func answers(to cases: [Case], through door: Door) async throws -> [Reply] {
    door == .command ? try await commandAnswers(cases) : try await serviceAnswers(cases, door)
  }

  /// Asks the case through a door.
  func answer(through door: Door) async throws -> Reply {
    try await answers(to: [self.case], through: door).first ?? Reply()
  }

  // MARK: Surroundings

  private var environment: Environment {
    Environment(variables: ["HOME": home.path, "TMPDIR": home.path], currentDirectory: home.path)
  }

  private var surroundings: Assembly.Surroundings { Assembly.Surroundings(wire: network, time: clock) }

  /// Where provider files are: under a budget that one request uses up, those with such a budget go first.
  private var folders: [String] {
    let tight = `case`.condition == .budget ? `case`.stopped : nil
    return (tight.map { [files.folder.path + "/tight/\($0.rawValue)"] } ?? []) + [files.folder.path + "/providers"]
  }

  private func assembly(_ sources: [Source], notices: Notes<String>? = nil) -> Assembly {
    // Where tickers are looked up in a cached list, the cache is a file.
    let cache = CacheSettings(path: `case`.sources.contains(.coinbase) ? home.path + "/cache.db" : nil)
    let settings = Settings(
      provider: sources.map(\.rawValue), currency: `case`.currency, convert: `case`.converts ? ["ecb"] : [],
      providersDirs: folders, cache: cache)
    var assembly = Assembly(settings: settings, environment: environment, warn: { notices?.add($0) })
    assembly.surroundings = surroundings
    return assembly
  }

  /// Uses up the budget of the source that the condition stops.
  private func useUpBudget(of source: Source) async throws {
    guard !network.sent.contains(where: { $0.source == source }) else { return }
    let service = try assembly([source]).priceService()
    _ = try await service.quotes([source.filler], currency: source == .ecb ? "sek" : "usd")
  }

  /// What a condition does right before the question.
  private func turn() {
    switch `case`.condition {
    case .stale:
      if !`case`.stands { clock.advance(8 * 3600) }
      for source in Source.allCases { network.turn(source, .down) }
    default:
      if let source = `case`.stopped ?? `case`.frozen, let mood = TruthNetwork.Mood(rawValue: `case`.condition.rawValue)
      {
        network.turn(source, mood)
      }
    }
    network.forget()
  }

  /// Whether the question is asked once before, so that its answer is cached.
  private var isPrimed: Bool { [.stale, .offline, .refresh].contains(`case`.condition) }

  // MARK: The service and what is served

  private func serviceAnswers(_ cases: [Case], _ door: Door) async throws -> [Reply] {
    let notices = Notes<String>()
    let service = try assembly(`case`.sources, notices: notices).priceService()
    let router = Router(Market(service, defaults: QueryDefaults(currency: `case`.currency)))
    func ask(_ one: Case, _ policy: FetchPolicy) async -> Reply {
      let asking = Asking(one, clock: clock)
      do {
        return try await Deadline.independent(.seconds(15), patience: .zero, on: clock) {
          door == .service
            ? try await asking.ask(service, policy) : try await asking.ask(router, door)
        }
      } catch {
        return Reply(codes: [(error as? BitpalError)?.code.rawValue ?? "\(error)"])
      }
    }
    if `case`.hasList { _ = try? await service.search("bitcoin") }
    if `case`.condition == .budget, let stopped = `case`.stopped { try await useUpBudget(of: stopped) }
    if isPrimed { for one in cases { _ = await ask(one, .normal) } }
    turn()
    let policy: FetchPolicy =
      `case`.condition == .offline ? .offline : `case`.condition == .refresh ? .refresh : .normal
    var replies: [Reply] = []
    for one in cases {
      network.forget()
      notices.clear()
      var reply = await ask(one, policy)
      reply.sent = network.sent
      reply.notices = notices.all.joined(separator: "\n")
      replies.append(reply)
    }
    return replies
  }

  /// A router over the sources of the case.
  func router() throws -> Router {
    Router(Market(try assembly(`case`.sources).priceService(), defaults: QueryDefaults(currency: `case`.currency)))
  }

  /// The service of a shipped provider with a network of its own.
  func service(_ provider: String, wire: any Transport) throws -> PriceService {
    var assembly = Assembly(
      settings: Settings(provider: [provider], convert: [], providersDirs: [WorldFiles.root + "/providers"]),
      environment: environment)
    assembly.surroundings = Assembly.Surroundings(wire: wire, time: clock)
    return try assembly.priceService()
  }

  // MARK: The command line

  private func commandAnswers(_ cases: [Case]) async throws -> [Reply] {
    try home.write(
      """
      bitpal: 1
      provider: [\(`case`.sources.map(\.rawValue).joined(separator: ", "))]
      currency: \(`case`.currency)
      convert: \(`case`.converts ? "[ecb]" : "none")
      providers_dir: \(folders[0])

      """, to: ".config/bitpal/config.yaml")
    if folders.count > 1 {
      let data = home.path + "/.local/share/bitpal"
      try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: data + "/providers", withDestinationPath: folders[1])
    }
    if `case`.hasList { _ = await run(["search", "bitcoin"]) }
    if `case`.condition == .budget, let stopped = `case`.stopped { try await useUpBudget(of: stopped) }
    let askings = cases.map { Asking($0, clock: clock) }
    for asking in askings {
      for line in asking.preparations { _ = await run(line) }
      for (name, text) in asking.files { try home.write(text, to: name) }
      if isPrimed { _ = await run(asking.words) }
    }
    turn()
    let mode = `case`.condition == .offline ? ["--offline"] : `case`.condition == .refresh ? ["--refresh"] : []
    var replies: [Reply] = []
    for asking in askings {
      network.forget()
      let outcome = await run(asking.words + mode)
      var reply = asking.reply(toWords: outcome.output)
      if reply.figures.isEmpty, reply.codes.isEmpty {
        let last = outcome.errors.split(separator: "\n").last.map(String.init) ?? ""
        reply.codes = JSONReply(Array(last.utf8))?.reply().codes ?? []
      }
      reply.status = Int(outcome.status)
      reply.notices = outcome.errors
      reply.sent = network.sent
      replies.append(reply)
    }
    return replies
  }

  /// Runs a command as the program does, without a process.
  func run(_ words: [String]) async -> (output: String, errors: String, status: Int32) {
    let output = Spool()
    let errors = Spool()
    let words = words + ["--format", "json", "--errors", "json", "--wait", "0s"]
    let raw = RawArguments(words, table: .bitpal)
    let console = Console(
      output: TextStream(descriptor: output.descriptor), errors: TextStream(descriptor: errors.descriptor),
      color: .never, isQuiet: false, errorForm: .json, showsProgress: false, environment: { _ in nil })
    let status: ExitStatus
    do {
      guard case .run(let command, let arguments) = try Invocation(raw, table: .bitpal) else { return ("", "", 2) }
      var session = Session(options: arguments.options, console: console, environment: environment)
      session.surroundings = surroundings
      status = try await session.withDeadline { try await command.init(arguments).run(session) }
    } catch {
      let error = error as? BitpalError ?? .dataFile(path: "bitpal", reason: "\(error)")
      console.failure(error)
      status = ExitStatus(error.code)
    }
    return (output.text, errors.text, status.rawValue)
  }
}

/// A file without a name, into which a command writes.
final class Spool {
  let descriptor: Int32

  init() {
    var name = Array((NSTemporaryDirectory() + "/bitpal-spool-XXXXXX").utf8CString)
    descriptor = mkstemp(&name)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(name)
  }

  deinit { close(descriptor) }

  /// What was written.
  var text: String {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size > 0 else { return "" }
    var bytes = [UInt8](repeating: 0, count: size)
    let count = pread(descriptor, &bytes, size, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

extension Source {
  /// A thing that is asked to use up a budget.
  var filler: String {
    switch self {
    case .coingecko, .tape: "id:solo-coin"
    case .binance: "dogecoin"
    case .coinbase: "litecoin"
    case .yahoo: "GC=F"
    case .alphavantage: "IBM"
    case .ecb: "fx:usd"
    case .plugin: "atlas"
    case .journal, .sheet: "bitcoin"
    }
  }
}
