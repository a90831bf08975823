import Foundation

/// Measures everything and prints tables in Markdown; progress goes to standard error.
///
///     bench TOOL [SECONDS [GROUP...]]
///     bench compare RESULTS NEW
///     bench TOOL draw FOLDER
///     bench TOOL order MAP
///
/// `TOOL` is the `bitpal` to measure, `SECONDS` how long a real `bitpal watch` is watched (default 120), `GROUP` what to
/// measure (default everything). Run it in the folder of the repository. `compare` holds a file of results against
/// another one; `draw` writes flame graphs of the cached and the cold way of a price. `order` writes the names of the functions
/// that both execute to `Tools/functions.order`; `MAP` is the map that the linker wrote about `TOOL`.
@main
enum Bench {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    if words.count == 3, words[0] == WatchedHour.word {
      return try await WatchedHour(url: words[1], folder: words[2]).run()
    }
    if words.count == 3, words[0] == "compare" { return try compare(words[1], words[2]) }
    guard let tool = words.first else { return complain("usage: bench TOOL [SECONDS [GROUP...]]") }
    let watching = words.count > 1 ? Int(words[1]) ?? 120 : 120
    let server = try Loopback()
    let world = try World(tool: URL(fileURLWithPath: tool).path, server: server)
    defer { world.remove() }
    if words.count == 3, words[1] == "draw" { return try draw(world, into: words[2]) }
    if words.count == 3, words[1] == "order" { return try order(world, by: words[2]) }

    print("# Results\n")
    print(Machine.sentence + "\n")
    print(
      """
      Written by `make bench`. Each time is the median of rounds taken in turns with what it is held against, so that both
      see the same machine; behind it stands the shortest round, which other programs disturb the least. A ratio is ours
      divided by the other's, of the medians and of the shortest; "faster" is the other's divided by ours.

      """)
    let groups: [(String, () async throws -> Table)] = [
      ("caches", { try await Caches(world).table() }),
      ("decoding", { try await Decoding().table() }),
      ("rates", { try await Rates().table() }),
      ("portfolios", { try await Portfolios().table() }),
      ("imports", { try await Imports(world).table() }),
      ("drawing", { try await Drawing().table() }),
      ("searching", { try await Searching(world).table() }),
      ("growth", { try await Growth(world).table() }),
      ("flights", { try await Flights(world).table() }),
      ("plugins", { try await Plugins(world).table() }),
      ("fleets", { try await Fleets(world).table() }),
      ("serving", { try await Serving(world).table() }),
      ("starts", { try await Starts(world).table() }),
      ("cold", { try await ColdPrices(world).table() }),
      ("memory", { try await Memory(world, seconds: watching).table() }),
      ("peers", { try await Peers(world).table() }),
    ]
    let chosen = Set(words.dropFirst(2))
    for (name, table) in groups where chosen.isEmpty || chosen.contains(name) {
      complain("measuring \(name)")
      do {
        print(try await table().markdown)
      } catch {
        // The others are still worth having.
        print("## Not measured: \(name)\n\n\(error)\n")
      }
      fflush(nil)
    }
  }

  /// Writes `flame-cached.svg` and `flame-cold.svg` by `Tools/flamegraph`.
  private static func draw(_ world: World, into folder: String) throws {
    let one = world.bitpal("price", "bitcoin")
    try one.run()
    try trace(one, by: "flamegraph", "\(folder)/flame-cached.svg", "bitpal price bitcoin, from the cache")
    try world.forget()
    try trace(cold(world), by: "flamegraph", "\(folder)/flame-cold.svg", "bitpal price of 10 coins, from a server")
  }

  /// Adds to `Tools/functions.order` what a cached price executes, then what a status line and a cold price execute besides.
  private static func order(_ world: World, by map: String) throws {
    func add(_ command: Command) throws { try trace(command, by: "order", map, "Tools/functions.order") }
    let (one, status) = (world.bitpal("price", "bitcoin"), world.bitpal("status", "bitcoin"))
    for command in [one, status] { try command.run() }
    for command in [one, status] { try add(command) }
    try world.forget()
    try add(cold(world))
  }

  /// A price of ten coins that waits for its server while it is traced.
  private static func cold(_ world: World) -> Command {
    world.bitpal(["--timeout", "10m", "price"] + Bodies.ids(10))
  }

  /// Runs a command by a program of `Tools` that traces it.
  private static func trace(_ command: Command, by program: String, _ words: String...) throws {
    var environment = command.environment ?? [:]
    environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    try Command("Tools/\(program)", words + [command.path] + command.arguments, environment: environment).run()
  }

  /// Prints each row's ratios; ends with 1 when one became worse by more than a quarter.
  private static func compare(_ old: String, _ new: String) throws {
    let comparison = Comparison(
      of: try String(contentsOfFile: new, encoding: .utf8), with: try String(contentsOfFile: old, encoding: .utf8))
    print(comparison.lines.joined(separator: "\n"))
    guard !comparison.faults.isEmpty else { return }
    complain("\nworse by more than a quarter, or missing:\n" + comparison.faults.joined(separator: "\n"))
    exit(1)
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}
