import BitpalConfig

/// What `bitpal config show` does.
struct ConfigShowCommand: Command {
  func run(_ session: Session) throws -> ExitStatus {
    let settings = try session.settings()
    session.tellWarnings(of: settings, withheld: settings.withheldKeys)
    try session.show(ConfigView(settings))
    return .answered
  }
}
