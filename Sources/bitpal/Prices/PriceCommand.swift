import BitpalConfig
import BitpalModel
import BitpalService

/// What `bitpal price COIN…` does.
struct PriceCommand: Command {
  static let spec = CommandSpec(
    "price", "latest prices; of the watchlist, or the coins given", operands: .any("COIN"),
    options: [
      OptionSpec(.sort, .choice(PriceOrder.allCases.map(\.rawValue)), help: "order of the rows; as asked by default"),
      OptionSpec(.spark, help: "a column with the week's line, as far as it is cached"),
      OptionSpec(.ascii, help: "draw that column with plain characters only"),
    ],
    isQuestion: true,
    details: [
      "A COIN is an alias of the settings, one of the 200 best-known tickers (btc), an id (bitcoin), or a symbol that only "
        + "one coin has; id:uni is always the coin with that id. Several are set apart by blanks or commas. "
        + "Coins without an answer are named on stderr; the others are printed, and the exit status is 1."
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
    order = arguments.raw.value(.sort).flatMap(PriceOrder.init(rawValue:))
    policy = arguments.options.policy
    hasSparklines = arguments.raw.has(.spark)
    isASCII = arguments.raw.has(.ascii)
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let settings = try session.settings()
    let coins = try WatchlistContext.coins(coins, session, settings)
    if coins.isEmpty {
      throw BitpalError.usage(
        "the watchlist is empty", hint: "\"bitpal watchlist add COIN\" adds to it, \"bitpal price COIN\" does without")
    }
    let service = try session.assembly(settings).priceService()
    let answer = try await service.quotes(coins, currency: settings.currency, policy: policy)
    // A column that is merely nice to have costs no request: what is not cached stays empty.
    let week = settings.chart.ranges.named("1W")
    let sparklines =
      !hasSparklines
      ? nil
      : Sparklines(answer.quotes.map(\.value.id), ascii: isASCII) { id in
        week.flatMap { service.cachedLine(id, range: $0, currency: settings.currency) }
      }
    try session.show(
      PricesView(
        answer, order: order, providers: service.descriptors, currency: settings.currency, sparklines: sparklines))
    if let missing = sparklines?.missing, !missing.isEmpty {
      session.console.notice(
        "no week is cached of \(missing.joined(separator: ", ")); \"bitpal chart COIN --range 1W\" fetches one")
    }
    session.console.warn(about: answer.quotes) { $0.id }
    session.console.tell(answer.failures)
    return ExitStatus(answered: answer.quotes.count, failures: answer.failures.map(\.error.code))
  }
}
