import BitpalConfig
import BitpalModel
import BitpalService

/// What `bitpal providers list` does.
struct ProvidersListCommand: Command {
  static let spec = CommandSpec(
    "providers list", "which there are and what they can do",
    details: ["A provider file that cannot be read is named on stderr; the others are listed all the same."],
    examples: [
      .init("providers list", "one line each"),
      .init("providers list --format json", "the same for a program"),
    ])

  init(_ arguments: Invocation.Arguments) {}

  func run(_ session: Session) throws -> ExitStatus {
    let settings = try session.settings()
    session.tellWarnings(of: settings, withheld: ProviderCatalog(settings: settings).withheld)
    let providers = session.assembly(settings).providers().filter { !$0.isShadowed }
    try session.show(ProvidersView(providers, inUse: settings.provider))
    var status = ExitStatus.answered
    for provider in providers {
      guard let problem = provider.problem else { continue }
      session.console.failure(problem, subject: provider.id)
      status = .configuration
    }
    return status
  }
}

/// What `bitpal providers show NAME` does.
struct ProvidersShowCommand: Command {
  static let spec = CommandSpec(
    "providers show", "everything in force of one, and where it comes from", operands: .one("NAME"),
    details: ["Overrides of the settings are laid over the provider's file. Keys are never shown."],
    examples: [.init("providers show kraken", "value and origin, line by line")])

  private let name: String

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    name = try arguments.onlyOperand("NAME")
  }

  func run(_ session: Session) throws -> ExitStatus {
    let settings = try session.settings()
    let catalog = ProviderCatalog(settings: settings)
    session.tellWarnings(of: settings, withheld: try catalog.provider(for: name).withheld)
    try session.show(ConfigView(provider: try catalog.entries(for: name)))
    return .answered
  }
}
