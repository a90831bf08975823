import BitpalCache
import BitpalConfig
import BitpalService

/// What `bitpal cache stats` does.
struct CacheStatsCommand: Command {
  func run(_ session: Session) throws -> ExitStatus {
    let settings = try session.settings()
    session.tellWarnings(of: settings, withheld: settings.withheld)
    try session.show(CacheView(session.assembly(settings).cache().statistics()))
    return .answered
  }
}
