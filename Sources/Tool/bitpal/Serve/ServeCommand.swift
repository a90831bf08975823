import Bitpal
import BitpalConfig
import BitpalFiles
import BitpalFleet
import BitpalJSON
import BitpalModel
import BitpalPortfolio
import BitpalProviders
import BitpalQueries
import BitpalServe
import Glibc

/// The `bitpal serve` command.
struct ServeCommand: Command {
  static let name = "serve"
  static let spec = CommandSpec(
    name, "serve pages, and prices for other programs, over HTTP",
    options: [
      ParameterSpec("listen", .text("ADDRESS"), "address to listen at; port 0: any (127.0.0.1:8642)"),
      ParameterSpec(
        "token-file", .text("FILE"), "file with the token that clients must bring"
      ),
      ParameterSpec("host", .text("NAMES"), "other names of this server than localhost, comma-separated"),
      ParameterSpec(
        "allow-origin", .text("ORIGINS"),
        "origins whose pages may read prices, comma-separated (https://a.example, or *)"),
      ParameterSpec(
        "max-stale", .text("DURATION"),
        "longest time past expiry for which an answer is served when its source fails; 0s: none (that of the settings)"
      ),
      ParameterSpec("record", .text("NAME"), "record the answers of sources as NAME"),
      ParameterSpec("ready-fd", .count(3...1_000_000), "also write the address to this file descriptor"),
      ParameterSpec("portfolio", .optional("NAME"), "also show a page of the portfolio, main or NAME"),
      ParameterSpec("check", .flag, "ask the server that runs at the address whether it answers; status 0 or 1"),
      Browser.option,
    ],
    details: [
      "The server has pages for the watchlist and for each coin, which follow the prices; with --portfolio also a "
        + "page of your portfolio. A browser sees watchlist and portfolio after it is signed in: with the address "
        + "and code that are printed on standard error, with a new one from \"bitpal serve link\", or with the "
        + "token.",
      "A client of CoinGecko's API uses http://127.0.0.1:8642/api/v3 as its base URL and gets prices from the source "
        + "that the settings or -p name. The JSON of the command line is under /v1, the metrics for Prometheus are "
        + "under /metrics. docs/serve.md describes the rest.",
      "The first line on standard output is the address, with the chosen port if --listen names port 0. --token-file "
        + "is required if other machines can reach the server. With -v each request is a line on standard error. "
        + "After SIGTERM or Ctrl-C the requests in progress are finished. A recording answers at its own instant, "
        + "and all other questions are not found; --record makes a recording of the clients' questions.",
    ],
    examples: [
      .init("serve --open", "the watchlist in a browser, from the configured source"),
      .init("serve -p kraken -v", "CoinGecko's API over Kraken, with one line per request"),
      .init("serve -p coingecko --record shop", "let a program ask; its prices are recording:shop afterwards"),
      .init("serve -p fixture --listen 127.0.0.1:0", "for a test suite: prices that stand still, on a free port"),
      .init("serve --check", "the health check of a container"),
    ])

  let address: NetworkAddress
  private let tokenFile: String?
  private let hosts: [String]
  private let origins: [String]
  private let maxStale: Duration?
  private let record: String?
  private let ready: Int32?
  private let opensBrowser: Bool
  private let checks: Bool

