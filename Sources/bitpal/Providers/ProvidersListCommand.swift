import BitpalConfig
import BitpalModel
import BitpalService

/// What `bitpal providers list` does.
struct ProvidersListCommand: Command {
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
