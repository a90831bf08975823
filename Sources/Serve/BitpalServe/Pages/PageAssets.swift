import BitpalCharts
import BitpalModel

/// A file that pages load; it is part of the binary.
struct PageAsset: Sendable {
  let name: String
  let response: WebResponse

  /// The path with a checksum of the content, so that browsers may cache the file without limit.
  let path: PagePath

  fileprivate init(_ name: String, _ text: String, as kind: WebResponse.Kind) {
    self.init(name, Array(text.utf8), as: kind)
  }

  fileprivate init(_ name: String, _ bytes: [UInt8], as kind: WebResponse.Kind) {
    self.name = name
    response = WebResponse(
      bytes, as: kind, headers: [WebHeader("Cache-Control", "public, max-age=31536000, immutable")])
    path = PagePath([name], query: ["v": String(SHA256.hexDigest(of: bytes).prefix(8))])
  }
}

/// The stylesheet, the script and the icons of pages.
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

  /// The icon on the home screen of a phone: as `icon`, without rounded corners and transparency, which the phone makes itself.
  static let touchIcon = PageAsset("icon.png", PackageResources.icon_png, as: .png)

  /// The manifest by which a phone keeps the pages as an app (W3C, Web Application Manifest).
  static let manifest = PageAsset(
    "manifest.json",
    """
    {"name":"bitpal","short_name":"bitpal","start_url":"/","display":"standalone","background_color":"#0b5cad",\
    "icons":[{"src":"\(touchIcon.path.text)","sizes":"180x180","type":"image/png"},\
    {"src":"\(icon.path.text)","sizes":"any","type":"image/svg+xml"}]}
    """, as: .manifest)

  static let all = [style, script, icon, touchIcon, manifest]
}
