import Bitpal
import BitpalConfig
import BitpalConformance
import BitpalModel
import BitpalProviders

/// The `bitpal providers check NAME` command, which runs the examples and the conformance rules of a provider.
struct ProvidersCheckCommand: Command {
  static let name = "providers check"
  static let spec = CommandSpec(
    name, "read a provider file and run its examples, offline", operands: .one("NAME"),
    details: [
      "Every fault of the file is named with its line and column. Each example's recorded body is read like an answer "
        + "of the source, and the result is compared. Then all conformance tests are run, with the examples or the "
        + "recording as answers. The exit status is 3 after a fault, and 1 for a file without examples, which cannot "
        + "be checked."
    ],
    examples: [
      .init("providers check kraken", "a line for each example and each rule"),
      .init("providers check mine --format json", "the same for a program"),
    ])

  private let name: String

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    name = try arguments.onlyOperand("NAME")
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let settings = try session.settings()
    let loaded = try ProviderCatalog(settings: settings).provider(for: name)
    session.showWarnings(of: settings, withheld: loaded.withheld)
    let specification = loaded.specification
    session.console.working("checking \(name)")
    // Reading the SELECTs, and a plugin's first message, finds the faults in them.
    let fixtures = try session.assembly(settings).offlineFixtures(of: name)
    let conformance = ConformanceText(try await ProviderConformance(fixtures).check())
    let view = ProviderCheckView(specification, examples: fixtures.examples, conformance: conformance)
    try session.show(view)
    guard view.isGood else { return .configuration }
    return view.hasChecked ? .answered : .partlyAnswered
  }
}
