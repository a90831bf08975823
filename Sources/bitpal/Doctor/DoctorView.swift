import BitpalJSON
import BitpalModel
import BitpalOutput

/// Everything `bitpal doctor` has found.
struct DoctorView: View {
  private let findings: [Finding]

  init(_ findings: [Finding]) {
    self.findings = findings
  }

  /// Whether prices can be had.
  var isUsable: Bool { !findings.contains { $0.verdict == .bad } }

  /// That of the first thing that is bad.
  var status: ExitStatus { findings.first { $0.verdict == .bad }?.status ?? .answered }

  var output: DoctorOutput {
    DoctorOutput(
      findings.map { ($0.topic.rawValue, $0.subject, $0.verdict.rawValue, $0.message, $0.fix) }, isUsable: isUsable)
  }

  func table(style: Style) -> String {
    var text = ""
    for topic in Finding.Topic.allCases {
      let rows = findings.filter { $0.topic == topic }
      if rows.isEmpty { continue }
      var table = TextTable([.init(""), .init("", widest: 32), .init("", widest: 400)])
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
    if bad > 0 { return style("bitpal cannot be used so: mend what is marked FAIL", .bad) }
    if warnings > 0 {
      return style("bitpal can be used; \(warnings) \(warnings == 1 ? "thing" : "things") to mend", .warning)
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
