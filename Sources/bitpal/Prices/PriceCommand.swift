import BitpalConfig
import BitpalModel
import BitpalService

/// What `bitpal price COIN…` does.
struct PriceCommand: Command {
  static let name = "price"
  static let spec = CommandSpec(
    name, "latest prices; of the watchlist, or the coins given", operands: .any("COIN"),
    options: [
      OptionSpec(.sort, .choice(PriceOrder.allCases.map(\.rawValue)), help: "order of the rows; as asked by default"),
      OptionSpec(.spark, help: "a column with the week's line of each coin"),
      OptionSpec(.ascii, help: "draw that column with plain characters only"),
    ],
    isQuestion: true,
    details: [
      "A COIN is an alias of the settings, one of the 200 best-known tickers (btc), an id (bitcoin), or a symbol that only "
        + "one coin has; id:uni is always the coin with that id. Several are set apart by blanks or commas. "
        + "Coins without an answer are named on stderr; the others are printed, and the exit status is 1.",
      "A line of --spark is asked for where the cached one is older than a third of a day, one request a coin. When the "
        + "source allows no more of them the rest stays empty, and stderr says why.",
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
    let service = try session.assembly(settings).priceService()
    let coins = try WatchlistContext.coins(coins, session, settings, service)
    if coins.isEmpty {
      throw BitpalError.usage(
        "the watchlist is empty", hint: "\"bitpal watchlist add COIN\" adds to it, \"bitpal price COIN\" does without")
    }
    let answer = try await service.quotes(coins, currency: settings.currency, policy: policy)
    let ids = answer.quotes.map(\.value.id)
    let weeks = hasSparklines ? try await weeks(of: ids, service, settings) : nil
    let sparklines = weeks.map { weeks in Sparklines(ids, ascii: isASCII) { weeks.lines[$0] } }
    try session.show(
      PricesView(
        answer, order: order, providers: service.descriptors, currency: settings.currency, sparklines: sparklines))
    for (reason, coins) in weeks?.missing ?? [] {
      session.console.notice("no week to draw of \(coins.joined(separator: ", ")): \(reason)")
    }
    session.console.warn(about: answer.quotes) { $0.id }
    session.console.tell(answer.failures)
    return ExitStatus(answered: answer.quotes.count, failures: answer.failures.map(\.error.code))
  }

  /// The weeks of coins, and why some have none, each reason once.
  ///
  /// A column that is merely nice to have is no reason to ask on when the source refuses: what has just said no to one says
  /// no to the next.
  private func weeks(
    of coins: [String], _ service: PriceService, _ settings: Settings
  ) async throws -> (lines: [String: LineSeries], missing: [(reason: String, coins: [String])]) {
    guard let week = settings.chart.ranges.named("1W") else { return ([:], [("there is no range 1W", coins)]) }
    var lines: [String: LineSeries] = [:]
    var missing: [(reason: String, coins: [String])] = []
    var refusal: BitpalError?
    for coin in coins {
      let cached = service.cachedLine(coin, range: week, currency: settings.currency)
      lines[coin] = cached
      let newest = cached?.points.last.map { service.time.now.since($0.timestamp) }
      // Newer than a character of the line is wide.
      if let newest, newest < Self.sparkAge || policy == .offline { continue }
      do {
        if let refusal { throw refusal }
        // A column that is nice to have is not waited for.
        lines[coin] = try await Deadline.withoutWaiting {
          try await service.line(
            service.name(ofID: coin), range: week, currency: settings.currency,
            policy: policy == .offline ? .offline : .normal
          ).value
        }
      } catch let error as BitpalError {
        if error.has(.endsBatch) { refusal = error }
        guard cached == nil else { continue }
        if let index = missing.firstIndex(where: { $0.reason == error.message }) {
          missing[index].coins.append(coin)
        } else {
          missing.append((error.message, [coin]))
        }
      }
    }
    return (lines, missing)
  }

  private static let sparkAge = Duration.seconds(8 * 3600)
}
