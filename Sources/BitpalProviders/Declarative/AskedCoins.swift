import BitpalJSON
import BitpalModel

/// The coins that were asked for, by the names that the source has for them.
struct AskedCoins {
  /// What a row says of whose it is.
  enum Identity {
    case id(String)
    case symbol(String)

    /// Nothing, where only one coin was asked for.
    case theOne

    /// For people.
    var text: String {
      switch self {
      case .id(let text), .symbol(let text): text
      case .theOne: ""
      }
    }
  }

  private let only: String?
  private let idColumn: Int?
  private let symbolColumn: Int?
  private var byID: [String: String] = [:]
  private var bySymbol: [String: String] = [:]

  init(_ coins: [String], _ names: CoinNames, _ operation: CompiledOperation) {
    let isBatch = operation.declared.batch != nil
    only = isBatch ? nil : coins.first
    idColumn = operation.column("id")
    // Who was asked for by id may go by any ticker at the source.
    symbolColumn = isBatch || operation.needsSymbol ? operation.column("symbol") : nil
    for coin in coins {
      byID[names.id(of: coin)] = coin
      if let symbol = names.symbol(of: coin) { bySymbol[symbol] = bySymbol[symbol] ?? coin }
    }
  }

  /// Whose a row says it is; nil when it must say so and does not.
  func identity(of row: SandboxRow) throws(ColumnProblem) -> Identity? {
    if let idColumn, let id = try row.name(in: idColumn) { return .id(id) }
    if let symbolColumn, let symbol = try row.name(in: symbolColumn) { return .symbol(symbol) }
    return only == nil ? nil : .theOne
  }

  /// The coin of a row; nil for one that was not asked for.
  func coin(_ identity: Identity) -> String? {
    switch identity {
    case .id(let id): byID[id]
    case .symbol(let symbol): bySymbol[symbol.uppercased()]
    case .theOne: only
    }
  }
}
