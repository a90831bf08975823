import Bitpal
import BitpalQueries

/// The names of coins in the output for ledgers, the same in journals and in price directives, so that they join.
enum CommodityNaming: String, CaseIterable, Sendable {
  /// The coin's ticker, or its id where another coin or a currency has the ticker.
  case symbol

  /// The source's id of the coin, which no two coins share.
  case id

  /// Reads `--commodity`; ``symbol`` without it.
  init(_ raw: RawArguments) {
    self = raw["commodity"].flatMap(CommodityNaming.init(rawValue:)) ?? .symbol
  }

  /// Returns the names of coins by their ids, before they are adapted to the rules of an accounting program.
  func names(of ids: Set<String>, at service: PriceService, policy: FetchPolicy) async -> [String: String] {
    var names: [String: String] = [:]
    for id in ids { names[id] = self == .id ? id : await service.soleName(of: id, policy: policy) }
    return names
  }
}

extension ParameterSpec {
  /// The option `--commodity`, which chooses the names of coins.
  static let commodity = ParameterSpec(
    "commodity", .choice(CommodityNaming.allCases.map(\.rawValue)),
    "names of coins in journals and price directives, in capitals (symbol)")
}
