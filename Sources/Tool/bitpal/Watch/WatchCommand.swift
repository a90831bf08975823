import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalProviders
import BitpalQueries

/// The `bitpal watch [COIN…]` command, which keeps prices up to date.
struct WatchCommand: Command {
  static let name = "watch"
  static let spec = CommandSpec(
    name, "prices that stay up to date; the watchlist, or the coins given", operands: .any("COIN"),
    options: [
      ParameterSpec("every", .text("DURATION"), "time between two updates, at least 10s (that of the settings)"),
      PriceOrder.parameter(usual: "as listed"), PriceOrder.reverse,
      WatchlistQuery.group, ParameterSpec("count", .count(1...1_000_000), "end after N updates"),
      ParameterSpec("portfolio", .optional("NAME"), "the value and gains of a portfolio (main) instead of prices"),
      ParameterSpec("spark", .flag, "add a column with the line of the week, as far as it is cached"),
      ParameterSpec("ascii", .flag, "draw that column in ASCII (as in the locale C)"),
    ],
    details: [
      "On a terminal the table is redrawn in place. Keys: n, p and c sort by name, price and change, pressed "
        + "again in the opposite order, r asks at once, q or "
        + "Ctrl-C ends. When a refresh fails the last prices stay, marked stale, and the waits double up to ten minutes.",
      "If standard output is not a terminal, each update is printed: a table, one line of JSON (json and jsonl "
        + "alike), or rows of CSV under one header. A recording never changes, so it is printed once unless --count "
        + "is given.",
    ],
    examples: [
      .init("watch", "the watchlist"),
      .init("watch --portfolio", "what you own, kept up to date"),
      .init("watch bitcoin eth --every 1m --sort change", "two coins, each minute"),
      .init("watch bitcoin --format jsonl >> prices.jsonl", "a log of prices"),
    ])

  private let coins: [String]
  private let group: String?
  private let every: String?
  private let order: PriceOrder?
  private let isReversed: Bool
  private let count: Int?
  private let hasSparklines: Bool

