import BitpalModel

/// An operation whose SELECT has been compiled once without a fault.
struct CompiledOperation: Sendable {
  let declared: DeclaredOperation

  /// The SELECT, whichever form it was written in.
  let sql: String

  /// Of the short form: where its rows come from.
  let from: String?

  /// What words about a failure point at.
  let place: DeclaredText

  /// The SELECT's columns, in their order.
  let columns: [String]

  /// The SELECT's parameters.
  let parameters: [String]

  /// What follows the base URL.
  let url: [DeclaredPlaceholder.Part]

  /// The position of a column.
  func column(_ name: String) -> Int? {
    columns.firstIndex(of: name)
  }

  /// Whether a coin can only be asked for by its ticker.
  var needsSymbol: Bool {
    let inURL = url.contains {
      [.placeholder(.symbol), .placeholder(.upperSymbol), .placeholder(.upperSymbols)].contains($0)
    }
    return inURL || parameters.contains { $0 == ":symbol" || $0 == ":SYMBOL" }
  }
}