  /// The name of the portfolio to show; nil for none.
  private let portfolio: String?

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    address = try arguments.raw["listen"].map { text throws(BitpalError) in try NetworkAddress(text) } ?? .standard
    tokenFile = arguments.raw["token-file"]
    hosts = try arguments.raw.list("host").map { text throws(BitpalError) in
      guard !text.isEmpty, text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }) else {
        throw .usage(
          "--host: \"\(text.printable(limit: 80))\" is not a name of a host",
          hint:
            "write it like prices.example, without http://, port and *; with other letters as browsers send it, xn--…")
      }
      return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
    origins = try arguments.raw.list("allow-origin").map { text throws(BitpalError) in
      // Extensions of browsers and apps have schemes of their own; browsers send all in small letters.
      let origin = text.lowercased()
      guard text == "*" || origin.wholeMatch(of: /[a-z][a-z0-9+.-]*:\/\/[a-z0-9._:\[\]-]+/) != nil else {
        throw .usage(
          "--allow-origin: \"\(text)\" is not an origin", hint: "write it like https://prices.example:8443, or *")
      }
      return origin
    }
    maxStale = try arguments.raw["max-stale"].map { text throws(BitpalError) in
      guard let duration = Duration(unitText: text) else {
        throw .usage("--max-stale: \"\(text)\" is not a duration", hint: "write it like 10m, 1h or 0s")
      }
      return duration
    }
    record = arguments.raw["record"]
    ready = try arguments.raw.number("ready-fd", in: 3...1_000_000).map { Int32($0) }
    opensBrowser = arguments.raw.has("open")
    checks = arguments.raw.has("check")
    portfolio = arguments.raw.has("portfolio") ? arguments.raw["portfolio"] ?? PortfolioName.main.text : nil
  }

  func run(_ session: Session) async throws -> ExitStatus {
    if checks { return try await check(session) }
    // Before any thread has an arena.
    ProcessMemory.keepLess()
    let end = EndSignal()
    let token = try token()
    let recording = try record.map { name throws(BitpalError) in try ServeRecording(name, session.console) }
    var session = session
    session.recorder = recording?.recorder
    let folder = token == nil ? ownerFolder(session) : nil
    let owner = token == nil ? try OwnerProof(folder) : nil
    let (server, market): (PriceServer, Market)
    do {
      (server, market) = try self.server(session, token, owner)
    } catch let taken as AddressTaken {
      // Not the status of a wrong command line: the unit of systemd tries again.
      session.console.failure(taken.failure)
      return .unavailable
    }
    let urls = server.address.openable.map { "http://\($0)" }
    let url = urls[0]
    // A program that has read the address may ask for a code at once.
    let isListed = folder?.list(url) == true
    do {
      try session.console.answer(url + "\n")
      try reportReady(url)
    } catch {
      await server.stop()
      throw error
    }
    for other in urls.dropFirst() { session.console.notice("other machines reach it at \(other)") }
    announce(market, owner, isListed: isListed, url, session)
    let writing = recording.map { recording in Task { await recording.keepWriting() } }
    end.wait()
    await server.stop()
    if let writing, let recording {
      writing.cancel()
      await writing.value
      try recording.finish()
    }
    return .answered
  }

  /// Returns the token that clients must send; nil for a server of this machine alone without one.
  ///
  /// - Throws: ``BitpalError/configuration(_:)`` without a token at an address that others can reach.
  private func token() throws(BitpalError) -> AccessToken? {
    let token = try tokenFile.map { path throws(BitpalError) in try AccessToken(file: path) }
    guard address.isLoopback || token != nil else {
      throw BitpalError.configuration([
        ConfigurationIssue(
          file: "--listen",
          message: "others can reach \(address), so a token is needed: write one into a file that only you can read "
            + "and give --token-file FILE; 127.0.0.1 is for this machine alone")
      ])
    }
    return token
  }

  private func server(
    _ session: Session, _ token: AccessToken?, _ owner: OwnerProof?
  ) throws -> (PriceServer, Market) {
    var settings = try session.settings()
    if let maxStale { settings.cache.maxStale = maxStale }
    settings.cache.whileRenewing = settings.cache.whileRenewing ?? .seconds(10)
    settings.cache.storePatience = .milliseconds(40)
    let metrics = Metrics()
    let assembly = session.assembly(settings, trace: trace(session, metrics))
    let market = Market(
      try assembly.priceService(), defaults: QueryDefaults(settings),
      providers: { assembly.providers().filter { !$0.isShadowed } },
      limit: session.options.timeout ?? Deadline.standard,
      zones: ZoneFiles(folders: settings.zoneFolders),
      fetched: { await PortfolioContext.renewSnapshot(after: $0, since: $1, session) })
    let own = OwnPages(
      watchlist: Result { () throws(BitpalError) in try WatchlistContext.store(session, settings) },
      portfolio: try portfolio.map { try TransactionStore(named: $0, session) })
    let (console, isVerbose) = (session.console, session.options.isVerbose)
    let server = try PriceServer(
      market, own: own, on: address,
      gate: Gate(hosts: hosts, isOpen: !address.isLoopback, token: token, owner: owner, origins: origins),
      metrics: metrics, fleet: try fleetMetrics(of: assembly, market), limits: limits
    ) { entry in
      if isVerbose { console.aside(entry.text + "\n") }
    }
    return (server, market)
  }

  /// Returns the folder that is shared with `serve link`; nil, with a warning, where there is none.
  private func ownerFolder(_ session: Session) -> OwnerFolder? {
    let problem: String
    do throws(BitpalError) {
      guard let path = session.environment.serveFolder else { throw .dataFile(path: "HOME", reason: "it is not set") }
      let folder = try OwnerFolder(path)
      _ = try folder.key()
      return folder
    } catch {
      problem = error.message
    }
    session.console.warning(
      "browsers stay signed in only until this server ends, and \"bitpal serve link\" does not find it: \(problem)")
    return nil
  }

  /// Prints from which sources the server answers and where the owner finds it, and opens the browser.
  private func announce(_ market: Market, _ owner: OwnerProof?, isListed: Bool, _ url: String, _ session: Session) {
    let console = session.console
    let sources = market.service.descriptors.map { source in
      source.id + (source.note.map { " (\($0))" } ?? "")
    }
    console.notice("answering from \(sources.joined(separator: ", ")); Ctrl-C ends")
    let theirs = portfolio == nil ? "watchlist" : "watchlist and portfolio"
    let others = isListed ? "\"bitpal serve link\" prints another" : "it is the only one"
    // A journal is kept for long, and a group may read it. Terminals below systemd inherit the variable.
    if let owner, session.environment.value("JOURNAL_STREAM") == nil || isatty(STDERR_FILENO) != 0 {
      console.notice(
        "your \(theirs), for one browser within 10 minutes (\(others)): \(owner.newCode().address(at: url))"
      )
    } else if owner != nil, isListed {
      console.notice("to sign a browser in to your \(theirs): bitpal serve link")
    }
    if opensBrowser {
      let browser = Browser(url + "/", environment: session.environment)
      Task {
        if let problem = await browser.open() { console.warning("no browser was opened: \(problem); open \(url)") }
      }
    }
  }

  /// Returns a closure with the state of the fleet's server; a recording, whose clock stands still, uses none.
  private func fleetMetrics(of assembly: Assembly, _ market: Market) throws -> @Sendable () -> Metrics.Fleet? {
    guard !(market.service.time is FrozenTime), let fleet = try assembly.fleet() else { return { nil } }
    Task(executorPreference: BlockingPool.shared) { await fleet.keepReporting() }
    return {
      let counts = fleet.counts
      return Metrics.Fleet(
        isUp: fleet.isUp, succeeded: counts.succeeded, failed: counts.failed, openings: counts.openings)
    }
  }

  /// The limits of the server: as many connections as open files are allowed, except for those that sources and
  /// databases need.
  private var limits: HTTPDaemon.Limits {
    let spare = 256
    var limits = HTTPDaemon.Limits()
    limits.connections = max(8, min(limits.connections, OpenFiles.allow(limits.connections + spare) - spare))
    return limits
  }

  /// Returns the trace that counts events and, with `-v`, prints them.
  private func trace(_ session: Session, _ metrics: Metrics) -> Trace {
    let counting = metrics.trace
    guard session.options.isVerbose else { return counting }
    return Trace { [console = session.console] event in
      counting(event)
      console.trace(event)
    }
  }

  /// Writes the address to the descriptor on which the parent process waits for it.
  private func reportReady(_ url: String) throws(BitpalError) {
    guard let ready else { return }
    defer { close(ready) }
    do throws(FileFault) {
      try FileReplacement.write(Array((url + "\n").utf8), to: ready)
    } catch {
      throw error.error(of: "--ready-fd \(ready)")
    }
  }
}

