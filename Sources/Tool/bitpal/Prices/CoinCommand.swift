import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// The `bitpal coin COIN…` command, which shows the market details of coins.
struct CoinCommand: Command {
  static let name = "coin"
  static let spec = CommandSpec(
    name, "market details of coins", operands: .some("COIN"),
    isQuestion: true,
    details: [
      "Price and changes, rank, market cap, volume, supply, all-time high and low, as far as the source has them; a "
        + "dash marks a missing figure."
    ],
    examples: [
      .init("coin bitcoin", "the details as a table"),
      .init("coin bitcoin ethereum --format csv", "two coins, for a spreadsheet"),
    ])

  private let coins: [String]
  private let policy: FetchPolicy

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    coins = arguments.coins
    policy = arguments.options.policy
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let configured = try session.settings()
    let service = try session.assembly(configured).priceService()
    let (coins, settings) = try session.separating(coins, configured, service)
    let answer = try await CoinQuery(coins, currency: settings.currency).answer(by: service, policy: policy)
    if coins.count == 1, let detail = answer.details.first {
      try session.show(CoinView(detail, providers: service.descriptors, currency: settings.currency))
      session.console.warn(about: [detail]) { service.name(ofID: $0.id) }
      return .answered
    }
    try session.show(
      CoinsView(answer.details, failures: answer.failures, providers: service.descriptors, currency: settings.currency))
    session.console.warn(about: answer.details) { service.name(ofID: $0.id) }
    session.console.tell(answer.failures)
    return ExitStatus(answered: answer.details.count, failures: answer.failures.map(\.error.code))
  }
}

/// The market details of a coin.
struct CoinView: View {
  let output: CoinOutput
  private let providers: [ProviderDescriptor]

  init(_ answer: Sourced<CoinDetail>, providers: [ProviderDescriptor], currency: String) {
    self.init(output: CoinOutput(answer, provider: providers.first?.id, currency: currency), providers: providers)
  }

  init(output: CoinOutput, providers: [ProviderDescriptor]) {
    self.output = output
    self.providers = providers
  }

  func table(style: Style) -> String {
    let detail = output.detail
    let coin = detail.coin
    let (money, symbol) = (" " + output.currency.uppercased(), " " + coin.symbol.uppercased())
    var table = TextTable([.init(""), .init("", widest: 400, wraps: true)])
    func add(_ label: String, _ cell: TextTable.Cell?) { table.add([.init(label, .quiet), cell ?? "-"]) }
    func short(_ value: Decimal?, _ unit: String) -> TextTable.Cell? {
      value.map { .init(NumberFormat.short($0) + unit) }
    }
    func extreme(_ extreme: PriceExtreme?) -> TextTable.Cell? {
      extreme.map { extreme in
        let notes = [
          extreme.date.map(style.day),
          output.detail.distance(from: extreme).map { NumberFormat.percent($0) + " since" },
        ].compactMap(\.self)
        return .init(style.price(extreme.price) + money + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"))
      }
    }
    add("Id", .init(coin.id))
    add("Rank", detail.rank.map { .init("\($0)") })
    add("Price", .init(style.price(coin.currentPrice) + money))
    add("24h change", .change(coin.priceChangePercentage24h))
    add("7d change", .change(detail.changes.week))
    add("30d change", .change(detail.changes.month))
    add("1y change", .change(detail.changes.year))
    add("All-time high", extreme(detail.allTimeHigh))
    add("All-time low", extreme(detail.allTimeLow))
    add("Market cap", short(detail.marketCap, money))
    add("24h volume", short(detail.totalVolume, money) ?? short(coin.volume, symbol))
    add("Circulating supply", short(detail.circulatingSupply, symbol))
    add("Total supply", short(detail.totalSupply, symbol))
    add("Maximum supply", short(detail.maximumSupply, symbol))
    add("Updated", coin.lastUpdated.map { .init(style.time($0)) })
    if let image = detail.image { add("Image", .init(image)) }
    let title = "\(coin.name.printable(limit: 80)) (\(coin.symbol.uppercased().printable(limit: 20)))"
    return style(title, .heading) + "\n"
      + Provenance.line([output.provenance], providers: providers, style: style) + "\n\n" + table.text(style: style)
  }
}

/// The market details of several coins, one below the other.
struct CoinsView: View {
  let output: CoinsOutput
  private let providers: [ProviderDescriptor]

  init(
    _ answers: [Sourced<CoinDetail>], failures: [CoinFailure], providers: [ProviderDescriptor], currency: String
  ) {
    output = CoinsOutput(answers, failures: failures, provider: providers.first?.id, currency: currency)
    self.providers = providers
  }

  func table(style: Style) -> String {
    output.coins.map { CoinView(output: $0, providers: providers).table(style: style) }.joined(separator: "\n")
  }
}
