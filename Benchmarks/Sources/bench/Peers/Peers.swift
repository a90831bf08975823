import Foundation

/// Other tools that fetch prices, asked for the same things on the same server.
struct Peers {
  private static let folder = "Benchmarks/.build/peers"

  /// Two commands that answer the same question.
  private struct Pair {
    let what: String
    let ours: Command
    let name: String
    let theirs: Command

    /// Forgets what either has cached; nil to answer from the cache.
    let forget: (() throws -> Void)?
  }

  private let world: World

  init(_ world: World) {
    self.world = world
  }

  func table() async throws -> Table {
    let title = "Peers, whole process, over the same loopback server"
    let trouble = try Command("Benchmarks/peers.sh", [Self.folder]).output()
    if !trouble.isEmpty { return Table(title, [], notes: [trouble.trimmingCharacters(in: .whitespacesAndNewlines)]) }
    var table = Table(
      title,
      head: [
        "what", "measured", "against", "ratio", "requests: ours, theirs", "peak: ours, theirs",
      ])
    for pair in pairs { table.rows.append(try await row(pair)) }
    table.notes = [
      try peer(["versions"]).output().trimmingCharacters(in: .whitespacesAndNewlines) + ", from PyPI.",
      """
      The peers' hosts are written into them. `Benchmarks/peer.py` starts each with its own code unchanged and another \
      address: pycoingecko by its attribute `api_base_url`; bean-price by `API_BASE_URL` of its CoinCap source; pricehist \
      by leading the `requests.get` of its Coinbase source elsewhere. pycoingecko is a library, so what is run is a program \
      that prints prices; it and bitpal ask for the same URL. CoinCap's source of bean-price asks once a coin. pricehist \
      has no cache, and asks for 30 days where bitpal asks for the year that holds them.
      """,
    ]
    return table
  }

  private var pairs: [Pair] {
    let coins = Bodies.ids(10)
    let price = world.bitpal(["price"] + coins)
    let cache = world.home + "/peer-cache"
    let bean = ["--cache", cache, "-e"] + coins.map { "USD:beanprice.sources.coincap/\($0)" }
    let cached = peer([world.server.url, "pycoingecko-cached", cache] + coins)
    func day(_ ago: Double) -> String {
      Date(timeIntervalSinceNow: -86_400 * ago).formatted(.iso8601.year().month().day())
    }
    let history = world.bitpal("history", "coin-0", "--from", day(30), "--to", day(1))
    let candles = peer(
      [world.server.url, "pricehist", "fetch", "coinbasepro", "BTC/USD", "-s", day(30), "-e", day(1), "-t", "close"])
    let forget = {
      try world.forget()
      for path in try FileManager.default.contentsOfDirectory(atPath: world.home) where path.hasPrefix("peer-cache") {
        try FileManager.default.removeItem(atPath: world.home + "/" + path)
      }
    }
    return [
      Pair(
        what: "10 prices, cold", ours: price, name: "pycoingecko",
        theirs: peer([world.server.url, "pycoingecko"] + coins), forget: forget),
      Pair(what: "10 prices, cold", ours: price, name: "pycoingecko, requests-cache", theirs: cached, forget: forget),
      Pair(what: "10 prices, cached", ours: price, name: "pycoingecko, requests-cache", theirs: cached, forget: nil),
      Pair(
        what: "10 prices, cold", ours: price, name: "bean-price",
        theirs: peer([world.server.url, "bean-price"] + bean), forget: forget),
      Pair(
        what: "10 prices, cached", ours: price, name: "bean-price",
        theirs: peer([world.server.url, "bean-price"] + bean), forget: nil),
      Pair(what: "30 daily closes, cold", ours: history, name: "pricehist", theirs: candles, forget: forget),
      Pair(
        what: "30 daily closes, cached", ours: history, name: "pricehist, which has no cache", theirs: candles,
        forget: nil),
    ]
  }

  private func row(_ pair: Pair) async throws -> [String] {
    let commands = [pair.ours, pair.theirs]
    // With no cold run before it, the first fills the cache.
    for command in commands { try command.run() }
    var requests: [Int] = []
    for command in commands {
      try pair.forget?()
      requests.append(try await world.server.requests { try command.run() })
    }
    let times = try Command.inTurns(commands, rounds: 11) { _ in try pair.forget?() }
    let peaks = try commands.map { command in
      try pair.forget?()
      return try command.peakKiB().map(Memory.text) ?? "?"
    }
    return [
      "\(pair.what), beside \(pair.name)", times[0].both, "\(pair.name): \(times[1].both)",
      "\(Row.ratios(times[1], times[0])) faster",
      "\(requests[0]), \(requests[1])", peaks.joined(separator: ", "),
    ]
  }

  private func peer(_ words: [String]) -> Command {
    Command(Self.folder + "/bin/python", ["Benchmarks/peer.py"] + words)
  }
}
