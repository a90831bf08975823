import Bitpal
import BitpalConfig
import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// The `bitpal status [COIN…]` command, which prints cached prices in one line.
struct StatusCommand: Command {
  static let name = "status"
  static let spec = CommandSpec(
    name, "one line for a status bar, from the cache at once", operands: .any("COIN"),
    options: [
      ParameterSpec("template", .text("TEXT"), "template of each coin ({symbol} {price} {change})"),
      ParameterSpec("portfolio", .optional("NAME"), "also show the value of a portfolio, main or NAME"),
      ParameterSpec(
        "format", .choice(OutputFormat.allCases.map(\.rawValue) + [StatusCommand.waybar]),
        "format of the output; the last one is for waybar", short: "f"),
    ],
    details: [
      "The line never waits for the network: cached prices are printed, and one process at a time fetches newer ones "
        + "in the background, for all such commands, as soon as half of their time to live (cache.ttl.quotes) is over. After twice that time "
        + "they are marked as stale. Without COIN it shows the watchlist, and with --portfolio only the portfolio.",
      "A template may contain \(StatusTemplate.fieldList). A price that is not known yet is shown as "
        + "\(StatusTemplate.pending), that of an unknown coin as \(StatusTemplate.unknown). A converted price begins "
        + "with \(StatusTemplate.converted), and a stale one is marked unless the template has {stale}. {{ is a brace.",
    ],
    examples: [
      .init("status bitcoin eth", "for tmux: set -g status-right '#(bitpal status bitcoin eth)'"),
      .init("status --template '{symbol} {price} {arrow}'", "the watchlist, shorter"),
      .init("status --portfolio", "what the portfolio is worth, and its change over 24 hours"),
      .init("status bitcoin --format waybar", "one line of JSON: text, tooltip, class"),
    ])

  /// The name of the format that waybar reads.
  static let waybar = "waybar"

  private let coins: [String]
  private let template: StatusTemplate
  private let isForWaybar: Bool

  /// The name of the portfolio to show; nil for none.
  private let portfolio: String?

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    coins = arguments.coins
    template = try StatusTemplate(arguments.raw["template"] ?? StatusTemplate.usual)
    isForWaybar = arguments.raw["format"] == Self.waybar
    portfolio = arguments.raw.has("portfolio") ? arguments.raw["portfolio"] ?? PortfolioName.main.text : nil
    if portfolio != nil, !isForWaybar, arguments.options.format != .table {
      throw .usage(
        "--portfolio is for one line, not for --format \(arguments.options.format.rawValue)",
        hint: "\"bitpal portfolio --format json\" prints the portfolio for programs")
    }
  }

  func run(_ session: Session) async throws -> ExitStatus {
    do {
      return try await answer(session)
    } catch let error as BitpalError where isForWaybar {
      // A bar hides a module whose command fails.
      let failed = QuotesAnswer(quotes: [], failures: [CoinFailure(coin: "bitpal", error: error)])
      let output = WaybarOutput(StatusTemplate.unknown, failed, currency: "", now: SystemTime().now)
      try session.console.answer(JSONValue.object(output.json).compact() + "\n")
      session.console.failure(error)
      return .answered
    }
  }

  private func answer(_ session: Session) async throws -> ExitStatus {
    var configured = try session.settings(isSilent: true)
    let timeToLive = configured.cache.ttl.quotes
    // A bar that is drawn once a minute shows prices that are fetched behind it, and so are older than others.
    configured.cache.ttl.quotes = timeToLive * 2
    let service = try session.assembly(configured).priceService()
    let (coins, settings) = try session.separating(try asked(session, configured, service), configured, service)
    // Without a cache nothing can be fetched behind the line.
    let policy: FetchPolicy = settings.cache.path == nil ? session.options.policy : .offline
    let cached = try await PricesQuery(coins, currency: settings.currency).answer(by: service, policy: policy)
    let answer = explained(cached, settings.currency, by: service)
    let held = try await valued(session, service)
    let view = StatusView(
      answer: answer, portfolio: held, currency: settings.currency, template: template, now: service.time.now,
      digits: session.options.digits, zone: session.console.style.zone)
    if isForWaybar {
      try session.console.answer(view.waybar + "\n")
    } else if session.options.format == .table {
      try session.console.answer(view.line + "\n")
    } else {
      try session.show(
        PricesView(
          answer, order: nil, figures: service.figures(of: answer.quotes, currency: settings.currency),
          providers: service.descriptors, currency: settings.currency))
    }
    for failure in answer.failures where failure.error.code != .offline {
      session.console.failure(failure.error, subject: failure.coin)
    }
    let mayAsk = session.options.policy != .offline
    if mayAsk, let path = settings.cache.path {
      let held = held.map { [($0.answer, $0.currency)] } ?? []
      refresh([(cached, settings.currency)] + held, timeToLive, service, session.options, beside: path)
    }
    // The line says what failed, and bars hide a command that fails.
    if isForWaybar || session.options.format == .table { return .answered }
    // A price that is asked for behind it, once or again, is not a failure.
    return ExitStatus(
      answered: answer.quotes.count + (held?.answer.quotes.count ?? 0),
      failures: answer.failures.filter { !mayAsk || !$0.error.isAskedAgain }.map(\.error.code))
  }

  /// Returns the coins of the line: those given, else the watchlist, and none where only a portfolio is shown.
  private func asked(_ session: Session, _ configured: Settings, _ service: PriceService) throws -> [String] {
    guard portfolio == nil else { return coins }
    let coins = try WatchlistContext.coins(coins, session, configured, service)
    if coins.isEmpty { session.console.notice("the watchlist is empty; \"bitpal watchlist add COIN\" adds to it") }
    return coins
  }

  /// Has the prices that are due fetched in the background.
  private func refresh(
    _ answers: [(prices: QuotesAnswer, currency: String)], _ timeToLive: Duration, _ service: PriceService,
    _ options: GlobalOptions, beside path: String
  ) {
    let wishes = answers.flatMap { prices, currency in
      let due = DueCoins(prices, in: currency, timeToLive: timeToLive, by: service, policy: options.policy)
      let arguments = arguments(due, currency, options)
      // No coin has a tab or a new line in its name.
      return due.names.filter { $0 == $0.printable() }.map { BackgroundRefresh.Wish(arguments: arguments, coin: $0) }
    }
    BackgroundRefresh(cachePath: path).start(wishes, now: SystemTime().now)
  }

  /// Returns cached prices in which a coin without one has the reason that is known: the coin does not exist, or could
  /// not be fetched.
  private func explained(_ cached: QuotesAnswer, _ currency: String, by service: PriceService) -> QuotesAnswer {
    QuotesAnswer(
      quotes: cached.quotes,
      failures: cached.failures.map { failure in
        guard case .offline = failure.error,
          let reason = service.knownAbsence(of: failure.coin, currency: currency)
            ?? service.lastFailure(of: failure.coin, currency: currency)
        else { return failure }
        return CoinFailure(coin: failure.coin, error: reason)
      })
  }

  /// Returns the portfolio at cached prices; nil without one.
  ///
  /// - Throws: `BitpalError` for an unknown portfolio, and for one that cannot be read.
  private func valued(_ session: Session, _ service: PriceService) async throws -> ValuedPortfolio? {
    guard let portfolio else { return nil }
    do {
      let context = try PortfolioContext(session, portfolio: portfolio)
      return try await ValuedPortfolio(context.store, in: context.currency, by: service, policy: .offline)
    } catch let error as PortfolioError {
      throw error.failure
    }
  }

  /// Returns the command that fetches the prices, without their names, with the options that select the source.
  private func arguments(_ due: DueCoins, _ currency: String, _ options: GlobalOptions) -> [String] {
    var arguments = ["price", "--quiet"]
    for (name, value) in [
      ("config", options.config), ("provider", options.provider), ("currency", currency),
      ("now", options.now?.iso8601), ("timeout", options.timeout?.unitText),
    ] {
      if let value { arguments.append("--\(name)=\(value)") }
    }
    if due.areFresh { arguments.append("--refresh") }
    return arguments
  }
}

