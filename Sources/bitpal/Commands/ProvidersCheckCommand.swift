import BitpalConfig
import BitpalConformance
import BitpalModel
import BitpalProviders
import BitpalService

/// What `bitpal providers check NAME` does.
struct ProvidersCheckCommand: Command {
  private let name: String

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    name = try arguments.onlyOperand("NAME")
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let settings = try session.settings()
    let loaded = try ProviderCatalog(settings: settings).provider(for: name)
    session.tellWarnings(of: settings, withheld: loaded.withheld)
    let specification = loaded.specification
    // Reading the SELECTs finds what is wrong with them.
    let outcomes = try ExampleCheck.outcomes(of: specification)
    let conformance = ConformanceText(
      try await ProviderConformance(session.assembly(settings).offlineMaterial(of: name)).check())
    let view = ProviderCheckView(specification, outcomes: outcomes, conformance: conformance)
    try session.show(view)
    return view.isGood ? .answered : .configuration
  }
}
