import BitpalConfig
import BitpalModel

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
