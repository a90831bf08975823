import Bitpal
import BitpalCache
import BitpalConfig
import BitpalFleet
import BitpalModel
import BitpalOutput
import BitpalQueries
import BitpalRateLimit

/// The `bitpal cache clear` command, which removes cached answers or request budgets.
struct CacheClearCommand: Command {
  static let name = "cache clear"
  static let spec = CommandSpec(
    name, "remove every cached answer; settings and data stay",
    options: [
      ParameterSpec("budgets", .flag, "remove the counts of requests and the pauses of sources instead"),
      ParameterSpec("fleet", .flag, "also remove the answers that the machines of the fleet share"),
    ],
    details: [
      "After a 429 no process asks the source until the time that it demands has passed, at most an hour. --budgets "
        + "ends that wait, and allows the next request at once.",
      "With --fleet, the answers on the fleet's Redis whose keys begin with fleet.prefix are removed too; its budgets "
        + "stay.",
    ],
    examples: [
      .init("cache clear", "says how many answers were removed"),
      .init("cache clear --budgets", "ask again before a pause is over"),
      .init("cache clear --fleet", "and those of the fleet"),
    ])

  private let isAboutBudgets: Bool
  private let isAboutFleet: Bool

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    isAboutBudgets = arguments.raw.has("budgets")
    isAboutFleet = arguments.raw.has("fleet")
    guard arguments.options.provider == nil else {
      throw .usage("--provider: what is cleared is that of all sources", hint: "leave it out")
    }
    guard !isAboutBudgets || !isAboutFleet else {
      throw .usage(
        "--budgets forgets those of this machine; those of a fleet stay, since others count by them",
        hint: "leave --fleet out")
    }
  }

  func run(_ session: Session) throws -> ExitStatus {
    // Budgets are kept apart from answers: clearing the cache must not allow a request earlier than a source allows it.
    if isAboutBudgets {
      let count = try BudgetFile(path: session.environment.budgetFile).clear()
      session.confirm(
        FactView("removed \(Self.text(count, "request budget"))", DoneOutput(Self.name, ["budgets": count])))
      return .answered
    }
    let settings = try session.settings()
    let assembly = session.assembly(settings)
    // The shared answers go first: when their removal fails, nothing has changed.
    let shared = isAboutFleet ? try Self.clearFleet(of: assembly, settings, session) : nil
    let count = assembly.cache().removeAll()
    let more = shared.map { " here and \($0) of the fleet" } ?? ""
    session.confirm(
      FactView(
        "removed \(Self.text(count, "answer"))\(more)",
        DoneOutput(Self.name, ["answers": count, "fleet_answers": shared])))
    return .answered
  }

  private static func clearFleet(of assembly: Assembly, _ settings: Settings, _ session: Session) throws -> Int {
    session.showWarnings(of: settings, withheld: settings.withheld)
    guard let fleet = try assembly.fleet() else {
      throw BitpalError.usage("no fleet is configured", hint: "fleet.redis in the settings names its server")
    }
    do throws(FleetFault) {
      return try fleet.removeAnswers()
    } catch {
      throw BitpalError.network(host: fleet.settings.address.description, reason: error.message)
    }
  }

  private static func text(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
