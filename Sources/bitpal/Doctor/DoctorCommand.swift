import BitpalConfig
import BitpalModel
import Glibc

/// What `bitpal doctor` does: looks at everything, changes nothing.
struct DoctorCommand: Command {
  static let spec = CommandSpec(
    "doctor", "what is installed, in force, writable, reachable and sound",
    details: [
      "Looks at the libraries, the files, the providers, the network, the clock and the terminal, changes nothing, and "
        + "shows the command that mends what is wrong. Each source in use is asked once; not with --offline. Keys are "
        + "shown only as set or not set.",
      "Exit status 0 when prices can be had, whatever could be better.",
    ],
    examples: [
      .init("doctor", "everything, with what mends it"),
      .init("doctor --offline --format json", "for a program, without the network"),
    ])

  init(_ arguments: Invocation.Arguments) {}

  func run(_ session: Session) async throws -> ExitStatus {
    let settings = Result { () throws(BitpalError) in try session.settings() }
    let libraries = LibraryExamination().findings
    var findings: [Finding]
    switch settings {
    case .success(let settings):
      let providers = ProviderExamination(session, settings)
      findings = providers.needingLibcurl(libraries) + FileExamination(session.environment, settings).findings
      findings += providers.findings + NetworkExamination(session.environment).findings
      findings += await ClockExamination(session, settings, providers).findings()
    case .failure(let error):
      // A flag that means nothing is not the machine's fault.
      guard case .configuration(let issues) = error else { throw error }
      findings = libraries
      findings += issues.map {
        Finding(.files, "settings", .bad, Finding.words(of: $0), fix: Self.fix(session), status: .configuration)
      }
      findings += FileExamination(session.environment, nil).findings
      findings += NetworkExamination(session.environment).findings
    }
    findings += TerminalExamination(session.environment, session.console).findings
    let view = DoctorView(findings)
    try session.show(view)
    return view.status
  }

  /// What leads to settings that can be read.
  private static func fix(_ session: Session) -> String {
    if let file = session.options.config { return "bitpal config check -c \(ShellWord(file))" }
    let variable = "BITPAL_CONFIG"
    let isMissing = session.environment.value(variable).map { access($0, F_OK) != 0 } ?? false
    return isMissing ? "unset \(variable)" : "bitpal config check"
  }
}
