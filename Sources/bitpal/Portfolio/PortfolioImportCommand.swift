import BitpalFiles
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalService
import FoundationEssentials

/// What `bitpal portfolio import FILE` does.
struct PortfolioImportCommand: PortfolioCommand {
  static let name = "portfolio import"
  static let spec = CommandSpec(
    name, "add the transactions of a CSV file", operands: .one("FILE"), options: [.named, .create, .dryRun],
    details: [
      "The header names the columns in any order: date, type, coin, amount, price and, if wanted, id, fee, notes, currency, label, group. A "
        + "coin is named as everywhere: id, ticker or alias. The same file twice adds nothing. A file with a fault adds nothing; every fault is told with its line and column. "
        + "A FILE of - is standard input."
    ],
    examples: [
      .init("portfolio import Fixtures/portfolio.csv", "the portfolio of the demo"),
      .init("portfolio import trades.csv --portfolio savings --create", "into one of its own"),
    ])

  let portfolio: String?
  let creates: Bool
  private let path: String
  private let isDryRun: Bool

  /// More than a hundred times what a long life of trading fills.
  private static let byteLimit = 64 << 20

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    path = try arguments.onlyOperand("FILE")
    portfolio = arguments.raw.value(.portfolio)
    creates = arguments.raw.has(.create)
    isDryRun = arguments.raw.has(.dryRun)
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus {
    let name = path == "-" ? "standard input" : path
    context.session.console.working("reading \(name)")
    let bytes = try BoundedFile.input(path, limit: Self.byteLimit)
    func read(_ names: [String: String] = [:]) throws -> [ImportedTransaction] {
      do throws(CSVFaults) {
        return try TransactionCSV.transactions(
          bytes, file: name, now: context.now, currency: context.fixedCurrency, names: names)
      } catch {
        throw refusal(error.issues, name, context)
      }
    }
    var rows = try read()
    let names = try await names(of: rows, name, context)
    // What a row is, and so whether it is there already, depends on which coin it is of.
    if names.contains(where: { $0.key != $0.value }) { rows = try read(names) }
    try await checkCoins(rows, name, context)
    let result: (added: [Transaction], known: Int)
    do {
      result = try context.store.add(
        rows, currency: rows.lazy.compactMap(\.currency).first ?? context.currency, now: context.now, isDryRun: isDryRun
      )
    } catch PortfolioError.insufficientBalance(let coin, let owned, let attempted, let date, let sale) {
      // A sale that is not covered is told with the line that it stands on.
      let error = PortfolioError.insufficientBalance(
        coinId: coin, owned: owned, attempted: attempted, date: date, sale: sale)
      let place = rows.first { $0.transaction.id == sale }.map { "\(name):\($0.line)" } ?? name
      throw BitpalError.dataFile(path: place, reason: "\(error.message); nothing was imported")
    }
    let words = "\(isDryRun ? "would import" : "imported") \(result.added.count) of \(rows.count) transactions"
    context.session.confirm(
      FactView(
        words + (result.known > 0 ? ", \(result.known) were there already" : ""),
        .transactionsImported(result.added.count, known: result.known)))
    if !isDryRun { try await context.refreshSnapshot() }
    return .answered
  }

  /// Tells every fault of the file; the error says that nothing was imported.
  private func refusal(_ issues: [ConfigurationIssue], _ name: String, _ context: PortfolioContext) -> BitpalError {
    context.session.console.faults(issues)
    return .dataFile(
      path: name, reason: "\(issues.count) \(issues.count == 1 ? "fault" : "faults"); nothing was imported")
  }

  /// The ids of the coins that the rows name, each name looked up once.
  ///
  /// What is in the portfolio already is an id, and so is what stands in a row that we have written.
  private func names(
    of rows: [ImportedTransaction], _ name: String, _ context: PortfolioContext
  ) async throws -> [String: String] {
    let held = Set(try context.store.transactions().map(\.coinId))
    var ids: [String: String] = [:]
    var issues: [ConfigurationIssue] = []
    var seen = held
    for row in rows where !row.hasOwnID && seen.insert(row.transaction.coinId).inserted {
      let coin = row.transaction.coinId
      do {
        ids[coin] = try await context.service.resolve(coin, policy: context.session.options.policy)
      } catch let error as BitpalError {
        issues.append(ConfigurationIssue(file: name, line: row.line, message: error.description))
      }
    }
    guard issues.isEmpty else { throw refusal(issues, name, context) }
    return ids
  }

  /// A coin that no list knows is a slip of the pen; when there is no list, the file is believed.
  private func checkCoins(_ rows: [ImportedTransaction], _ name: String, _ context: PortfolioContext) async throws {
    var unknown = Set(rows.map(\.transaction.coinId))
    unknown.subtract(try context.store.transactions().map(\.coinId))
    let policy = context.session.options.policy
    guard !unknown.isEmpty, let unlisted = await context.service.unlisted(unknown.sorted(), policy: policy) else {
      return
    }
    unknown.formIntersection(unlisted)
    guard let row = rows.first(where: { unknown.contains($0.transaction.coinId) }) else { return }
    let coin = row.transaction.coinId
    let suggestion = (try? await context.service.resolve(coin, policy: policy)) ?? context.service.nearestCoin(to: coin)
    let hint = suggestion.map { " (did you mean \"\($0)\"?)" } ?? ""
    throw BitpalError.dataFile(
      path: "\(name):\(row.line)", reason: "\"\(coin)\" is not the id of a coin\(hint); nothing was imported")
  }
}
