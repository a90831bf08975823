import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// The `bitpal convert AMOUNT FROM TO` command, which converts an amount to another currency or coin.
struct ConvertCommand: Command {
  static let name = "convert"
  static let spec = CommandSpec(
    name, "convert an amount to another currency or coin", operands: .free(ConversionQuery.form),
    options: [ConversionQuery.day],
    isQuestion: true,
    details: [
      "FROM and TO are coins, as in all commands, or codes of currencies; without TO, the currency of the settings is "
        + "meant. 0.5btc and \"in eur\" are understood too. A code that is also the ticker of a "
        + "well-known coin means the coin, and fx:mnt is the currency.",
      "A currency that the provider lacks is converted by the rates of the sources under convert: in the settings. At "
        + "weekends the last rate applies; the answer states its day.",
    ],
    examples: [
      .init("convert 0.5 btc eur", "what half a bitcoin comes to now"),
      .init("convert 0.5btc in eur", "the same, as one says it"),
      .init("convert 100 usd btc", "how much of a coin that buys"),
      .init("convert 250 usd eur --on 2025-01-14", "by the rates of a day"),
    ])

  private let query: ConversionQuery
  private let policy: FetchPolicy

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    query = try ConversionQuery(arguments.operands, arguments.raw)
    policy = arguments.options.policy
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let settings = try session.settings()
    let service = try session.assembly(settings).priceService()
    let answer = try await query.answer(by: service, currency: settings.currency, policy: policy)
    try session.show(
      ConvertView(
        output: ConvertOutput(answer), providers: service.descriptors))
    session.console.warn(about: [answer.price]) { _ in service.name(ofID: answer.oldest) }
    return .answered
  }
}

/// The result of a conversion.
struct ConvertView: View {
  let output: ConvertOutput
  let providers: [ProviderDescriptor]

  /// The day of the rate between two currencies, or its time when it is not of a whole day; empty for a coin.
  private var rateTime: String {
    let coin = output.conversion.price.value
    guard CurrencyCoin.currency(of: coin.id) != nil, let time = coin.lastUpdated else { return "" }
    return " (rate of \(time == time.startOfDay ? time.dayText : time.text(in: .utc)))"
  }

  func table(style: Style) -> String {
    let conversion = output.conversion
    let coin = conversion.price.value
    let unit = coin.symbol.uppercased().printable(limit: 20)
    let target = conversion.symbol.uppercased().printable(limit: 20)
    let day = conversion.day.map { " on \($0.dayText)" } ?? ""
    let sum = "\(NumberFormat.quantity(conversion.amount)) \(unit) = \(style.price(conversion.result)) \(target)\(day)"
    let isOne = conversion.amount == 1
    return style(sum, .heading) + (isOne ? rateTime : "") + "\n"
      + (isOne ? "" : "1 \(unit) = \(style.price(coin.currentPrice)) \(target)\(rateTime)\n")
      + Provenance.line([output.provenance], providers: providers, style: style) + "\n"
  }
}
