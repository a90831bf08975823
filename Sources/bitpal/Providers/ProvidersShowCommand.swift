import BitpalConfig
import BitpalModel

/// What `bitpal providers show NAME` does.
struct ProvidersShowCommand: Command {
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
