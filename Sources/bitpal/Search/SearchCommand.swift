import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalService

/// The `bitpal search TEXT` command, which finds coins by a part of their id, symbol or name.
struct SearchCommand: Command {
  static let name = "search"
  static let spec = CommandSpec(
    name, "find a coin by a part of its id, symbol or name", operands: .some("TEXT"),
    options: [OptionSpec(.limit, .text("N"), help: "print at most N coins (50)")],
    isQuestion: true,
    details: [
      "The coin list is kept on this machine for a week, and --refresh fetches it now. The best-known coins come first, "
        + "then exact symbols and ids, what begins with TEXT, what contains it, each by name. Case and accents do not "
        + "matter. The price is the last one that is cached, however old."
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
    let settings = try session.settings()
    let service = try session.assembly(settings).priceService()
    // One coin more than is shown tells whether there are more.
    let answer = try await service.search(text, limit: limit + 1, policy: policy)
    let hasMore = answer.value.count > limit
    let shown = answer.map { Array($0.prefix(limit)) }
    let output = SearchOutput(
      shown, query: text, prices: service.cachedPrices(of: shown.value), currency: settings.currency,
      suggestion: shown.value.isEmpty ? service.nearestCoin(to: text) : nil,
      name: service.name(ofID:))
    try session.show(SearchView(output, providers: service.descriptors))
    session.console.warn(about: [answer]) { _ in "the coin list" }
    if let failure = output.failure {
      guard session.options.errors == .text else {
        session.console.failure(failure)
        return .partlyAnswered
      }
      let nearest = output.suggestion.map { "; did you mean \"\($0.printable(limit: 80))\"?" } ?? ""
      session.console.aside("bitpal: no coin at \(answer.source) matches \"\(text.printable(limit: 80))\"\(nearest)\n")
      return .partlyAnswered
    }
    if hasMore { session.console.notice("only the first \(limit) are shown; --limit \(limit * 4) shows more") }
    return .answered
  }
}

/// The coins that a search found.
///
/// The name is the last column, because a name that is written from right to left could reorder the text after it.
struct SearchView: View {
  let output: SearchOutput
  private let providers: [ProviderDescriptor]

  init(_ output: SearchOutput, providers: [ProviderDescriptor]) {
    self.output = output
    self.providers = providers
  }

  func table(style: Style) -> String {
    if output.coins.isEmpty { return "" }
    let hasPrices = output.coins.contains { output.price(of: $0) != nil }
    var columns: [TextTable.Column] = [.init("ID", widest: 50), .init("SYMBOL", widest: 14, drops: 1)]
    if hasPrices { columns.append(.init("PRICE \(output.currency.uppercased())", .right)) }
    var table = TextTable(columns + [.init("NAME", widest: 60, narrowest: 8)])
    for coin in output.coins {
      var row: [TextTable.Cell] = [.init(output.name(coin.id)), .init(coin.symbol.uppercased())]
      if hasPrices { row.append(.init(output.price(of: coin).map { style.price($0) } ?? "")) }
      table.add(row + [.init(coin.name)])
    }
    return Provenance.line([output.provenance], providers: providers, style: style) + "\n\n"
      + table.text(style: style)
  }
}
