import BitpalConfig
import BitpalJSON
import BitpalModel
import BitpalNetwork
import BitpalSQLite
import BitpalServe

/// The check of bitpal's version and the C libraries.
struct LibraryCheck {
  /// The subject of libcurl's finding, which is bad when every source in use needs the network.
  static let curl = "libcurl"

  var findings: [DoctorFinding] {
    [
      DoctorFinding(.libraries, "bitpal", BitpalVersion.current), curl,
      DoctorFinding(.libraries, "sqlite", SQLiteLibrary.version),
      DoctorFinding(.libraries, "libyaml", YAMLLibrary.version),
      Self.optional("libmicrohttpd", try? HTTPLibrary.load().get(), for: "\"bitpal serve\"", "libmicrohttpd12"),
      Self.optional("zlib", ZlibLibrary.version, for: "a source that compresses its answers", "zlib1g"),
      Self.optional("libexpat", XMLReader.version, for: "a source that answers in XML", "libexpat1"),
    ]
  }

  /// Returns the finding for a library that not every command needs.
  private static func optional(
    _ name: String, _ version: String?, for need: String, _ package: String
  ) -> DoctorFinding {
    version.map { DoctorFinding(.libraries, name, $0) }
      ?? DoctorFinding(.libraries, name, .note, "not installed: \(need) needs it", fix: "apt install \(package)")
  }

  private var curl: DoctorFinding {
    switch CurlLibrary.load() {
    case .loaded(let version, let tls):
      DoctorFinding(.libraries, Self.curl, version + (tls.map { ", \($0)" } ?? ""))
    case .missing(let reason):
      DoctorFinding(.libraries, Self.curl, .warning, reason, fix: "apt install libcurl4", status: .unavailable)
    }
  }
}

/// The check of the variables by which libcurl finds a proxy.
struct NetworkCheck {
  /// The variables that libcurl reads; `HTTP_PROXY` is not among them.
  static let variables = ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]

  private let environment: Environment

  init(_ environment: Environment) {
    self.environment = environment
  }

  var findings: [DoctorFinding] {
    let set = Self.variables.compactMap { name in
      environment.value(name).map { DoctorFinding(.network, name, .note, Self.withoutUser($0)) }
    }
    return set.isEmpty ? [DoctorFinding(.network, "proxy", .note, "none set")] : set
  }

  /// Returns a proxy's URL without user name and password, which are never shown.
  private static func withoutUser(_ value: String) -> String {
    guard let at = value.lastIndex(of: "@") else { return value }
    let scheme = value.ranges(of: "://").first.map { String(value[..<$0.upperBound]) } ?? ""
    return scheme + "…@" + value[value.index(after: at)...]
  }
}

/// The check of the capabilities of standard output.
struct TerminalCheck {
  private let environment: Environment
  private let console: Console

  init(_ environment: Environment, _ console: Console) {
    self.environment = environment
    self.console = console
  }

  var findings: [DoctorFinding] {
    var findings: [DoctorFinding] = []
    if console.isTerminal {
      let size =
        TerminalSize.current { environment.value($0) }.map { ", \($0.columns) columns by \($0.rows) rows" }
        ?? ", of unknown size"
      findings.append(DoctorFinding(.terminal, "output", "a terminal\(size)"))
    } else {
      findings.append(DoctorFinding(.terminal, "output", .note, "no terminal: no colour, 80 columns"))
    }
    findings.append(DoctorFinding(.terminal, "colour", .note, console.style.isEnabled ? "on" : "off" + reason))
    findings.append(
      isUTF8
        ? DoctorFinding(.terminal, "text", "UTF-8")
        : DoctorFinding(
          .terminal, "text", .note, "the locale is not UTF-8; --ascii draws without", fix: "export LANG=C.UTF-8"))
    return findings
  }

  private var reason: String {
    if environment.value("NO_COLOR") != nil { return ": NO_COLOR is set" }
    if environment.value("TERM") == "dumb" { return ": TERM is dumb" }
    return ""
  }

  /// Whether the locale is UTF-8, by the first variable that is set, as in the C library.
  private var isUTF8: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment.value($0) }.first ?? "C"
    let name = locale.lowercased()
    return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
  }
}
