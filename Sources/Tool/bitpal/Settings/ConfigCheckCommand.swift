import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput

/// The `bitpal config check` command, which reads the settings and every provider file.
struct ConfigCheckCommand: Command {
  static let name = "config check"
  static let spec = CommandSpec(
    name, "read the settings and every provider file",
    details: ["Prints ok, or every fault with its line and column and exit status 3."],
    examples: [
      .init("config check", "the settings that would be used"),
      .init("config check -c draft.yaml", "a file before it is used"),
    ])

  init(_ arguments: Invocation.Arguments) {}

  func run(_ session: Session) throws -> ExitStatus {
    let settings = try session.settings()
    let assembly = session.assembly(settings)
    let providers = assembly.providers().filter { $0.file != nil || !$0.isShadowed }
    let issues = ProviderCatalog(settings: settings).unknownOverrides() + providers.flatMap(Self.issues)
    if !issues.isEmpty { throw BitpalError.configuration(issues) }
    // The providers in force must exist.
    if settings.trust == .trusted {
      if settings.isConvertChosen {
        for id in settings.convert { _ = try ProviderCatalog(settings: settings).provider(for: id) }
      }
      let service = try assembly.priceService()
      if let refusal = service.prospect(ofPricesIn: settings.currency).refusal(of: settings.currency) {
        let issue = ConfigurationIssue(file: settings.file?.name ?? "settings", message: refusal.description)
        throw BitpalError.configuration([issue])
      }
    } else {
      // Without a sink for warnings, because withheld settings are reported once, below.
      _ = try Assembly(settings: settings, environment: session.environment).priceService()
      let withheld = settings.withheldKeys + ProviderCatalog(settings: settings).withheld
      session.showWarnings(of: settings, withheld: withheld)
    }
    let files = providers.compactMap(\.file).count
    let name = settings.file?.name ?? "built-in defaults"
    try session.show(
      FactView(
        "ok: \(name) and \(files) provider \(files == 1 ? "file" : "files")",
        DoneOutput(Self.name, about: settings.file?.path, ["provider_files": files])))
    return .answered
  }

  private static func issues(_ provider: ProviderSummary) -> [ConfigurationIssue] {
    switch provider.problem {
    case nil: []
    case .configuration(let issues): issues
    case let problem?: [ConfigurationIssue(file: provider.file ?? provider.id, message: problem.description)]
    }
  }
}
