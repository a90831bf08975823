import BitpalConfig
import BitpalModel
import BitpalService

/// What `bitpal search TEXT` does.
struct SearchCommand: Command {
  private let text: String
  private let limit: Int
  private let policy: FetchPolicy

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    text = arguments.operands.joined(separator: " ")
    limit = try arguments.number(.limit, in: 1...100_000) ?? 50
    policy = arguments.options.policy
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let service = try session.assembly(try session.settings()).priceService()
    // One more than is shown tells whether there are more.
    let answer = try await service.search(text, limit: limit + 1, policy: policy)
    let hasMore = answer.value.count > limit
    let shown = answer.map { Array($0.prefix(limit)) }
    try session.show(SearchView(shown, query: text, providers: service.descriptors))
    session.console.tellOddities(of: [answer]) { _ in "the coin list" }
    if shown.value.isEmpty {
      let nearest = service.nearestCoin(to: text).map { "; did you mean \"\($0.printable(limit: 80))\"?" } ?? ""
      session.console.aside("bitpal: no coin at \(answer.source) matches \"\(text.printable(limit: 80))\"\(nearest)\n")
      return .partlyAnswered
    }
    if hasMore { session.console.notice("only the first \(limit) are shown; --limit \(limit * 4) shows more") }
    return .answered
  }
}
