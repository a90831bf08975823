import BitpalModel
import Glibc

/// A Markdown table with one row per scenario.
struct ResultTable: Sendable {
  private let columns: [(title: String, cell: @Sendable (Scenario, Measurements) -> String)]

  /// The tables of one hot coin.
  static let hotExpiry = ResultTable(columns: [
    ("machines", { scenario, _ in "\(scenario.machines)" }),
    ("by", { scenario, _ in fleet(scenario) }),
    ("jitter", { scenario, _ in scenario.hasJitter ? "± 10 %" : "none" }),
    ("`while_renewing`", { scenario, _ in scenario.whileRenewing > .zero ? scenario.whileRenewing.unitText : "none" }),
    ("requests", { _, result in "\(result.requests)" }),
    ("p50 after the first", { _, result in milliseconds(result.afterFirst.quantile(0.5)) }),
    ("p99 after the first", { _, result in milliseconds(result.afterFirst.quantile(0.99)) }),
    ("Redis, busiest second", { _, result in percent(result.busiest) }),
    ("commands in it", { _, result in "\(result.mostCommands)" }),
  ])

  /// The table of many users.
  static let users = ResultTable(columns: [
    ("machines", { scenario, _ in "\(scenario.machines)" }),
    ("by", { scenario, _ in fleet(scenario) }),
    ("budget", { scenario, _ in "\(scenario.perMinute)/1m" }),
    ("fresh", { _, result in share(result.fresh, of: result) }),
    ("renewing", { _, result in share(result.whileRenewing, of: result) }),
    ("stale", { _, result in share(result.stale + result.unanswered, of: result) }),
    ("requests per minute", { scenario, result in number(Double(result.requests) * 60 / seconds(scenario.measured)) }),
    ("most in a window", { _, result in "\(result.mostInWindow)" + (result.isExceeded ? " EXCEEDED" : "") }),
    ("fetched too early", { _, result in percent(Double(result.coinsFetchedTwice) / Double(result.coinsFetched)) }),
    ("p50", { _, result in milliseconds(result.latency.quantile(0.5)) }),
    ("p99", { _, result in milliseconds(result.latency.quantile(0.99)) }),
    ("Redis", { _, result in percent(result.busy) }),
    ("commands/s", { _, result in number(result.commands) }),
  ])

  /// Runs scenarios, as many at once as there are cores, and prints a row for each, in their order.
  func printRows(_ scenarios: [Scenario]) async {
    print("| \(columns.map(\.title).joined(separator: " | ")) |")
    print("|\(columns.map { _ in " ---: " }.joined(separator: "|"))|")
    let rows = await withTaskGroup(of: (Int, String).self) { group in
      for (index, scenario) in scenarios.enumerated() {
        group.addTask {
          var simulation = Simulation(scenario)
          let result = simulation.run()
          return (index, columns.map { $0.cell(scenario, result) }.joined(separator: " | "))
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for index in scenarios.indices { print("| \(rows[index] ?? "") |") }
  }

  // MARK: Cells

  private static func fleet(_ scenario: Scenario) -> String {
    scenario.behindRelay.map { "\((scenario.machines + $0 - 1) / $0) relays" } ?? "Redis"
  }

  private static func share(_ count: Int, of result: Measurements) -> String {
    percent(Double(count) / Double(result.questions))
  }

  private static func seconds(_ duration: Duration) -> Double { Double(duration.milliseconds) / 1000 }

  private static func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }

  private static func number(_ value: Double) -> String { "\(Int(value.rounded()))" }

  private static func milliseconds(_ time: Int64?) -> String {
    guard let time else { return "0 ms" }
    return time < 10_000 ? "\(Double(time / 10) / 100) ms" : "\(time / 1000) ms"
  }
}