extension TransactionStore {
  /// Opens the portfolio with a name.
  ///
  /// - Throws: `BitpalError` for an unknown portfolio, or the settings are not trusted with it.
  fileprivate init(named name: String, _ session: Session) throws {
    do {
      self = try PortfolioContext(session, portfolio: name).store
    } catch let error as PortfolioError {
      throw error.failure
    }
  }
}

extension AccessToken {
  /// Reads the first line of a file that only the user can read.
  ///
  /// - Throws: ``BitpalError/configuration(_:)`` for a file that others can read, or that has no token.
  fileprivate init(file path: String) throws(BitpalError) {
    func issue(_ message: String) -> BitpalError {
      .configuration([ConfigurationIssue(file: "--token-file", message: "\(path): \(message)")])
    }
    let file: BoundedFile
    do throws(FileFault) { file = try BoundedFile(path, limit: 4096) } catch { throw issue(error.reason) }
    guard file.status.isSecret() else {
      throw issue("others can read this token; run: chmod 600 \(path)")
    }
    let shortest = 16
    guard let text = String(validating: file.bytes, as: UTF8.self),
      let token = text.split(whereSeparator: \.isNewline).first, token.utf8.count >= shortest,
      token.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
    else {
      throw issue(
        "holds no token: \(shortest) letters and digits or more, without spaces; make one with: "
          + "(umask 077; head -c 24 /dev/urandom | base64 > \(path))")
    }
    self.init(String(token))
  }
}

/// The signals that end the server: SIGTERM, SIGINT (Ctrl-C), and SIGHUP when the terminal is closed.
///
/// The handler writes to a pipe that ``wait()`` reads. It works on every thread, so it does not depend on the threads
/// that exist or on the signals that they block.
private struct EndSignal: Sendable {
  /// The writing end of the pipe, in a global variable for the handler.
  private nonisolated(unsafe) static var pipeEnd: Int32 = -1
  private let reader: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reader = ends[0]
    Self.pipeEnd = ends[1]
    for number in [SIGTERM, SIGINT, SIGHUP] {
      let previous = signal(number) { _ in
        var byte: UInt8 = 0
        _ = write(EndSignal.pipeEnd, &byte, 1)
      }
      // A signal that was ignored stays ignored, as `nohup` requires.
      if unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
    }
  }

  /// Waits for the first signal; a second one then ends the process at once.
  ///
  /// It blocks the main thread, which has no other work: requests are answered on other threads.
  func wait() {
    var byte: UInt8 = 0
    while read(reader, &byte, 1) < 0, errno == EINTR {}
    for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_DFL) }
  }
}
