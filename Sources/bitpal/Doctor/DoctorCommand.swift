import BitpalConfig
import BitpalModel
import BitpalOutput
import Glibc

/// The `bitpal doctor` command, which checks the installation and changes nothing.
struct DoctorCommand: Command {
  static let name = "doctor"
  static let spec = CommandSpec(
    name, "check libraries, files, providers, network, clock and terminal",
    details: [
      "Looks at the libraries, the files, the providers, the network, the clock and the terminal, changes nothing, and "
        + "shows the command that fixes each problem. Each source in use is asked once; not with --offline. Keys are "
        + "shown only as set or not set.",
      "Exit status 0 when prices can be had, whatever could be better.",
    ],
    examples: [
      .init("doctor", "all checks, with fixes"),
      .init("doctor --offline --format json", "for a program, without the network"),
    ])

  init(_ arguments: Invocation.Arguments) {}

  func run(_ session: Session) async throws -> ExitStatus {
    let settings = Result { () throws(BitpalError) in try session.settings() }
    let libraries = LibraryCheck().findings
    var findings: [DoctorFinding]
    switch settings {
    case .success(let settings):
      let providers = ProviderCheck(session, settings)
      findings = providers.needingLibcurl(libraries) + FileCheck(session.environment, settings).findings
      findings += providers.findings + FleetCheck(session, settings).findings
      findings += NetworkCheck(session.environment).findings
      session.console.working("asking the sources whether they can be reached")
      findings += await ClockCheck(session, settings, providers).findings()
    case .failure(let error):
      // An invalid option is the user's mistake, and not a finding.
      guard case .configuration(let issues) = error else { throw error }
      findings = libraries
      findings += issues.map {
        DoctorFinding(
          .files, "settings", .bad, DoctorFinding.message(of: $0), fix: Self.fix(session), status: .configuration)
      }
      findings += FileCheck(session.environment, nil).findings
      findings += NetworkCheck(session.environment).findings
    }
    findings += TerminalCheck(session.environment, session.console).findings
    let view = DoctorView(findings)
    try session.show(view)
    return view.status
  }

  /// Returns the command that helps to fix unreadable settings.
  private static func fix(_ session: Session) -> String {
    if let file = session.options.config { return "bitpal config check -c \(ShellWord(file))" }
    // Only the variable that names a missing file can be fixed.
    let variable = "BITPAL_CONFIG"
    let isMissing = session.environment.value(variable).map { access($0, F_OK) != 0 } ?? false
    return isMissing ? "unset \(variable)" : "bitpal config check"
  }
}

/// The findings of `bitpal doctor`.
struct DoctorView: View {
  private let findings: [DoctorFinding]

  init(_ findings: [DoctorFinding]) {
    self.findings = findings
  }

  /// Whether prices are available: no finding is bad.
  var isUsable: Bool { !findings.contains { $0.verdict == .bad } }

  /// The exit status of the first bad finding; success without one.
  var status: ExitStatus { findings.first { $0.verdict == .bad }?.status ?? .answered }

  var output: DoctorOutput {
    DoctorOutput(
      findings.map { ($0.topic.rawValue, $0.subject, $0.verdict.rawValue, $0.message, $0.fix) }, isUsable: isUsable)
  }

  func table(style: Style) -> String {
    var text = ""
    for topic in DoctorFinding.Topic.allCases {
      let rows = findings.filter { $0.topic == topic }
      if rows.isEmpty { continue }
      var table = TextTable([.init(""), .init("", widest: 32), .init("", widest: 400, wraps: true)])
      for finding in rows {
        table.add([Self.mark(finding.verdict), .init(finding.subject), .init(finding.message)])
        if let fix = finding.fix { table.add(["", "", .init("→ " + fix, .heading)]) }
      }
      text += style(topic.rawValue.uppercased(), .heading) + "\n" + table.text(style: style) + "\n"
    }
    return text + summary(style) + "\n"
  }

  private func summary(_ style: Style) -> String {
    let bad = findings.count { $0.verdict == .bad }
    let warnings = findings.count { $0.verdict == .warning }
    if bad > 0 { return style("bitpal cannot be used: fix what is marked FAIL", .bad) }
    if warnings > 0 {
      return style("bitpal can be used; \(warnings) \(warnings == 1 ? "thing" : "things") to fix", .warning)
    }
    return style("bitpal can be used", .good)
  }

  private static func mark(_ verdict: DoctorFinding.Verdict) -> TextTable.Cell {
    switch verdict {
    case .good: .init("ok", .good)
    case .note: .init("-", .quiet)
    case .warning: .init("WARN", .warning)
    case .bad: .init("FAIL", .bad)
    }
  }
}
