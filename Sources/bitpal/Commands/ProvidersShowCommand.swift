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
    session.tellWarnings(of: settings)
    let catalog = ProviderCatalog(settings: settings)
    for warning in try catalog.provider(for: name).warnings { session.console.warning(warning) }
    try session.show(ConfigView(try catalog.entries(for: name), schema: "bitpal.provider/1", widest: 80))
    return .answered
  }
}
