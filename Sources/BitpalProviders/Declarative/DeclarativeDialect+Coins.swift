import BitpalJSON
import BitpalModel
import BitpalNetwork

extension DeclarativeDialect {
  func coinList(
    _ operation: CompiledOperation, from response: HTTPResponse
  ) throws -> ProviderAnswer<[CoinListItem]> {
    let columns = ["id", "symbol", "name"].compactMap { operation.column($0) }
    guard columns.count == 3 else { throw missing("id", operation, .coinList, response) }
    var items: [CoinListItem] = []
    var seen: Set<String> = []
    var incomplete = 0
    var repeated = 0
    var problem: ColumnProblem?
    try forEachRow(of: operation, answering: .coinList, in: response) { row in
      do {
        let symbol = try row.name(in: columns[1]) ?? ""
        let id = try row.name(in: columns[0]).map { names.coin(id: $0, symbol: symbol) } ?? ""
        let item = try CoinListItem(
          validating: id, symbol: symbol.lowercased(), name: try row.name(in: columns[2]) ?? "")
        if seen.insert(id).inserted { items.append(item) } else { repeated += 1 }
      } catch let odd as ColumnProblem {
        incomplete += 1
        problem = problem ?? odd
      } catch is ValidationError {
        incomplete += 1
      }
    }
    guard !items.isEmpty else {
      if let problem { throw unreadable(problem.description, operation, .coinList, response) }
      throw incomplete > 0
        ? unreadable("no row has an id, a symbol and a name", operation) : nothing(operation, .coinList, response)
    }
    var warnings: [AnswerWarning] = []
    if incomplete > 0 {
      warnings.append(.droppedRows(count: incomplete, reason: "they lack an id, a symbol or a name"))
    }
    if repeated > 0 { warnings.append(.droppedRows(count: repeated, reason: "their ids are there twice")) }
    return ProviderAnswer(items, warnings: warnings)
  }
}
