import BitpalCharts
import BitpalModel

/// A file that pages load; it is part of the binary.
struct PageAsset: Sendable {
  let name: String
  let response: WebResponse

  /// The path with a checksum of the content, so that browsers may cache the file without limit.
  let path: PagePath

  fileprivate init(_ name: String, _ text: String, as kind: WebResponse.Kind) {
    self.name = name
    response = WebResponse(
      text, as: kind, headers: [WebHeader("Cache-Control", "public, max-age=31536000, immutable")])
    path = PagePath([name], query: ["v": String(SHA256.hexDigest(of: Array(text.utf8)).prefix(8))])
  }
}

/// The stylesheet, the script and the icon of pages.
enum PageAssets {
  /// The stylesheet of pages, and the styles of the charts drawn in them.
  static let style = PageAsset(
    "bitpal.css",
    String(decoding: PackageResources.bitpal_css, as: UTF8.self) + ".chart, .spark {\n\(SVGChart.styles)\n}\n",
    as: .style)

  static let script = PageAsset(
    "bitpal.js", String(decoding: PackageResources.bitpal_js, as: UTF8.self), as: .script)

  static let icon = PageAsset(
    "icon.svg",
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5cad"/>\
    <path fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" \
    d="M6 21l6-7 5 5 9-11"/></svg>
    """, as: .svg)

  static let all = [style, script, icon]
}
