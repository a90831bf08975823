import Bitpal
import BitpalConfig
import BitpalModel
import BitpalQueries

/// The demo recording, whose clock stands at 2025-01-15 10:30Z.
enum Market {
  static func service() throws -> PriceService { try assembly.priceService() }

  private static let assembly: Assembly = {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    let settings = Settings(provider: ["fixture"], convert: [], providersDirs: [root + "/providers"])
    return Assembly(settings: settings, environment: Environment(variables: [:], currentDirectory: "/"))
  }()
}

/// Parameters by name, in either notation.
struct Given: Parameters {
  let notation: ParameterNotation
  private let values: [String: String]

  init(_ values: [String: String], _ notation: ParameterNotation = .query) {
    self.values = values
    self.notation = notation
  }

  subscript(name: String) -> String? { values[name] }

  func flag(_ name: String) -> Bool { values[name] != nil }
}
