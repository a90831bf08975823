import BitpalConfig

/// What `bitpal config show` does.
struct ConfigShowCommand: Command {
  static let spec = CommandSpec(
    "config show", "every value in force, and where it comes from",
    details: ["Keys are shown only as set or not set."],
    examples: [
      .init("config show", "value and origin, line by line"),
      .init("config show --provider coingecko", "what a flag would change"),
    ])

  init(_ arguments: Invocation.Arguments) {}

  func run(_ session: Session) throws -> ExitStatus {
    let settings = try session.settings()
    session.tellWarnings(of: settings, withheld: settings.withheldKeys)
    try session.show(ConfigView(settings))
    return .answered
  }
}
