import Bitpal
import BitpalConfig
import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalProviders

/// The `bitpal providers find COIN [CURRENCY]` command, which names the sources of a coin without asking them.
struct ProvidersFindCommand: Command {
  static let name = "providers find"
  static let spec = CommandSpec(
    name, "the sources that have a coin, without a request", operands: .free("COIN [CURRENCY]"),
    details: [
      "What is known stands in provider files, in the coin lists that were fetched and in cached prices. \"priced\" means "
        + "that a price is cached, \"listed\" that the source's list or file has the coin, \"named\" that its file knows "
        + "the source's name for it. Where only a request would show it, the state is \"unknown\"; \"search TEXT -p NAME\" "
        + "fetches a list.",
      "Sources that do not have the coin or the currency are left out of the table. The exit status is 1 when no source "
        + "is known to have it.",
    ],
    examples: [
      .init("providers find btc eur", "who has bitcoin in euros"),
      .init("providers find monero --format json", "in any currency, with those that lack it"),
    ])

  private let coin: String
  private let currency: String?

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    coin = arguments.operands[0]
    guard arguments.operands.count < 3 else { throw .usage("one coin and one currency are looked for at a time") }
    guard arguments.operands.count == 2 else {
      currency = nil
      return
    }
    guard let code = Currency.normalized(arguments.operands[1]) else {
      throw .usage(Currency.problem(of: arguments.operands[1]))
    }
    currency = code
  }

  func run(_ session: Session) throws -> ExitStatus {
    let settings = try session.settings()
    session.showWarnings(of: settings, withheld: settings.withheld)
    let sources = session.assembly(settings).coverage(
      of: coin, in: currency, now: session.options.now ?? SystemTime().now)
    try session.show(CoverageView(sources, coin: coin, currency: currency))
    let isKnown = sources.contains { $0.verdict != .unknown && $0.verdict != .absent }
    return isKnown ? .answered : .partlyAnswered
  }
}

/// The sources that may have a coin, with one row per source.
struct CoverageView: View {
  let output: CoverageOutput

  init(_ sources: [CoinCoverage], coin: String, currency: String?) {
    output = CoverageOutput(sources, coin: coin, currency: currency)
  }

  func table(style: Style) -> String {
    var table = TextTable([.init("ID"), .init("COIN"), .init("BECAUSE", narrowest: 12)])
    for row in output.rowSubjects where row.verdict != .absent {
      table.add([
        .init(row.source.id), .init(row.verdict.rawValue, row.verdict == .unknown ? .quiet : nil), .init(row.reason),
      ])
    }
    return table.text(style: style)
  }
}
