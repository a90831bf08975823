import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// The `bitpal providers compare COIN…` command, which shows the prices of all sources beside each other.
struct ProvidersCompareCommand: Command {
  static let name = "providers compare"
  static let spec = CommandSpec(
    name, "prices of coins at all sources, and which is wrong", operands: .some("COIN"),
    options: [ParameterSpec("currency", .text("CODE"), "currency of prices")],
    isQuestion: true,
    details: [
      "Every source is asked at the same time, within its budget: those of -p or under agree: in the settings, otherwise "
        + "all that need no key or have theirs. Prices in another currency are converted first; so is the price of a source "
        + "that trades no dollars but Tether. Those that do not have the coin are left out.",
      "A price counts when it is fresh and at most 1% from the median, or what within: in the settings says.",
    ],
    examples: [
      .init("providers compare btc", "all sources, the highest first"),
      .init("providers compare btc -p kraken,gemini --csv", "two sources, for a program"),
    ])

  private let coins: [String]
  private let policy: FetchPolicy

  init(_ arguments: Invocation.Arguments) {
    coins = arguments.coins
    policy = arguments.options.policy
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let configured = try session.settings()
    let sources = configured.asking(sources(session, configured))
    let service = try session.assembly(sources).priceService()
    let (names, settings) = try session.separating(coins, configured, service)
    var ids: [String] = []
    var failures: [CoinFailure] = []
    for name in names {
      do {
        let id = try service.knownID(of: name)
        if !ids.contains(id) { ids.append(id) }
      } catch {
        failures.append(CoinFailure(coin: name, error: error))
      }
    }
    let ballots = try await service.ballots(ids, currency: settings.currency, policy: policy)
    let rule = AgreementRule(atLeast: 2, within: configured.agreement?.within ?? AgreementRule.usualDistance)
    let output = SourcePricesOutput(ids, ballots, by: rule, currency: settings.currency)
    let priced = Set(output.rowSubjects.filter { $0.judged.price != nil }.map(\.coin))
    failures += ids.filter { !priced.contains($0) }.map { CoinFailure(coin: $0, error: ballots.failure(of: $0)) }
    try session.show(SourcePricesView(output: output, currency: settings.currency))
    session.console.tell(failures)
    return ExitStatus(answered: priced.count, failures: failures.map(\.error.code))
  }

  /// Returns the ids of the chosen sources; where one source on the web is chosen in the settings, those of all that can be
  /// asked.
  private func sources(_ session: Session, _ settings: Settings) -> [String] {
    let chosen = settings.provider
    guard chosen.count == 1, session.options.provider == nil else { return chosen }
    let all = session.assembly(settings).providers().filter { !$0.isShadowed }
    guard all.contains(where: { $0.id == chosen[0] && $0.descriptor?.needsNetwork ?? false }) else { return chosen }
    return all.filter { provider in
      guard let descriptor = provider.descriptor, provider.isTrusted else { return false }
      // CoinGecko answers without its key; what a file declares does not.
      let hasKey = provider.isKeySet ?? true || descriptor.kind != DeclaredKind.name
      return descriptor.needsNetwork && descriptor.capabilities.contains(.quotes) && hasKey
    }.map(\.id)
  }
}

/// The prices of coins at several sources, with one table for all coins.
struct SourcePricesView: View {
  let output: SourcePricesOutput
  let currency: String

  func table(style: Style) -> String {
    let prices = output.rowSubjects
    if prices.isEmpty { return "" }
    let hasSeveral = output.agreements.count > 1
    var table = TextTable(
      (hasSeveral ? [.init("COIN", widest: 32, narrowest: 10)] : []) + [
        .init("SOURCE"), .init("PRICE \(currency.uppercased())", .right), .init("FROM MEDIAN", .right),
        .init("24H", .right, drops: 2), .init("UPDATED", drops: 1),
        .init("STATE", widest: 200, narrowest: 16, wraps: true),
      ])
    for row in prices {
      let price = row.judged.price.map { TextTable.Cell(style.price($0)) } ?? "-"
      let from = row.quote?.conversion.map { "from \($0.from.uppercased())" }
      let state = row.judged.isFar ? "too far" : row.judged.reason
      table.add(
        (hasSeveral ? [.init(row.coin)] : []) + [
          .init(row.judged.source), price, .init(row.distance.map { NumberFormat.finePercent($0) } ?? "-"),
          .change(row.quote?.value.priceChangePercentage24h),
          .init((row.quote?.value.lastUpdated ?? row.quote?.fetchedAt).map(style.time) ?? "-"),
          state.map { .init($0, .warning) } ?? .init(from ?? "", .quiet),
        ])
    }
    let summaries = output.agreements.filter { $0.agreement.median != nil }.map { coin, agreement -> String in
      let counted = (agreement.counted + agreement.leftOut).filter { $0.price != nil }
      if counted.count == 1 { return "\(coin): only \(counted[0].source) has a price, so nothing is compared" }
      let median = agreement.median.map { style.price($0) } ?? "-"
      let spread = agreement.low.flatMap { low in agreement.high.flatMap { $0.percentChange(since: low) } } ?? 0
      return "\(coin): \(agreement.countText) agree, median \(median) \(currency.uppercased()), "
        + "spread \(NumberFormat.finePercent(spread).drop { $0 == "+" })"
    }
    return summaries.joined(separator: "\n") + "\n\n" + table.text(style: style)
  }
}
