import BitpalConfig
import BitpalModel
import BitpalOutput
import Glibc

/// The `bitpal doctor` command, which checks the installation and changes nothing.
struct DoctorCommand: Command {
  static let name = "doctor"
  static let spec = CommandSpec(
    name, "check libraries, files, providers, keys and budgets",
    details: [
      "Looks at the libraries, the files, the providers, their keys and their budgets, changes nothing, and shows the "
        + "command that fixes each problem. Each source in use is asked once; not with --offline. Keys are shown only as "
        + "set or not set.",
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
    var findings: [Finding]
    switch settings {
    case .success(let settings):
      let providers = ProviderCheck(session, settings)
      findings = providers.needingLibcurl(libraries) + FileCheck(session.environment, settings).findings
      findings += providers.findings + FleetCheck(session, settings).findings
      session.console.working("asking the sources whether they can be reached")
      findings += await providers.sources(session)
    case .failure(let error):
      // An invalid option is the user's mistake, and not a finding.
      guard case .configuration(let issues) = error else { throw error }
      findings = libraries
      findings += issues.map {
        Finding(.files, "settings", .bad, Finding.message(of: $0), fix: Self.fix(session))
      }
      findings += FileCheck(session.environment, nil).findings
    }
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
  let output: DoctorOutput
  private let findings: [Finding]

  init(_ findings: [Finding]) {
    self.findings = findings
    output = DoctorOutput(findings)
  }

  /// The exit status of the first bad finding; success without one.
  var status: ExitStatus {
    switch findings.first(where: { $0.verdict == .bad })?.topic {
    case nil: .answered
    case .libraries: .unavailable
    case .data: .dataFile
    case .files, .providers, .fleet: .configuration
    }
  }

  func table(style: Style) -> String {
    var table = TextTable([.init(""), .init("", widest: 32), .init("", widest: 400, wraps: true)])
    for finding in findings {
      table.add([Self.mark(finding.verdict), .init(finding.subject), .init(finding.message)])
      if let fix = finding.fix { table.add(["", "", .init("→ " + fix, .heading)]) }
    }
    return table.text(style: style) + "\n" + summary(style) + "\n"
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

  private static func mark(_ verdict: Finding.Verdict) -> TextTable.Cell {
    switch verdict {
    case .good: .init("ok", .good)
    case .note: .init("-", .quiet)
    case .warning: .init("WARN", .warning)
    case .bad: .init("FAIL", .bad)
    }
  }
}

extension Finding {
  /// Returns the message of an error on one line: for a file with several faults, the first one and the number of the
  /// others.
  static func message(of error: any Error) -> String {
    guard let error = error as? BitpalError else { return "\(error)" }
    guard case .configuration(let issues) = error, let first = issues.first else { return error.description }
    return message(of: first) + (issues.count > 1 ? " (and \(issues.count - 1) more)" : "")
  }

  /// Returns the message of an error, and separately the command after `; run:` at its end; nil without one.
  static func advice(of error: any Error) -> (message: String, command: String?) {
    let message = message(of: error)
    guard let end = message.ranges(of: "; run: ").last else { return (message, nil) }
    return (String(message[..<end.lowerBound]), String(message[end.upperBound...]))
  }

  /// Returns a fault and its place, without the excerpt of the file.
  static func message(of issue: ConfigurationIssue) -> String {
    let place = [issue.line, issue.column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(issue.file)\(place): \(issue.message)"
  }
}
