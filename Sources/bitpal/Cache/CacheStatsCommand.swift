import BitpalCache
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalService

/// What `bitpal cache stats` does.
struct CacheStatsCommand: Command {
  static let name = "cache stats"
  static let spec = CommandSpec(
    name, "where it is and what is in it",
    examples: [
      .init("cache stats", "entries and sizes"),
      .init("cache stats --format json", "the same for a program"),
    ])

  init(_ arguments: Invocation.Arguments) {}

  func run(_ session: Session) throws -> ExitStatus {
    let settings = try session.settings()
    session.tellWarnings(of: settings, withheld: settings.withheld)
    try session.show(CacheView(session.assembly(settings).cache().statistics()))
    return .answered
  }
}

/// What the cache holds.
struct CacheView: View {
  let output: CacheOutput

  init(_ statistics: PriceCache.Statistics) {
    output = CacheOutput(statistics)
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
    if statistics.operations.isEmpty { return facts.text(style: style) }
    var operations = TextTable([.init("OPERATION"), .init("ENTRIES", .right), .init("SIZE", .right)])
    for usage in statistics.operations {
      operations.add([.init(usage.operation), .init(String(usage.entries)), .init(ByteText.text(usage.bytes))])
    }
    return facts.text(style: style) + "\n" + operations.text(style: style)
  }
}

/// Sizes for people.
enum ByteText {
  /// In the largest binary unit, with one decimal above bytes: `512 B`, `1.5 KiB`, `64.0 MiB`.
  static func text(_ bytes: Int) -> String {
    for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] where bytes >= 1 << shift {
      // Shifted before it is multiplied: ten times the largest number of bytes would not fit.
      let tenths = ((bytes >> (shift - 10)) * 10) >> 10
      return "\(tenths / 10).\(tenths % 10) \(unit)"
    }
    return "\(bytes) B"
  }
}
