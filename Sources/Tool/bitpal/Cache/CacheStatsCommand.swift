import Bitpal
import BitpalCache
import BitpalConfig
import BitpalFleet
import BitpalModel
import BitpalOutput

/// The `bitpal cache stats` command, which shows the size and content of the cache.
struct CacheStatsCommand: Command {
  static let name = "cache stats"
  static let spec = CommandSpec(
    name, "the cache's place, size and content",
    examples: [
      .init("cache stats", "entries and sizes"),
      .init("cache stats --format json", "the same for a program"),
    ])

  init(_ arguments: Invocation.Arguments) {}

  func run(_ session: Session) throws -> ExitStatus {
    let settings = try session.settings()
    session.showWarnings(of: settings, withheld: settings.withheld)
    let assembly = session.assembly(settings)
    let fleet = settings.fleet.map { fleet in
      session.options.policy == .offline
        ? FleetStanding(fleet.address.description, .unknown, reason: "--offline forbids asking it")
        : FleetStanding(fleet, of: assembly)
    }
    try session.show(CacheView(assembly.cache().statistics(), fleet: fleet))
    return .answered
  }
}

extension FleetStanding {
  /// Asks the Redis server of the fleet for its state; a failure is reported as a server that is down.
  fileprivate init(_ settings: FleetSettings, of assembly: Assembly) {
    let address = settings.address.description
    do {
      guard let health = try assembly.fleet()?.health() else {
        self.init(address, .unknown)
        return
      }
      self.init(
        address, health.isReplica ? .readOnly : .up, answers: health.answers, budgets: health.budgets,
        reason: health.isReplica ? "it is a replica" : nil)
    } catch {
      self.init(address, .down, reason: (error as? FleetFault)?.message ?? Finding.message(of: error))
    }
  }
}

/// The content of the cache, and the state of the fleet if there is one.
struct CacheView: View {
  let output: CacheOutput

  init(_ statistics: PriceCache.Statistics, fleet: FleetStanding?) {
    output = CacheOutput(statistics, fleet: fleet)
  }

  func table(style: Style) -> String {
    let statistics = output.statistics
    var facts = TextTable([.init(""), .init("", widest: 400, wraps: true)])
    func add(_ label: String, _ text: String) {
      facts.add([.init(label, .quiet), .init(text)])
    }
    add("Path", statistics.path ?? "none: answers are kept in memory only")
    add("Entries", String(output.entries))
    add("Disk", "\(ByteText.text(statistics.diskBytes)) of at most \(ByteText.text(statistics.diskLimit))")
    add("Memory", "at most \(ByteText.text(statistics.memoryLimit)), while a command runs")
    add("Listed coins", String(statistics.coins))
    if let oldest = statistics.oldest { add("Oldest", style.time(oldest)) }
    if let newest = statistics.newest { add("Newest", style.time(newest)) }
    if let fleet = output.fleet { add("Fleet", "\(fleet.address): \(Self.message(of: fleet))") }
    if statistics.operations.isEmpty { return facts.text(style: style) }
    var operations = TextTable([.init("OPERATION"), .init("ENTRIES", .right), .init("SIZE", .right)])
    for usage in statistics.operations {
      operations.add([.init(usage.operation), .init(String(usage.entries)), .init(ByteText.text(usage.bytes))])
    }
    return facts.text(style: style) + "\n" + operations.text(style: style)
  }
}

extension CacheView {
  private static func message(of fleet: FleetStanding) -> String {
    let standing =
      switch fleet.standing {
      case .up: "up"
      case .down: "down"
      case .readOnly: "read only"
      case .unknown: "not asked"
      }
    let counts = [(fleet.answers, "answer"), (fleet.budgets, "budget")].compactMap { count, noun in
      count.map { "\($0) \(noun)\($0 == 1 ? "" : "s")" }
    }
    return ([standing] + [fleet.reason].compactMap(\.self) + counts).joined(separator: ", ")
  }
}

/// A formatter of sizes in bytes for people.
enum ByteText {
  /// Returns a size in the largest binary unit that fits, with one decimal above bytes: `512 B`, `1.5 KiB`, `64.0 MiB`.
  static func text(_ bytes: Int) -> String {
    for (unit, shift) in units where bytes >= 1 << shift {
      // Shifted before the multiplication: ten times the largest number of bytes would overflow.
      let tenths = ((bytes >> (shift - 10)) * 10) >> 10
      return "\(tenths / 10).\(tenths % 10) \(unit)"
    }
    return "\(bytes) B"
  }

  // Not in the loop: see `Duration.units`.
  private static let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)]
}
