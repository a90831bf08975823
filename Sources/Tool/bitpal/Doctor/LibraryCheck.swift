import BitpalFiles
import BitpalJSON
import BitpalModel
import BitpalNetwork
import BitpalOutput
import BitpalServe

/// The check of bitpal's version and the C libraries.
struct LibraryCheck {
  /// The subject of libcurl's finding, which is bad when every source in use needs the network.
  static let curl = "libcurl"

  var findings: [Finding] {
    [
      Finding(.libraries, "bitpal", BitpalVersion.current), curl,
      Finding(.libraries, "sqlite", SQLiteLibrary.version),
      Finding(.libraries, "libyaml", YAMLLibrary.version),
      Self.optional("libmicrohttpd", try? HTTPLibrary.load().get(), for: "\"bitpal serve\"", "libmicrohttpd12"),
      Self.optional("zlib", ZlibLibrary.version, for: "a source that compresses its answers", "zlib1g"),
      Self.optional("libexpat", XMLReader.version, for: "a source that answers in XML", "libexpat1"),
    ]
  }

  /// Returns the finding for a library that not every command needs.
  private static func optional(
    _ name: String, _ version: String?, for need: String, _ package: String
  ) -> Finding {
    version.map { Finding(.libraries, name, $0) }
      ?? Finding(.libraries, name, .note, "not installed: \(need) needs it", fix: "apt install \(package)")
  }

  private var curl: Finding {
    switch CurlLibrary.load() {
    case .loaded(let version, let tls):
      Finding(.libraries, Self.curl, version + (tls.map { ", \($0)" } ?? ""))
    case .missing(let reason):
      Finding(.libraries, Self.curl, .warning, reason, fix: "apt install libcurl4")
    }
  }
}