  /// Whether a portfolio is shown, and its name; nil for the main one.
  private let showsPortfolio: Bool
  private let portfolio: String?
  private let isASCII: Bool

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    coins = arguments.coins
    group = arguments.raw["group"]
    every = arguments.raw["every"]
    if let every, Duration(unitText: every).map({ $0 < .seconds(10) }) ?? true {
      throw .usage("--every: the time must be at least 10s, like 30s or 5m, not \"\(every)\"")
    }
    order = PriceOrder(arguments.raw)
    isReversed = arguments.raw.has("reverse")
    hasSparklines = arguments.raw.has("spark")
    showsPortfolio = arguments.raw.has("portfolio")
    portfolio = arguments.raw["portfolio"]
    if showsPortfolio, let coin = arguments.coins.first {
      throw .usage("--portfolio shows the coins of a portfolio, and not \(coin)", hint: "give one of them")
    }
    isASCII = arguments.raw.has("ascii")
    count = try arguments.raw.number("count", in: 1...1_000_000)
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let configured = try session.settings(loader(session))
    // A screen that is redrawn has no place for messages in between.
    let isLive = session.console.canRedraw && session.options.format == .table
    let warnings = Locked<[String]>([])
    let assembly =
      isLive
      ? Assembly(
        settings: configured, environment: session.environment, now: session.options.now,
        warn: { text in warnings.withLock { $0.append(text) } })
      : session.assembly(configured)
    let service = try assembly.priceService()
    let held = showsPortfolio ? try await HeldCoins(session, portfolio) : nil
    let (coins, settings) = try session.separating(
      held?.coins ?? WatchlistContext.coins(coins, group: group, session, configured, service),
      held.map { configured.showing(currency: $0.context.currency) } ?? configured, service)
    if held != nil, coins.isEmpty {
      throw BitpalError.usage("the portfolio holds no coins", hint: "\"bitpal buy QUANTITY COIN\" records the first")
    }
    if coins.isEmpty {
      throw BitpalError.usage(
        "the watchlist is empty", hint: "\"bitpal watchlist add COIN\" adds to it, \"bitpal watch COIN\" does without")
    }
    let isStill = service.descriptors.first?.recordedAt != nil
    let model = WatchModel(
      every: settings.refresh, order: order, isReversed: isReversed, isLive: isLive,
      // A recording never changes: printed for ever it would fill a file with one answer.
      count: count ?? (isStill && !isLive ? 1 : nil),
      figures: { service.figures(of: $0, currency: settings.currency) })
    let rule = SteadyRule(coins, every: settings.refresh, from: service.time.monotonic) { service.name(ofID: $0) }
    let ticker = PriceTicker(
      rule, on: service.time, ask: question(service, in: settings.currency, session))
    let loop = WatchLoop(ticker, on: service.time)
    let last =
      isLive
      ? try await live(loop, model, service, settings, session, isStill, held) { warnings.withLock { $0 } }
      : try await printed(loop, model, service, settings, session, isStill, held)
    let lost = last.quotes.isEmpty ? last.missing : []
    return ExitStatus(answered: last.quotes.count, failures: (last.refused + lost).map(\.error.code))
  }

  private func live(
    _ loop: WatchLoop, _ model: WatchModel, _ service: PriceService, _ settings: Settings, _ session: Session,
    _ isStill: Bool, _ held: HeldCoins?, warnings: () -> [String]
  ) async throws -> WatchModel {
    let (console, environment) = (session.console, session.environment)
    let screen = Screen(console)
    TerminalEvents(screen: screen) { event in
      switch event {
      case .key(.text(let key)): loop.post(.key(key))
      case .key: break
      case .redraw: loop.post(.redraw)
      }
    }.start()
    screen.enter()
    defer { screen.leave() }
    let last = try await loop.run(model) { model, effects in
      guard effects.contains(.draw) else { return }
      let frame = WatchFrame(
        model: model, currency: settings.currency, providers: service.descriptors, warnings: warnings(),
        isStill: isStill, style: console.style,
        portfolio: held.map { held in
          { quotes, style in
            let view = try? held.view(QuotesAnswer(quotes: quotes, failures: []))
            return view?.figures(style: style) ?? ""
          }
        },
        sparklines: sparklines(service, settings, session)(model.quotes.map(\.value.id)))
      let size = TerminalSize.current { environment.value($0) } ?? TerminalSize(columns: 80, rows: 24)
      try screen.draw(frame.lines(size, now: service.time.now, monotonic: service.time.monotonic))
    }
    screen.leave()
    for warning in warnings() { console.warning(warning) }
    for failure in last.refused { console.failure(failure.error, subject: failure.coin) }
    return last
  }

  private func printed(
    _ loop: WatchLoop, _ model: WatchModel, _ service: PriceService, _ settings: Settings, _ session: Session,
    _ isStill: Bool, _ held: HeldCoins?
  ) async throws -> WatchModel {
    let console = session.console
    var printer = WatchPrinter(
      console, session.options.format, currency: settings.currency, providers: service.descriptors,
      sparklines: sparklines(service, settings, session), portfolio: held.map { held in { try held.view($0) } })
    if isStill { console.notice("a recording stands still: nothing will change") }
    return try await loop.run(model) { model, effects in
      guard effects.contains(.report) else { return }
      try printer.show(model, now: service.time.now)
      // Without a reader there is nothing left to do.
      if !console.hasReader { loop.post(.key("q")) }
    }
  }

  /// Returns a function for the sparklines of coins, from the cache alone; its result is nil without `--spark`.
  private func sparklines(
    _ service: PriceService, _ settings: Settings, _ session: Session
  ) -> ([String]) -> Sparklines? {
    guard hasSparklines else { return { _ in nil } }
    return { coins in
      Sparklines(coins, ascii: isASCII || session.wantsASCII) {
        service.cachedWeek(ofID: $0, currency: settings.currency)
      }
    }
  }

  /// Returns the function that asks for prices.
  ///
  /// The first time a fresh answer from the cache is enough; each later update is a request.
  private func question(
    _ service: PriceService, in currency: String, _ session: Session
  ) -> PriceTicker<SteadyRule>.Ask {
    let options = session.options
    return { coins, isFirst in
      let began = service.time.now
      let policy: FetchPolicy = isFirst || options.policy == .offline ? options.policy : .refresh
      // The screen shows prices while the budget refills, so the request does not wait; the ticker decides when to ask
      // again.
      let answer = try await Deadline.independent(
        options.timeout ?? Deadline.standard, patience: options.wait ?? .zero, on: service.time
      ) {
        try await service.quotes(coins, currency: currency, policy: policy)
      }
      await PortfolioContext.renewSnapshot(after: answer.quotes, since: began, session)
      return answer
    }
  }

  private func loader(_ session: Session) -> SettingsLoader {
    SettingsLoader(
      environment: session.environment,
      overrides: SettingsOverrides(
        configPath: session.options.config, provider: session.options.provider, currency: session.options.currency,
        timeZone: session.options.timeZone,
        // Passed through the settings, so that their limits apply to it too.
        refresh: every))
  }
}

/// The coins of a portfolio, whose value is kept up to date.
struct HeldCoins: Sendable {
  let context: PortfolioContext
  /// The names of the coins that are held.
  let coins: [String]

  private let splits: [String: [StockSplit]]

  /// Reads a portfolio.
  ///
  /// - Parameter name: The name; nil for the main portfolio.
  /// - Throws: `BitpalError` for settings that are invalid or not trusted, and for an unknown portfolio.
  init(_ session: Session, _ name: String?) async throws {
    do {
      context = try PortfolioContext(session, portfolio: name)
      let transactions = try context.store.transactions()
      coins = try PortfolioLedger(transactions).positions.map { [context] in context.service.name(ofID: $0.coinId) }
      splits = try await ValuedPortfolio.splits(
        transactions, in: context.currency, by: context.service, session.options.policy)
    } catch let error as PortfolioError {
      throw error.failure
    }
  }

  /// Returns the portfolio, as it is recorded now, at some prices.
  ///
  /// - Throws: `PortfolioError` for sums that are too large; `BitpalError` when the store cannot be read.
  func view(_ answer: QuotesAnswer) throws -> PortfolioView {
    try context.store.checkExistence()
    return PortfolioView(
      try ValuedPortfolio(
        context.store, try context.store.transactions(), in: context.currency, by: context.service, at: answer,
        splits: splits),
      .summary)
  }
}