/// The coins of a status line that are to be fetched behind it.
struct DueCoins {
  /// The names; empty when none is due.
  let names: [String]

  /// Whether they must be asked for although their prices are fresh.
  let areFresh: Bool

  /// Chooses the coins without a price, and those whose price has lived half of its time.
  ///
  /// An unknown coin is asked for again, because a new one may have got its name. A rate of a central bank lives longer
  /// than a price, so what was converted is asked for when it is stale, or may be had without conversion.
  init(
    _ prices: QuotesAnswer, in currency: String, timeToLive: Duration, by service: PriceService, policy: FetchPolicy
  ) {
    let now = service.time.now
    let due = prices.coins.filter { name in
      guard let quote = prices.quote(name) else { return true }
      if policy == .refresh || quote.freshness.isServedStale { return true }
      if quote.conversion != nil { return service.mayBeUnconverted(quote, in: currency) }
      return CurrencyCoin.currency(of: quote.value.id) == nil && now.since(quote.fetchedAt) * 2 >= timeToLive
    }
    names = due
    areFresh =
      policy == .refresh
      || !due.isEmpty
        && due.allSatisfy { name in
          prices.quote(name).map { now.since($0.fetchedAt) <= timeToLive && $0.conversion == nil } ?? false
        }
  }
}

extension BitpalError {
  /// Whether the price is asked for again without another command.
  fileprivate var isAskedAgain: Bool { code == .offline || code == .coolingDown }
}

/// Prices in one line.
struct StatusView {
  /// The cached prices; coins without one are among the failures.
  let answer: QuotesAnswer

  /// The portfolio at the end of the line; nil for none.
  var portfolio: ValuedPortfolio?
  let currency: String
  let template: StatusTemplate

  /// The instant from which ages are measured.
  let now: Date

  /// The number of decimals of prices; nil for as many as they have.
  var digits: Int?

  /// The time zone of the times of exchange rates.
  var zone = ClockZone.utc

  /// The line, without a line end.
  var line: String {
    let known = answer.quotes.map { quote in
      template.text(quote, currency: currency, age: max(.zero, now.since(quote.fetchedAt)), digits: digits)
    }
    let unknown = answer.failures.map { failure in
      template.text(missing: failure.coin, isPending: failure.error.isAskedAgain, currency: currency)
    }
    let held = portfolio.map { [template.text($0, now: now, beside: currency, digits: digits)] } ?? []
    return (known + unknown + held).joined(separator: "  ")
  }

  /// The JSON object that waybar reads, in one line.
  var waybar: String {
    JSONValue.object(
      WaybarOutput(line, answer, portfolio: portfolio, currency: currency, now: now, digits: digits, zone: zone).json
    ).compact()
  }
}
