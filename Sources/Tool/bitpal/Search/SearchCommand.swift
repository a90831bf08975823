import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries

/// The `bitpal search TEXT` command, which finds coins by a part of their id, symbol or name.
struct SearchCommand: Command {
  static let name = "search"
  static let spec = CommandSpec(
    name, "find a coin by a part of its id, symbol or name", operands: .some("TEXT"),
    options: [SearchQuery.limit],
    isQuestion: true,
    details: [
      "The coin list is kept on this machine for a week, and --refresh fetches it again. The best-known coins come "
        + "first, then exact symbols and ids, then names that begin with TEXT, then names that contain it, each "
        + "sorted by name. Case and accents are ignored. The price is the last cached one, however old."
    ],
    examples: [
      .init("search doge", "which coin is it?"),
      .init("search usdt --limit 100", "every coin that shares the symbol"),
      .init("search wrapped bitcoin --format json", "for a program"),
    ])

  private let text: String
  private let parameters: RawArguments
  private let policy: FetchPolicy

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    text = arguments.operands.joined(separator: " ")
    parameters = arguments.raw
    _ = try SearchQuery(text, parameters)
    policy = arguments.options.policy
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let query = try SearchQuery(text, parameters, usual: session.screenRows ?? 50)
    let settings = try session.settings()
    let service = try session.assembly(settings).priceService()
    let answer = try await query.answer(by: service, policy: policy)
    let output = SearchOutput(answer, currency: settings.currency)
    try session.show(SearchView(output, providers: service.descriptors))
    session.console.warn(about: [answer.coins]) { _ in "the coin list" }
    if let failure = output.failure {
      guard session.options.errors == .text else {
        session.console.failure(failure)
        return .partlyAnswered
      }
      let nearest = output.suggestion.map { "; did you mean \"\($0.printable(limit: 80))\"?" } ?? ""
      session.console.aside(
        "bitpal: no coin at \(answer.coins.source) matches \"\(query.text.printable(limit: 80))\"\(nearest)\n")
      return .partlyAnswered
    }
    if answer.hasMore {
      session.console.notice("only the first \(query.limit) are shown; --limit \(query.limit * 4) shows more")
    }
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
