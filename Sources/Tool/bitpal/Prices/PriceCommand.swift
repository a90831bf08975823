import BitpalConfig
import BitpalModel
import BitpalQueries
import BitpalService

/// The `bitpal price COIN…` command, which shows the latest prices.
struct PriceCommand: Command {
  static let name = "price"
  static let spec = CommandSpec(
    name, "latest prices; of the watchlist, or the coins given", operands: .any("COIN"),
    options: [
      PriceOrder.parameter(usual: "as asked"),
      ParameterSpec("spark", .flag, "add a column with each coin's line of the week"),
      ParameterSpec("ascii", .flag, "draw that column in ASCII (as in the locale C)"),
    ],
    isQuestion: true,
    details: [
      "A COIN is an alias of the settings, one of the 200 best-known tickers (btc), an id (bitcoin), or a symbol of "
        + "only one coin; id:uni is always the coin with that id. Separate several by spaces or commas. Coins "
        + "without an answer are named on stderr; the others are printed, and the exit status is 1.",
      "CoinGecko sends the lines of --spark with the prices. Other sources need one request per coin if the cached "
        + "line is older than 8 hours. When the source's budget is used, the other cells stay empty, and stderr "
        + "shows the reason.",
    ],
    examples: [
      .init("price bitcoin eth", "two coins, the second by its alias"),
      .init("price bitcoin --currency eur --format json", "for a program, in euros"),
      .init("price bitcoin ethereum solana --sort change", "the best of the day first"),
    ])

  private let coins: [String]
  private let order: PriceOrder?
  private let policy: FetchPolicy
  private let hasSparklines: Bool
  private let isASCII: Bool

  init(_ arguments: Invocation.Arguments) {
    coins = arguments.coins
    order = PriceOrder(arguments.raw)
    policy = arguments.options.policy
    hasSparklines = arguments.raw.has("spark")
    isASCII = arguments.raw.has("ascii")
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let settings = try session.settings()
    let service = try session.assembly(settings).priceService()
    let coins = try WatchlistContext.coins(coins, session, settings, service)
    if coins.isEmpty {
      throw BitpalError.usage(
        "the watchlist is empty", hint: "\"bitpal watchlist add COIN\" adds to it, \"bitpal price COIN\" does without")
    }
    let answer = try await PricesQuery(coins, currency: settings.currency).answer(by: service, policy: policy)
    let ids = answer.quotes.map(\.value.id)
    let weeks =
      hasSparklines ? try await service.recentWeeks(ofIDs: ids, currency: settings.currency, policy: policy) : nil
    let sparklines = weeks.map { weeks in Sparklines(ids, ascii: isASCII || session.wantsASCII) { weeks.lines[$0] } }
    try session.show(
      PricesView(
        answer, order: order, providers: service.descriptors, currency: settings.currency, sparklines: sparklines))
    for (reason, coins) in weeks?.missing ?? [] {
      session.console.notice("no week to draw of \(coins.joined(separator: ", ")): \(reason)")
    }
    session.console.warn(about: answer.quotes) { service.name(ofID: $0.id) }
    session.console.tell(answer.failures)
    return ExitStatus(answered: answer.quotes.count, failures: answer.failures.map(\.error.code))
  }
}
