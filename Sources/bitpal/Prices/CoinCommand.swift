import BitpalConfig
import BitpalModel
import BitpalService

/// What `bitpal coin COIN` does.
struct CoinCommand: Command {
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
