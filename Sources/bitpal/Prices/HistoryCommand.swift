import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalService
import FoundationEssentials

/// What `bitpal history COIN` does.
struct HistoryCommand: Command {
  static let name = "history"
  static let spec = CommandSpec(
    name, "daily closes, for tables and plain-text accounting", operands: .one("COIN"),
    options: [
      OptionSpec(.on, .text("DATE"), help: "one day; yesterday when no day is given"),
      OptionSpec(.from, .text("DATE"), help: "first day"),
      OptionSpec(.to, .text("DATE"), help: "last day; yesterday by default"),
      OptionSpec(
        .format, .choice(OutputFormat.allCases.map(\.rawValue) + PriceDirectives.Format.allCases.map(\.rawValue)),
        help: "form of the output; the last three are price directives"),
      .commodity,
    ],
    isQuestion: true,
    details: [
      "A day is one in UTC, and its close the last price in it. A day that is not over has none. A day before the "
        + "source's first is refused with that one named; nothing is ever answered with another day's price.",
      "A close once fetched is kept and not asked for again.",
    ],
    examples: [
      .init("history bitcoin --on 2025-01-14", "what it closed at"),
      .init("history shiba-inu --from 2025-01-01 --format ledger > shib.db", "a price directive for each day"),
      .init("history eth --from 2024-12-01 --to 2024-12-31 --format csv", "a month, for a spreadsheet"),
    ])

  private let coin: String
  private let on: Date?
  private let from: Date?
  private let to: Date?
  private let format: PriceDirectives.Format?
  private let naming: CommodityNaming
  private let policy: FetchPolicy

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    coin = try arguments.onlyOperand("COIN")
    on = try arguments.raw.day(.on)
    from = try arguments.raw.day(.from)
    to = try arguments.raw.day(.to)
    format = arguments.raw.value(.format).flatMap(PriceDirectives.Format.init(rawValue:))
    naming = CommodityNaming(arguments.raw)
    policy = arguments.options.policy
    if on != nil, from != nil || to != nil {
      throw .usage("--on is one day, --from and --to are several", hint: "give one or the other")
    }
    if to != nil, from == nil {
      throw .usage("--to needs --from", hint: "as in --from 2025-01-01 --to 2025-01-14")
    }
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let settings = try session.settings()
    let service = try session.assembly(settings).priceService()
    let days = HistoryDays(on: on, from: from, to: to, now: service.time.now)
    let answer = try await service.history(
      coin, from: days.first, to: days.last, currency: settings.currency, policy: policy)
    let id = answer.about.coin
    let output = HistoryOutput(
      answer, currency: settings.currency, days: days, provider: service.descriptors.first?.id)
    if let format {
      let directives = PriceDirectives(
        closes: answer.value, symbol: await naming.name(of: id, at: service, policy: policy),
        currency: settings.currency)
      try session.console.answer(directives.text(format))
    } else {
      try session.show(HistoryView(output: output, providers: service.descriptors))
    }
    session.console.warn(about: [answer]) { _ in id }
    session.console.tell(output.missing)
    return ExitStatus(answered: answer.value.count, failures: output.missing.map(\.error.code))
  }
}

/// The daily closes of one coin.
struct HistoryView: View {
  let output: HistoryOutput
  let providers: [ProviderDescriptor]

  func table(style: Style) -> String {
    let currency = output.currency.uppercased()
    var table = TextTable([.init("DATE"), .init("CLOSE \(currency)", .right)])
    for close in output.closes { table.add([.init(close.dateText), .init(style.price(close.price))]) }
    return style("\(output.coin.printable(limit: 80)) · daily closes, UTC · \(currency)", .heading) + "\n"
      + Provenance.line([output.provenance], providers: providers, style: style) + "\n\n" + table.text(style: style)
  }
}
