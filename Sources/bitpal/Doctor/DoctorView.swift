import BitpalJSON
import BitpalModel

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

  var columns: [String] { ["topic", "subject", "verdict", "message", "fix"] }

  var rows: [JSONObject] {
    findings.map {
      [
        "topic": .string($0.topic.rawValue), "subject": .string($0.subject), "verdict": .string($0.verdict.rawValue),
        "message": .string($0.message), "fix": JSONValue($0.fix),
      ]
    }
  }

  var json: JSONObject {
    [
      "schema": "bitpal.doctor/1", "version": .string(BitpalVersion.current), "usable": .bool(isUsable),
      "findings": .array(rows.map(JSONValue.object)), "errors": [],
    ]
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
