import BitpalConfig
import BitpalModel
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
    session.console.tellOddities(of: [detail]) { $0.id }
    return .answered
  }
}
