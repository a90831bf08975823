import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries

/// The `bitpal top` command, which lists the largest coins by market value.
struct TopCommand: Command {
  static let name = "top"
  static let spec = CommandSpec(
    name, "the largest coins by market value",
    options: [
      ParameterSpec("limit", .count(1...250), "print at most N coins (those that fit the screen, or 50)", short: "n")
    ],
    isQuestion: true,
    details: [
      "One request brings up to 250 coins with their prices and market figures. They count as fresh prices "
        + "afterwards, so that \"price\" and \"coin\" answer without a request. CoinGecko lists coins by market value; "
        + "other sources do not."
    ],
    examples: [
      .init("top", "as many as fit the screen"),
      .init("top --limit 10 --csv", "ten, for a spreadsheet"),
    ])

  private let limit: Int?

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    limit = try arguments.raw.number("limit", in: 1...250)
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let settings = try session.settings()
    let service = try session.assembly(settings).priceService()
    let (policy, currency) = (session.options.policy, settings.currency)
    let coins = try await service.top(currency: currency, policy: policy)
    let ids = coins.value.prefix(limit ?? session.screenRows ?? 50).map(\.id)
    // The prices have come with the list.
    let answer = try await PricesQuery(ids.map { "id:\($0)" }, currency: currency)
      .answer(by: service, policy: policy == .refresh ? .normal : policy)
    let figures = service.figures(of: answer.quotes, currency: currency)
    try session.show(
      PricesView(
        answer, order: .marketCap, figures: figures, providers: service.descriptors, currency: currency))
    session.console.warn(about: [coins]) { _ in "the largest coins" }
    session.console.warn(about: answer.quotes) { service.name(ofID: $0.id) }
    session.console.tell(answer.failures)
    return ExitStatus(answered: answer.quotes.count, failures: answer.failures.map(\.error.code))
  }
}
