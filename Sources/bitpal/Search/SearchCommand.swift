import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalService

/// What `bitpal search TEXT` does.
struct SearchCommand: Command {
  static let spec = CommandSpec(
    "search", "find a coin by a part of its id, symbol or name", operands: .some("TEXT"),
    options: [OptionSpec(.limit, .text("N"), help: "at most so many coins, 50 by default")],
    isQuestion: true,
    details: [
      "The coin list is kept on this machine for a week, and --refresh fetches it now. Exact symbols and ids come first, "
        + "then what begins with TEXT, then what contains it, each by name. Case and accents do not matter."
    ],
    examples: [
      .init("search doge", "which coin is it?"),
      .init("search usdt --limit 100", "every coin that shares the symbol"),
      .init("search wrapped bitcoin --format json", "for a program"),
    ])

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
    session.console.warn(about: [answer]) { _ in "the coin list" }
    if shown.value.isEmpty {
      let nearest = service.nearestCoin(to: text).map { "; did you mean \"\($0.printable(limit: 80))\"?" } ?? ""
      session.console.aside("bitpal: no coin at \(answer.source) matches \"\(text.printable(limit: 80))\"\(nearest)\n")
      return .partlyAnswered
    }
    if hasMore { session.console.notice("only the first \(limit) are shown; --limit \(limit * 4) shows more") }
    return .answered
  }
}

/// The coins that a search found.
///
/// The name stands last: one that is written from right to left cannot reorder what follows it then.
struct SearchView: View {
  let output: SearchOutput
  private let providers: [ProviderDescriptor]

  init(_ answer: Sourced<[CoinListItem]>, query: String, providers: [ProviderDescriptor]) {
    output = SearchOutput(answer, query: query)
    self.providers = providers
  }

  func table(style: Style) -> String {
    if output.coins.isEmpty { return "" }
    var table = TextTable([
      .init("ID", widest: 50), .init("SYMBOL", widest: 14, drops: 1),
      .init("NAME", widest: 60, narrowest: 8),
    ])
    for coin in output.coins { table.add([.init(coin.id), .init(coin.symbol.uppercased()), .init(coin.name)]) }
    return Provenance.line([output.provenance], providers: providers, style: style) + "\n\n"
      + table.text(style: style)
  }
}
