import BitpalConfig
import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries
import BitpalService
import FoundationEssentials

/// The `bitpal status [COIN…]` command, which prints cached prices in one line.
struct StatusCommand: Command {
  static let name = "status"
  static let spec = CommandSpec(
    name, "one line for a status bar, from the cache at once", operands: .any("COIN"),
    options: [
      ParameterSpec("template", .text("TEXT"), "template of each coin ({symbol} {price} {change})"),
      ParameterSpec(
        "format", .choice(OutputFormat.allCases.map(\.rawValue) + [StatusCommand.waybar]),
        "format of the output; the last one is for waybar", short: "f"),
    ],
    details: [
      "The line never waits for the network: cached prices are printed, marked when they are stale, and one process "
        + "at a time then fetches newer ones in the background. Without COIN it shows the watchlist.",
      "A template may contain \(StatusTemplate.fieldList). A price that is not known yet is shown as "
        + "\(StatusTemplate.pending), that of an unknown coin as \(StatusTemplate.unknown). A converted price begins "
        + "with \(StatusTemplate.converted), and a stale one is marked unless the template has {stale}.",
    ],
    examples: [
      .init("status bitcoin eth", "for tmux: set -g status-right '#(bitpal status bitcoin eth)'"),
      .init("status --template '{symbol} {price}'", "the watchlist, shorter"),
      .init("status bitcoin --format waybar", "one line of JSON: text, tooltip, class"),
    ])

  /// The name of the format that waybar reads.
  static let waybar = "waybar"

  private let coins: [String]
  private let template: StatusTemplate
  private let isForWaybar: Bool

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    coins = arguments.coins
    template = try StatusTemplate(arguments.raw["template"] ?? StatusTemplate.usual)
    isForWaybar = arguments.raw["format"] == Self.waybar
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let configured = try session.settings(isSilent: true)
    let service = try session.assembly(configured).priceService()
    let asked = try WatchlistContext.coins(coins, session, configured, service)
    let (coins, settings) = try session.separating(asked, configured, service)
    if coins.isEmpty {
      session.console.notice("the watchlist is empty; \"bitpal watchlist add COIN\" adds to it")
    }
    let cached = try await PricesQuery(coins, currency: settings.currency).answer(by: service, policy: .offline)
    let answer = QuotesAnswer(
      quotes: cached.quotes,
      failures: cached.failures.map { failure in
        guard case .offline = failure.error,
          let absence = service.knownAbsence(of: failure.coin, currency: settings.currency)
        else { return failure }
        return CoinFailure(coin: failure.coin, error: absence)
      })
    let view = StatusView(
      answer: answer, currency: settings.currency, template: template, now: service.time.now,
      digits: session.options.digits, zone: session.console.style.zone)
    if isForWaybar {
      try session.console.answer(view.waybar + "\n")
    } else if session.options.format == .table {
      try session.console.answer(view.line + "\n")
    } else {
      try session.show(
        PricesView(answer, order: nil, providers: service.descriptors, currency: settings.currency))
    }
    let unknown = answer.failures.filter { if case .offline = $0.error { false } else { true } }
    for failure in unknown { session.console.failure(failure.error, subject: failure.coin) }
    // An unknown coin is asked for again, because a new one may have got its name.
    let isComplete =
      cached.failures.allSatisfy { if case .offline = $0.error { false } else { true } }
      && !answer.quotes.contains {
        $0.freshness.isServedStale || service.mayBeUnconverted($0, in: settings.currency)
      }
    let mayAsk = session.options.policy != .offline
    if mayAsk, !isComplete || session.options.policy == .refresh, let path = settings.cache.path {
      BackgroundRefresh(cachePath: path).start(refresh(asked, session.options), now: SystemTime().now)
    }
    // A price that is being fetched is not a failure.
    return ExitStatus(answered: answer.quotes.count, failures: (mayAsk ? unknown : answer.failures).map(\.error.code))
  }

  /// Returns the arguments of the command that fetches the prices, with the options that select the source.
  private func refresh(_ coins: [String], _ options: GlobalOptions) -> [String] {
    var arguments = ["price", "--quiet"]
    for (name, value) in [
      ("config", options.config), ("provider", options.provider), ("currency", options.currency),
      ("now", options.now?.iso8601), ("timeout", options.timeout?.unitText),
    ] {
      if let value { arguments.append("--\(name)=\(value)") }
    }
    if options.policy == .refresh { arguments.append("--refresh") }
    return arguments + ["--"] + coins
  }
}

/// Prices in one line.
struct StatusView {
  /// The cached prices; coins without one are among the failures.
  let answer: QuotesAnswer
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
      let isPending = failure.error.code == .offline
      return template.text(missing: failure.coin, isPending: isPending, currency: currency)
    }
    return (known + unknown).joined(separator: "  ")
  }

  /// The JSON object that waybar reads, in one line.
  var waybar: String {
    JSONValue.object(WaybarOutput(line, answer, currency: currency, now: now, digits: digits, zone: zone).json)
      .compact()
  }
}
