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
    name, "find a coin by a part of its id, symbol or name", operands: .any("TEXT"),
    options: [
      SearchQuery.limit, ParameterSpec("interactive", .flag, "search while you type, on a terminal", short: "i"),
    ],
    isQuestion: true,
    details: [
      "The coin list is kept on this machine for a week, and --refresh fetches it again. The best-known coins come "
        + "first, then exact symbols and ids, then names that begin with TEXT, then names that contain it, each "
        + "sorted by name. Case and accents are ignored. The price is the last cached one, however old.",
      "With -i the list follows what is typed. Each key looks in the list on this machine; a source is asked only "
        + "when nothing was typed for 300 ms. The arrow keys choose, Enter shows the coin, and a then adds it to the "
        + "watchlist.",
    ],
    examples: [
      .init("search doge", "which coin is it?"),
      .init("search -i", "search while you type"),
      .init("search usdt --limit 100", "every coin that shares the symbol"),
      .init("search wrapped bitcoin --format json", "for a program"),
    ])

  private let text: String
  private let parameters: RawArguments
  private let isInteractive: Bool
  private let policy: FetchPolicy

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    text = arguments.operands.joined(separator: " ")
    parameters = arguments.raw
    isInteractive = arguments.raw.has("interactive")
    guard isInteractive || !arguments.operands.isEmpty else {
      throw .usage("search needs a TEXT", hint: "\"bitpal search doge\", or \"bitpal search -i\" on a terminal")
    }
    _ = try SearchQuery(text, parameters)
    policy = arguments.options.policy
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let settings = try session.settings()
    if isInteractive {
      guard session.console.canRedraw, TextStream.isInputTerminal, session.options.format == .table else {
        throw BitpalError.usage("search -i needs a terminal", hint: "\"bitpal search TEXT\" does without")
      }
      let warnings = Locked<[String]>([])
      // A screen that is redrawn has no place for messages in between.
      let assembly = Assembly(
        settings: settings, environment: session.environment, now: session.options.now,
        warn: { text in warnings.withLock { $0.append(text) } })
      try await SearchScreen(
        session: session, service: try assembly.priceService(), currency: settings.currency, parameters: parameters
      ).run(text)
      for warning in warnings.withLock({ $0 }) { session.console.warning(warning) }
      return .answered
    }
    let query = try SearchQuery(text, parameters, usual: session.screenRows ?? 50)
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
    if let renaming = answer.renaming { session.console.notice(renaming) }
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

  /// The index of the coin that is marked; nil for none.
  private let choice: Int?

  init(_ output: SearchOutput, providers: [ProviderDescriptor], choice: Int? = nil) {
    self.output = output
    self.providers = providers
    self.choice = choice
  }

  func table(style: Style) -> String {
    if output.coins.isEmpty { return "" }
    let hasPrices = output.coins.contains { output.price(of: $0) != nil }
    var columns: [TextTable.Column] = [.init("ID", widest: 50), .init("SYMBOL", widest: 14, drops: 1)]
    if hasPrices { columns.append(.init("PRICE \(output.currency.uppercased())", .right)) }
    if choice != nil { columns.insert(.init(""), at: 0) }
    var table = TextTable(columns + [.init("NAME", widest: 60, narrowest: 8)])
    for (index, coin) in output.coins.enumerated() {
      let mark: [TextTable.Cell] = choice.map { [.init(index == $0 ? ">" : " ", .heading)] } ?? []
      var row = mark + [.init(output.name(coin.id)), .init(coin.symbol.uppercased())]
      if hasPrices { row.append(.init(output.price(of: coin).map { style.price($0) } ?? "")) }
      table.add(row + [.init(coin.name)])
    }
    return Provenance.line([output.provenance], providers: providers, style: style) + "\n\n"
      + table.text(style: style)
  }
}
