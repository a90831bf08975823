import BitpalConfig
import BitpalModel
import BitpalNetwork
import BitpalSQLite

/// Looks at bitpal itself and the C libraries.
struct LibraryExamination {
  /// The name of libcurl's finding, which weighs more when a source on the web is in use.
  static let curl = "libcurl"

  var findings: [Finding] {
    [
      Finding(.libraries, "bitpal", BitpalVersion.current), curl, Finding(.libraries, "sqlite", SQLiteLibrary.version),
      Finding(.libraries, "libyaml", YAMLLibrary.version),
    ]
  }

  private var curl: Finding {
    switch CurlLibrary.load() {
    case .loaded(let version, let tls):
      Finding(.libraries, Self.curl, version + (tls.map { ", \($0)" } ?? ""))
    case .missing(let reason):
      Finding(.libraries, Self.curl, .warning, reason, fix: "apt install libcurl4", status: .unavailable)
    }
  }
}
