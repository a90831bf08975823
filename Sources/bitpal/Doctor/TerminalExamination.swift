import BitpalConfig

/// Looks at what standard output can show.
struct TerminalExamination {
  private let environment: Environment
  private let console: Console

  init(_ environment: Environment, _ console: Console) {
    self.environment = environment
    self.console = console
  }

  var findings: [Finding] {
    var findings: [Finding] = []
    if console.isTerminal {
      let size = TerminalSize.current().map { ", \($0.columns) columns by \($0.rows) rows" } ?? ", of unknown size"
      findings.append(Finding(.terminal, "output", "a terminal\(size)"))
    } else {
      findings.append(Finding(.terminal, "output", .note, "no terminal: no colour, 80 columns"))
    }
    findings.append(Finding(.terminal, "colour", .note, console.style.isEnabled ? "on" : "off" + reason))
    findings.append(
      isUTF8
        ? Finding(.terminal, "text", "UTF-8")
        : Finding(
          .terminal, "text", .note, "the locale is not UTF-8; --ascii draws without", fix: "export LANG=C.UTF-8"))
    return findings
  }

  private var reason: String {
    if environment.value("NO_COLOR") != nil { return ": NO_COLOR is set" }
    if environment.value("TERM") == "dumb" { return ": TERM is dumb" }
    return ""
  }

  /// By the first variable that is set, as the C library decides.
  private var isUTF8: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment.value($0) }.first ?? "C"
    let name = locale.lowercased()
    return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
  }
}
