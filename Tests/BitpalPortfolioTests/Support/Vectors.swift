import BitpalModel
import BitpalPortfolio
import Foundation

/// The outcomes that others published, and those of a calculation with exact decimals.
enum Vectors {
  struct Facts: Decodable {
    let cases: [Fact]
  }

  struct Fact: Decodable, CustomStringConvertible, Sendable {
    let name: String
    let ops: [[String]]
    let after: [[String?]]?
    let gross: String?
    let fees: String?
    let net: String?
    let quantity: String?
    let investment: String?
    let average: String?
    let market: String?
    let error: String?

    var description: String { name }
  }

  struct Randoms: Decodable {
    let cases: [Random]
  }

  struct Random: Decodable, Sendable {
    let ops: [[String]]
    let quantity: String
    let cost: String
    let realized_gross: String
    let fees: String
  }

  static let facts: [Fact] = (try? load(Facts.self, "ledger-facts").cases) ?? []
  static let randoms: [Random] = (try? load(Randoms.self, "ledger-random").cases) ?? []

  /// The transactions of a case, all at one instant: their order decides.
  static func transactions(_ operations: [[String]]) throws -> [Transaction] {
    try operations.enumerated().map { index, operation in
      // A price of 0 is no price here; what those cases are about does not depend on it.
      try Make.transaction(
        index + 1, operation[0] == "buy" ? .buy : .sell, operation[1], operation[2] == "0" ? "1" : operation[2],
        fee: operation.count > 3 ? operation[3] : "0")
    }
  }

  private static func load<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
    guard let url = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Vectors") else {
      throw CocoaError(.fileNoSuchFile)
    }
    return try JSONDecoder().decode(type, from: Data(contentsOf: url))
  }
}
