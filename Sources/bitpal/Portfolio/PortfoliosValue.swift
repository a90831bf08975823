import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalProviders
import BitpalService
import BitpalValuation
import FoundationEssentials

/// The `bitpal portfolio --all` command: every portfolio at the latest prices, in one currency, and their sum.
struct PortfoliosValue {
  let context: ShelfContext

  /// Shows the totals and their sum; a portfolio without a rate to the target currency is shown without figures.
  ///
  /// - Throws: Errors of the store and of transactions that cannot be booked; a missing price or rate is a failure.
  func show() async throws -> ExitStatus {
    let (session, service, target) = (context.session, context.service, context.settings.currency)
    var valued: [(info: PortfolioInfo, summary: PortfolioSummary, rate: Decimal?)] = []
    var rates: [String: PortfolioTotalOutput.Rate] = [:]
    var prices: [String: Decimal] = [target: 1]
    var missing: Set<String> = []
    var failures: [CoinFailure] = []
    var origins: [Provenance] = []
    let infos = try context.shelf.portfolios().filter { $0.transactions > 0 }
    for info in infos {
      let store = TransactionStore(file: context.file, portfolio: info.name)
      let own = try await ValuedPortfolio(store, in: info.currency, by: service, policy: session.options.policy)
      origins += own.answer.quotes.map(Provenance.init)
      failures += own.answer.failures
      if prices[info.currency] == nil, missing.insert(info.currency).inserted {
        do {
          let rate = try await rate(from: info.currency, to: target)
          prices[info.currency] = rate.value.currentPrice
          rates[info.currency] = PortfolioTotalOutput.Rate(
            source: rate.source, time: rate.value.lastUpdated ?? rate.fetchedAt)
        } catch let error as BitpalError {
          failures.append(CoinFailure(coin: info.currency.uppercased(), error: error))
        }
      }
      valued.append((info, own.portfolio.summary, prices[info.currency]))
    }
    let output = PortfolioTotalOutput(
      try PortfolioTotal(valued), currency: target, rates: rates, failures: failures)
    try session.show(
      PortfolioTotalView(output: output, source: origins, providers: service.descriptors, rates: rates))
    for failure in failures { session.console.failure(failure.error, subject: failure.coin) }
    return ExitStatus(answered: output.total.lines.count, failures: failures.map(\.error.code))
  }

  /// Returns the price of one unit of a currency in another.
  private func rate(from: String, to: String) async throws -> Sourced<Coin> {
    let currency = CurrencyCoin.id(of: from)
    return try await context.service.convert(1, from: currency, to: to, policy: context.session.options.policy).price
  }
}

/// The totals of all portfolios, with one row per portfolio, and their sum.
struct PortfolioTotalView: View {
  let output: PortfolioTotalOutput
  let source: [Provenance]
  let providers: [ProviderDescriptor]
  let rates: [String: PortfolioTotalOutput.Rate]

  func table(style: Style) -> String {
    if output.total.lines.isEmpty { return "No holdings. \"bitpal buy QUANTITY COIN\" records the first.\n" }
    let currency = output.currency.uppercased()
    var table = TextTable([
      .init("PORTFOLIO", widest: 64, narrowest: 8), .init("VALUE \(currency)", .right),
      .init("UNREALIZED", .right, drops: 3), .init("REALIZED", .right, drops: 2), .init("COST", .right, drops: 4),
      .init("FEES", .right, drops: 1), .init("RATE"),
    ])
    func add(_ name: String, _ figures: PortfolioTotal.Figures?, _ rate: TextTable.Cell) {
      guard let figures else {
        table.add([.init(name), .init("no rate", .warning), "-", "-", "-", "-", rate])
        return
      }
      table.add([
        .init(name), .init(NumberFormat.amount(figures.value)), .gain(figures.unrealized), .gain(figures.realized),
        .init(NumberFormat.amount(figures.openCost)), .init(NumberFormat.amount(figures.fees)), rate,
      ])
    }
    for line in output.total.lines { add(line.info.name.text, line.figures, .init(rate(of: line))) }
    add("all", output.total.total, output.total.isComplete ? "" : .init("incomplete", .warning))
    let header = source.isEmpty ? "" : Provenance.line(source, providers: providers, style: style) + "\n\n"
    return header + table.text(style: style)
  }

  private func rate(of line: PortfolioTotal.Line) -> String {
    let own = line.info.currency.uppercased()
    guard let value = line.rate, let rate = rates[line.info.currency] else { return own }
    return "\(own) at \(value.plainText) (\(rate.source), \(rate.time.dayText))"
  }
}
