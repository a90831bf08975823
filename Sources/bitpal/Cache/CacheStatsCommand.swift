import BitpalCache
import BitpalConfig
import BitpalService

/// What `bitpal cache stats` does.
struct CacheStatsCommand: Command {
  static let spec = CommandSpec(
    "cache stats", "where it is and what is in it",
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
