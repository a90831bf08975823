import BitpalCharts
import BitpalModel
import BitpalTesting
import Foundation
import Testing

@Suite struct `A chart as SVG` {
  static let charts = `A chart in the terminal`.charts

  @Test(arguments: charts.map(\.name))
  func `It looks as it did`(name: String) throws {
    try Golden.expect(SVGChart(try chart(name)).document(), is: "\(name).svg")
  }

  @Test(arguments: charts.map(\.name))
  func `It is small, scales, has words for screen readers, and nothing in it runs or loads`(name: String) throws {
    let document = SVGChart(try chart(name)).document()
    #expect(document.utf8.count < 60_000)
    for part in [
      "viewBox=\"0 0 960 480\"", "role=\"img\"", "<title id=", "<desc id=", "tabular-nums",
      "prefers-color-scheme: dark",
    ] {
      #expect(document.contains(part), "\(part) is missing")
    }
    for part in ["<script", "href", "onload", "url(", "nan", "inf", "NaN", "e-0", "xlink", "@import"] {
      #expect(!document.contains(part), "\(part) is in it")
    }
    #expect(!document.contains(" width=\"100%\"") && document.hasSuffix("</svg>\n"))
    #expect(try isBalanced(document))
  }

  @Test(arguments: charts.map(\.name), [(320, 200), (480, 900), (960, 480), (4000, 300)])
  func `Nothing stands outside of the page, whatever its size`(name: String, size: (width: Int, height: Int)) throws {
    let document = SVGChart(try chart(name), width: size.width, height: size.height).document()
    #expect(
      document.hasPrefix(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(size.width)\" height=\"\(size.height)\" "
          + "viewBox=\"0 0 \(size.width) \(size.height)\""))
    // A tag's ground, which is as wide as its number can be, and every text's base line.
    for tag in document.matches(of: /<rect class="[a-z0-9-]*" x="([0-9]+)" y="[-0-9.]+" width="([0-9]+)"/) {
      #expect(try #require(Int(tag.1)) + #require(Int(tag.2)) <= size.width)
    }
    let tall = size.height >= 300
    for text in document.matches(of: /<text [^>]*y="([0-9.]+)"/) where tall {
      #expect(try #require(Double(text.1)) <= Double(size.height))
    }
  }

  @Test func `The labels of compared lines do not cover each other`() throws {
    let document = SVGChart(Sample.five()).document()
    let places = document.matches(of: /<rect class="t[0-9]" x="[0-9]+" y="([-0-9.]+)"/).compactMap { Double($0.1) }
      .sorted()
    #expect(places.count == 5)
    #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 >= 20 })
    #expect(Set(document.matches(of: /class="stroke (s[0-9])"/).map { String($0.1) }).count == 5)
  }

  @Test func `The time scale says by whose clocks it is`() {
    let points = Sample.walk(count: 20, spacing: .seconds(300))
    #expect(SVGChart(Chart(.line(points), title: "x")).document().contains(">UTC</text>"))
  }

  @Test func `Text of a source or a user stays text in the markup`() throws {
    let name = "</title><script>alert(\"1\")&\u{1B}[31m"
    let chart = Chart(
      .comparison([ComparedLine(name: name, points: Sample.points(["1", "2"]))]), title: name, subtitle: name,
      warning: name)
    let document = SVGChart(chart).document()
    #expect(!document.contains("<script") && !document.contains("\u{1B}") && !document.contains("\"1\""))
    #expect(document.contains("&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&amp;"))
    #expect(try isBalanced(document))
  }

  private func chart(_ name: String) throws -> Chart {
    try #require(Self.charts.first { $0.name == name }).chart
  }

  /// Whether every element that begins ends, in order.
  private func isBalanced(_ document: String) throws -> Bool {
    var open: [Substring] = []
    for tag in document.matches(of: /<(\/?)([a-z]+)([^<>]*)>/) {
      if tag.3.hasSuffix("/") { continue }
      if tag.1 == "/" {
        guard open.popLast() == tag.2 else { return false }
      } else {
        open.append(tag.2)
      }
    }
    return open.isEmpty && !document.contains(/&(?!amp;|lt;|gt;|quot;)/)
  }
}
