import BitpalModel
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// The `bitpal buy QUANTITY COIN` command.
struct BuyCommand: TransactionCommand {
  static let name = "buy"
  static let spec = CommandSpec(
    name, "record that coins were bought", operands: .exactly(["QUANTITY", "COIN"]),
    options: TransactionEntry.options(of: .buy),
    details: [
      "Amounts of money are in the portfolio's currency, which is that of the settings when its first transaction is "
        + "recorded. Without --price, the price of the day applies: its close, or the latest price for today.",
      feeDetail,
    ],
    examples: [
      .init("buy 0.25 bitcoin --price 64000 --date 2024-08-02", "what was paid, and when"),
      .init("buy 100 sol --total 18950 --fee 1.20", "what it came to in all"),
      .init("buy 1 eth --date 2024-12-24", "at the close of that day"),
    ])

  let entry: TransactionEntry

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    entry = try TransactionEntry(.buy, arguments.operands, arguments.raw)
  }
}

/// The `bitpal sell QUANTITY COIN` command.
struct SellCommand: TransactionCommand {
  static let name = "sell"
  static let spec = CommandSpec(
    name, "record that coins were sold", operands: .exactly(["QUANTITY", "COIN"]),
    options: TransactionEntry.options(of: .sell),
    details: [
      "QUANTITY may be all. A sale of more than is held on that date is refused. A sale removes its share of the "
        + "moving average cost; proceeds less that cost is the realized gain.",
      feeDetail,
    ],
    examples: [
      .init("sell 0.1 bitcoin --price 99000", "a part"),
      .init("sell all dogecoin --dry-run", "what would be recorded"),
    ])

  let entry: TransactionEntry

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    entry = try TransactionEntry(.sell, arguments.operands, arguments.raw)
  }
}

/// The `bitpal receive QUANTITY COIN` command.
struct ReceiveCommand: TransactionCommand {
  static let name = "receive"
  static let spec = CommandSpec(
    name, "record coins that were received without a payment", operands: .exactly(["QUANTITY", "COIN"]),
    options: TransactionEntry.options(of: .receive),
    details: [
      "Their value is their cost: without --price, the close of the day, or the latest price for today; --price 0 for "
        + "no cost.",
      feeDetail,
    ],
    examples: [
      .init("receive 0.002 eth --label reward --date 2025-01-03", "at the close of that day"),
      .init("receive 1 btc --label transfer --price 21000", "at what it had cost elsewhere"),
    ])

  let entry: TransactionEntry

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    entry = try TransactionEntry(.receive, arguments.operands, arguments.raw)
  }
}

/// The `bitpal send QUANTITY COIN` command.
struct SendCommand: TransactionCommand {
  static let name = "send"
  static let spec = CommandSpec(
    name, "record coins that were sent without a payment", operands: .exactly(["QUANTITY", "COIN"]),
    options: TransactionEntry.options(of: .send),
    details: [
      "Without --price the coins leave with their cost, without a gain or a loss. With a price (a number, or close "
        + "for the close of the day) the send is a disposal at that value and has a gain, like a sale. QUANTITY may "
        + "be all.",
      feeDetail,
    ],
    examples: [
      .init("send 0.0005 btc --label fee", "what the network took"),
      .init("send 0.5 eth --label gift --price close", "a gift at what it was worth"),
    ])

  let entry: TransactionEntry

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    entry = try TransactionEntry(.send, arguments.operands, arguments.raw)
  }
}

/// The `bitpal swap QUANTITY COIN QUANTITY COIN` command.
struct SwapCommand: TransactionCommand {
  static let name = "swap"
  static let spec = CommandSpec(
    name, "record that one coin was exchanged for another",
    operands: .exactly(["QUANTITY", "COIN", "QUANTITY", "COIN"]),
    options: TransactionRequest.swapParameters + TransactionEntry.options,
    details: [
      "A swap is a sale of the first coin and a purchase of the second for the same money; each shows the id of the "
        + "other's group.",
      "A coin that was renamed or redenominated is replaced by another without a sale: with --label rename its cost "
        + "and the dates of its lots move to the other coin, without a gain.",
    ],
    examples: [
      .init("swap 100 matic 100 pol --label rename", "no sale, and no gain"),
      .init("swap 1 eth 0.033 btc --date 2025-01-10", "worth what 1 ETH closed at"),
      .init("swap 500 usdt 0.005 btc --total 499.80", "worth so much"),
    ])

  let entry: TransactionEntry

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    let words = arguments.operands
    guard words.count == 4 else { throw .usage("swap needs QUANTITY COIN QUANTITY COIN") }
    entry = TransactionEntry(
      try TransactionRequest(swapping: words[0], words[1], for: (words[2], words[3]), arguments.raw), arguments.raw)
  }
}

/// A transaction as it is typed, and the portfolio for it.
struct TransactionEntry: Sendable {
  /// The options of every command that records transactions, beside the parameters of the transaction.
  static let options: [ParameterSpec] = [.named, .create, .dryRun]

  let portfolio: String?
  let creates: Bool
  private let request: TransactionRequest
  private let isDryRun: Bool

  /// Returns the options of the command that records a transaction of a type.
  static func options(of type: TransactionType) -> [ParameterSpec] { TransactionRequest.parameters(of: type) + options }

  init(_ request: TransactionRequest, _ raw: RawArguments) {
    self.request = request
    portfolio = raw["portfolio"]
    creates = raw.has("create")
    isDryRun = raw.has("dry-run")
  }

  /// - Parameter words: `QUANTITY COIN`.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for another number of words, and as
  ///   `TransactionRequest.init(_:quantity:coin:_:)`.
  init(_ type: TransactionType, _ words: [String], _ raw: RawArguments) throws(BitpalError) {
    guard words.count == 2 else { throw .usage("\(type.rawValue) needs a QUANTITY and a COIN") }
    self.init(try TransactionRequest(type, quantity: words[0], coin: words[1], raw), raw)
  }

  /// Records the transaction and shows it.
  ///
  /// - Throws: As `TransactionRequest.record(in:isDryRun:)`.
  func run(in context: PortfolioContext) async throws -> ExitStatus {
    let transactions = try await request.record(in: context.book, isDryRun: isDryRun)
    try context.show(transactions, as: isDryRun ? "would record" : "recorded", isDryRun: isDryRun)
    if !isDryRun { try await context.refreshSnapshot() }
    return .answered
  }
}

private let feeDetail = "A fee in coins is a separate send in the same group as the transaction."

/// A command that records a transaction.
protocol TransactionCommand: PortfolioCommand {
  /// The transaction as the command line describes it.
  var entry: TransactionEntry { get }
}

extension TransactionCommand {
  var portfolio: String? { entry.portfolio }

  var creates: Bool { entry.creates }

  func run(in context: PortfolioContext) async throws -> ExitStatus { try await entry.run(in: context) }
}
