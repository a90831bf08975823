import BitpalCache
import BitpalConfig
import BitpalService

/// What `bitpal cache clear` does.
struct CacheClearCommand: Command {
  func run(_ session: Session) throws -> ExitStatus {
    let count = session.assembly(try session.settings()).cache().removeAll()
    session.confirm(
      FactView(
        "removed \(count) \(count == 1 ? "answer" : "answers")", schema: "bitpal.cache_clear/1",
        facts: ["removed": .integer(count)]))
    return .answered
  }
}
