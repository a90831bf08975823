import Bitpal
import BitpalModel
import BitpalNetwork
import BitpalProviders
import Foundation

/// The search among all coins there are.
struct Searching {
  private let world: World

  init(_ world: World) {
    self.world = world
  }

  func table() async throws -> Table {
    let items = try Self.items(17_900)
    let times = try await Measurement.inTurns(
      Self.searching(world.service("search", coinList: items)),
      repeated { _ = items.filter { Self.hasBit($0.id) || Self.hasBit($0.symbol) || Self.hasBit($0.name) } })
    var rows = [
      Row.limit(
        "\"bit\" among 17,900 coins, in process", times[0], .milliseconds(3),
        "Foundation's case-blind search, unsorted, over an array", times[1])
    ]
    let sqlite = Command(
      "/usr/bin/sqlite3",
      [
        world.cacheFile,
        "SELECT id, symbol, name FROM coin WHERE id LIKE '%bit%' OR symbol LIKE '%bit%' OR name LIKE '%bit%' LIMIT 50",
      ])
    guard sqlite.isThere else {
      return Table("Searching", rows, notes: ["sqlite3 is not installed: no process is measured."])
    }
    let search = world.bitpal("search", "bit")
    // The first fetches the list.
    try search.run()
    let processes = try Command.inTurns([search, sqlite], rounds: 100)
    rows.append(
      .within("`bitpal search bit`, whole process", processes[0], "sqlite3, SELECT … LIKE", processes[1], atMost: 3))
    return Table("Searching", rows)
  }

  static func searching(_ service: PriceService) -> Measurement.Work {
    repeated { _ = try await service.search("bit") }
  }

  static func items(_ count: Int) throws -> [CoinListItem] {
    let answer = try CoinGeckoDialect().answer(to: .coinList, from: Decoding.list(count))
    return if case .coinList(let items)? = answer.answers[""] { items } else { [] }
  }

  private static func hasBit(_ text: String) -> Bool {
    text.range(of: "bit", options: [.caseInsensitive, .diacriticInsensitive]) != nil
  }
}
