import BitpalModel
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// The `bitpal buy QUANTITY COIN` command.
struct BuyCommand: SingleTransactionCommand {
  static let type = TransactionType.buy
  static let spec = form(
    "record that coins were bought",
    details: [
      "Amounts of money are in the portfolio's currency, which is that of the settings when its first transaction is "
        + "recorded. Without --price, the price of the day applies: its close, or the latest price for today."
    ],
    examples: [
      .init("buy 0.25 bitcoin --price 64000 --date 2024-08-02", "what was paid, and when"),
      .init("buy 100 sol --total 18950 --fee 1.20", "what it came to in all"),
      .init("buy 1 eth --date 2024-12-24", "at the close of that day"),
    ])

  let entry: TransactionEntry
}

/// The `bitpal sell QUANTITY COIN` command.
struct SellCommand: SingleTransactionCommand {
  static let type = TransactionType.sell
  static let spec = form(
    "record that coins were sold",
    details: [
      "QUANTITY may be all. A sale of more than is held on that date is refused. A sale removes its share of the "
        + "moving average cost; proceeds less that cost is the realized gain."
    ],
    examples: [
      .init("sell 0.1 bitcoin --price 99000", "a part"),
      .init("sell all dogecoin --dry-run", "what would be recorded"),
    ])

  let entry: TransactionEntry
}

/// The `bitpal receive QUANTITY COIN` command.
struct ReceiveCommand: SingleTransactionCommand {
  static let type = TransactionType.receive
  static let spec = form(
    "record coins that were received without a payment",
    details: [
      "Their value is their cost: without --price, the close of the day, or the latest price for today; --price 0 for "
        + "no cost."
    ],
    examples: [
      .init("receive 0.002 eth --label reward --date 2025-01-03", "at the close of that day"),
      .init("receive 1 btc --label transfer --price 21000", "at what it had cost elsewhere"),
    ])

  let entry: TransactionEntry
}

/// The `bitpal send QUANTITY COIN` command.
struct SendCommand: SingleTransactionCommand {
  static let type = TransactionType.send
  static let spec = form(
    "record coins that were sent without a payment",
    details: [
      "Without --price the coins leave with their cost, without a gain or a loss. With a price (a number, or close "
        + "for the close of the day) the send is a disposal at that value and has a gain, like a sale. QUANTITY may "
        + "be all."
    ],
    examples: [
      .init("send 0.0005 btc --label fee", "what the network took"),
      .init("send 0.5 eth --label gift --price close", "a gift at what it was worth"),
    ])

  let entry: TransactionEntry
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

/// The `bitpal split COIN NEW:OLD` command.
struct SplitCommand: TransactionCommand {
  static let name = "split"
  static let spec = CommandSpec(
    name, "record that a share was split, or a coin redenominated",
    operands: .exactly(["COIN", "NEW:OLD"]), options: TransactionRequest.splitParameters + TransactionEntry.options,
    details: [
      "All that is held on the date is replaced by NEW for every OLD of the same, at the same cost and with the same "
        + "dates of its lots, without a gain. What a broker paid for a fraction is a sale of its own, after it."
    ],
    examples: [
      .init("split AAPL 4:1 --date 2020-08-31", "four for each one that was held"),
      .init("split xyz 1:10", "one for ten"),
    ])

  let entry: TransactionEntry

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    let words = arguments.operands
    guard words.count == 2 else { throw .usage("split needs COIN NEW:OLD") }
    entry = TransactionEntry(try TransactionRequest(splitting: words[0], words[1], arguments.raw), arguments.raw)
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

  init(_ request: TransactionRequest, _ raw: RawArguments) {
    self.request = request
    portfolio = raw["portfolio"]
    creates = raw.has("create") || raw["portfolio"].map { $0 == PortfolioName.main.text } ?? true
    isDryRun = raw.has("dry-run")
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

/// A command that records a transaction of one type, which gives the command its name.
protocol SingleTransactionCommand: TransactionCommand {
  static var type: TransactionType { get }

  init(entry: TransactionEntry)
}

extension SingleTransactionCommand {
  static var name: String { type.rawValue }

  /// Returns the description of the command; a paragraph on fees follows the details.
  fileprivate static func form(
    _ summary: String, details: [String], examples: [CommandSpec.Example]
  ) -> CommandSpec {
    CommandSpec(
      name, summary, operands: .exactly(["QUANTITY", "COIN"]),
      options: TransactionRequest.parameters(of: type) + TransactionEntry.options,
      details: details + ["A fee in coins is a separate send in the same group as the transaction."],
      examples: examples)
  }

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    let words = arguments.operands
    guard words.count == 2 else { throw .usage("\(Self.name) needs a QUANTITY and a COIN") }
    if words[0].first?.isLetter == true, words[1].allSatisfy({ $0.isNumber || $0 == "." }) {
      throw .usage("the quantity comes before the coin", hint: "as in bitpal \(Self.name) \(words[1]) \(words[0])")
    }
    self.init(
      entry: TransactionEntry(
        try TransactionRequest(Self.type, quantity: words[0], coin: words[1], arguments.raw), arguments.raw))
  }
}
