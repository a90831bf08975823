import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalService

/// What `bitpal coin COIN` does.
struct CoinCommand: Command {
  static let spec = CommandSpec(
    "coin", "market details of one coin", operands: .one("COIN"),
    isQuestion: true,
    details: ["Price, market cap, volume and supply, as far as the source knows them."],
    examples: [
      .init("coin bitcoin", "the details as a table"),
      .init("coin bitcoin --format json", "the same for a program"),
    ])

  private let coin: String
  private let policy: FetchPolicy

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    coin = try arguments.onlyOperand("COIN")
    policy = arguments.options.policy
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let settings = try session.settings()
    let service = try session.assembly(settings).priceService()
    let detail = try await service.detail(coin, currency: settings.currency, policy: policy)
    try session.show(CoinView(detail, providers: service.descriptors, currency: settings.currency))
    session.console.warn(about: [detail]) { $0.id }
    return .answered
  }
}

/// The market details of a coin.
struct CoinView: View {
  let output: CoinOutput
  private let providers: [ProviderDescriptor]

  init(_ answer: Sourced<CoinDetail>, providers: [ProviderDescriptor], currency: String) {
    output = CoinOutput(answer, provider: providers.first?.id, currency: currency)
    self.providers = providers
  }

  func table(style: Style) -> String {
    let detail = output.detail
    let coin = detail.coin
    let unit = " " + output.currency.uppercased()
    var table = TextTable([.init(""), .init("", widest: 400, wraps: true)])
    func add(_ label: String, _ cell: TextTable.Cell?) {
      if let cell { table.add([.init(label, .quiet), cell]) }
    }
    add("Id", .init(coin.id))
    add("Price", .init(style.price(coin.currentPrice) + unit))
    add("24h change", coin.priceChange24h.map { .change($0) })
    add("Market cap", detail.marketCap.map { .init(NumberFormat.short($0) + unit) })
    add("24h volume", detail.totalVolume.map { .init(NumberFormat.short($0) + unit) })
    add(
      "Circulating supply",
      detail.circulatingSupply.map { .init(NumberFormat.short($0) + " " + coin.symbol.uppercased()) })
    add("Updated", coin.lastUpdated.map { .init(style.time($0)) })
    add("Image", detail.image.map { .init($0) })
    let title = "\(coin.name.printable(limit: 80)) (\(coin.symbol.uppercased().printable(limit: 20)))"
    return style(title, .heading) + "\n"
      + Provenance.line([output.provenance], providers: providers, style: style) + "\n\n" + table.text(style: style)
  }
}
