import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// The `bitpal portfolio lots` command, which shows the lots that are still held.
struct PortfolioLotsCommand: PortfolioCommand {
  static let name = "portfolio lots"
  static let spec = CommandSpec(
    name, "the open lots", options: [GainsQuery.method, .named],
    examples: [.init("portfolio lots --method fifo", "when each came in, and what it cost")])

  let portfolio: String?
  private let query: GainsQuery

  init(_ arguments: Invocation.Arguments) {
    portfolio = arguments.raw["portfolio"]
    query = GainsQuery(lots: arguments.raw)
  }

  func run(in context: PortfolioContext) throws -> ExitStatus {
    let gains = try query.answer(from: context.store)
    if gains.lots.isEmpty, context.session.options.format == .table {
      context.session.console.notice("nothing is held")
    }
    try context.session.show(
      LotsView(output: LotsOutput(gains.lots, by: gains.method, of: context.name, currency: context.currency)))
    return .answered
  }
}

/// The lots of a portfolio that are still held.
struct LotsView: View {
  let output: LotsOutput

  func table(style: Style) -> String {
    if output.lots.isEmpty { return "" }
    let currency = output.currency.uppercased()
    var table = TextTable([
      .init("COIN", widest: 24, narrowest: 8), .init("ACQUIRED"), .init("QUANTITY", .right),
      .init("COST \(currency)", .point), .init("EACH", .point, drops: 1),
    ])
    for (lot, each) in zip(output.lots, style.prices(output.lots.map(\.costPerCoin))) {
      table.add([
        .init(lot.coinId), .init(lot.acquired.map { style.bookedDay($0) } ?? "-"),
        .init(NumberFormat.quantity(lot.quantity)), .init(NumberFormat.amount(lot.cost)), each,
      ])
    }
    return style("\(output.portfolio.text) · lots by \(output.method.rawValue) · \(currency)", .heading) + "\n\n"
      + table.text(style: style)
  }
}

/// The `bitpal portfolio method METHOD` command, which sets the method of gains of a portfolio.
struct PortfolioMethodCommand: PortfolioCommand {
  static let name = "portfolio method"
  static let spec = CommandSpec(
    name, "set the order in which lots are sold", operands: .one("METHOD"),
    options: [.named],
    details: [
      "METHOD is average, fifo, lifo or hifo, and a setting of the portfolio. Holdings and their cost stay those of "
        + "the moving average."
    ],
    examples: [.init("portfolio method fifo", "what came first goes first")])

  let portfolio: String?
  private let method: GainMethod

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    let word = try arguments.onlyOperand("METHOD")
    guard let method = GainMethod(rawValue: word.lowercased()) else {
      throw .usage(
        "\"\(word)\" is not a method", hint: "there are \(GainMethod.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self.method = method
    portfolio = arguments.raw["portfolio"]
  }

  func run(in context: PortfolioContext) throws -> ExitStatus {
    try PortfolioCatalog(file: context.file).set(method, for: context.name)
    context.session.confirm(
      FactView(
        "the gains of \(context.name.text) are by \(method.rawValue) now",
        DoneOutput(Self.name, about: context.name.text, ["method": method.rawValue])))
    return .answered
  }
}
