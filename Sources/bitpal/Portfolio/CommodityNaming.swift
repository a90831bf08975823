import BitpalModel
import BitpalService

/// What coins are called in what a ledger reads: the same in journals and in price directives, so that they join.
enum CommodityNaming: String, CaseIterable, Sendable {
  /// The ticker.
  case symbol

  /// The source's id, which no two coins share.
  case id

  /// What `--commodity` says.
  init(_ raw: RawArguments) {
    self = raw.value(.commodity).flatMap(CommodityNaming.init(rawValue:)) ?? .symbol
  }

  /// The name of a coin, not yet in the form of a program.
  func name(of id: String, at service: PriceService, policy: FetchPolicy) async -> String {
    switch self {
    case .symbol: await service.symbol(of: id, policy: policy)
    case .id: id
    }
  }
}

extension OptionSpec {
  /// What coins are called in journals and price directives.
  static let commodity = OptionSpec(
    .commodity, .choice(CommodityNaming.allCases.map(\.rawValue)),
    help: "what coins are called in journals and price directives, in capitals; symbol by default")
}
