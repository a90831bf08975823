import BitpalModel
import BitpalPortfolio
import BitpalProviders
import Foundation

/// The same work at three sizes: what it costs for each element must not grow.
struct Growth {
  private let world: World

  init(_ world: World) {
    self.world = world
  }

  func table() async throws -> Table {
    var table = Table(
      "Growth", head: ["what", "sizes", "times", "for each element", "ratio"])
    table.rows = [
      try await row("portfolio, transactions", [500, 10_000, 100_000]) {
        try Portfolios.valuing(try Portfolios.transactions($0))
      },
      try await row("gains of the dearest lots, transactions", [500, 10_000, 100_000]) { count in
        let transactions = try Portfolios.transactions(count)
        return repeated { _ = try Gains(transactions, by: .hifo) }
      },
      try await row("decoding, coins of a list", [1000, 10_000, 20_000]) { count in
        let response = Decoding.list(count)
        let dialect = CoinGeckoDialect()
        return repeated { _ = try dialect.answer(to: .coinList, from: response) }
      },
      try await row("drawing, points of a line", [1000, 10_000, 100_000]) {
        Drawing.drawing(try Drawing.points($0))
      },
      try await row("search, coins of the list", [2000, 18_000, 60_000]) {
        Searching.searching(world.service("list-\($0)", coinList: try Searching.items($0)))
      },
    ]
    table.notes = [
      "The ratio is of the times for each element, largest to smallest: 1 is linear growth; below 1, a fixed part weighs less on more elements."
    ]
    return table
  }

  private func row(_ what: String, _ sizes: [Int], _ work: (Int) throws -> Measurement.Work) async throws -> [String] {
    var times: [Measurement] = []
    for size in sizes { times += try await Measurement.inTurns(try work(size)) }
    let each = zip(times, sizes).map { Measurement($0.duration / $1) }
    return [
      what, sizes.map { $0.formatted(.number.locale(Locale(identifier: "en_US"))) }.joined(separator: " / "),
      times.map(\.text).joined(separator: " / "), each.map(\.text).joined(separator: " / "),
      Row.ratio(each[sizes.count - 1].over(each[0])),
    ]
  }
}
