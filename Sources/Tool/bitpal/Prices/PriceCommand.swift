import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalQueries

/// The `bitpal price COIN…` command, which shows the latest prices.
struct PriceCommand: Command {
  static let name = "price"
  static let spec = CommandSpec(
    name, "latest prices; of the watchlist, or the coins given", operands: .any("COIN"),
    options: [
      PriceOrder.parameter(usual: "as asked"), PriceOrder.reverse,
      ParameterSpec("currency", .text("CODE"), "currency of prices; several, as in usd,eur, make a column each"),
      WatchlistQuery.group,
      ParameterSpec("spark", .flag, "add a column with each coin's line of the week"),
      ParameterSpec("ascii", .flag, "draw that column in ASCII (as in the locale C)"),
    ],
    isQuestion: true,
    details: [
      "A COIN is an alias of the settings, one of the 200 best-known tickers (btc), an id (bitcoin), or a symbol of "
        + "only one coin; id:uni is always the coin with that id, which may have spaces. Separate several by spaces or "
        + "commas. Coins without an answer are named on stderr; the others are printed, and the exit status is 1.",
      "CoinGecko sends the lines of --spark with the prices. Other sources need one request per coin if the cached "
        + "line is older than 8 hours. When the source's budget is used, the other cells stay empty, and stderr "
        + "shows the reason.",
      "btc-usd and btc/eur are a coin and a currency, unless a coin has that very name. \"bitpal btc\" is short for "
        + "\"bitpal price btc\": a first word that is not a command, and not near to the name of one, is a coin.",
    ],
    examples: [
      .init("price bitcoin eth", "two coins, the second by its alias"),
      .init("price bitcoin --currency eur --format json", "for a program, in euros"),
      .init("price btc eth --currency usd,eur", "in two currencies"),
      .init("price bitcoin ethereum solana --sort change", "the best of the day first"),
    ])

  private let coins: [String]
  private let group: String?
  private let order: PriceOrder?
  private let isReversed: Bool
  private let policy: FetchPolicy
  private let hasSparklines: Bool
  private let isASCII: Bool

  init(_ arguments: Invocation.Arguments) {
    coins = arguments.coins
    group = arguments.raw["group"]
    order = PriceOrder(arguments.raw)
    isReversed = arguments.raw.has("reverse")
    policy = arguments.options.policy
    hasSparklines = arguments.raw.has("spark")
    isASCII = arguments.raw.has("ascii")
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let configured = try session.settings()
    let service = try session.assembly(configured).priceService()
    let (coins, settings) = try session.separating(
      WatchlistContext.coins(coins, group: group, session, configured, service), configured, service)
    if coins.isEmpty {
      throw BitpalError.usage(
        "the watchlist is empty", hint: "\"bitpal watchlist add COIN\" adds to it, \"bitpal price COIN\" does without")
    }
    let began = service.time.now
    let answer = try await PricesQuery(coins, currency: settings.currency).answer(by: service, policy: policy)
    let ids = answer.quotes.map(\.value.id)
    // A table without this order has no market figures, so they are not looked up.
    let needsFigures = session.options.format != .table || PricesView.hasFigures(order, session.console.style)
    func figures(_ quotes: [Sourced<Coin>], _ currency: String) -> [String: CoinDetail] {
      needsFigures ? service.figures(of: quotes, currency: currency) : [:]
    }
    var others: [PricesOutput.Others] = []
    var failures = answer.failures
    for currency in session.options.otherCurrencies where !ids.isEmpty {
      let other = try await PricesQuery(coins, currency: currency).answer(by: service, policy: policy)
      others.append(
        .init(currency: currency, quotes: other.quotes, figures: figures(other.quotes, currency)))
      failures += other.failures.filter { failure in !answer.failures.contains { $0.coin == failure.coin } }
    }
    let weeks =
      hasSparklines ? try await service.recentWeeks(ofIDs: ids, currency: settings.currency, policy: policy) : nil
    let sparklines = weeks.map { weeks in Sparklines(ids, ascii: isASCII || session.wantsASCII) { weeks.lines[$0] } }
    try session.show(
      PricesView(
        answer, order: order, isReversed: isReversed, figures: figures(answer.quotes, settings.currency),
        providers: service.descriptors,
        currency: settings.currency, others: others, sparklines: sparklines))
    for (reason, coins) in weeks?.missing ?? [] {
      session.console.notice("no week to draw of \(coins.joined(separator: ", ")): \(reason)")
    }
    session.console.warn(about: answer.quotes + others.flatMap(\.quotes)) { service.name(ofID: $0.id) }
    session.console.tell(failures)
    await PortfolioContext.renewSnapshot(after: answer.quotes, since: began, session)
    return ExitStatus(answered: answer.quotes.count, failures: failures.map(\.error.code))
  }
}
