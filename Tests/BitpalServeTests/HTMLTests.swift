import BitpalCharts
import BitpalModel
import Foundation
import Testing

@testable import BitpalServe

@Suite struct `Pages are made of text that stays text` {
  /// What somebody would write who wants to be more than a name.
  private static let hostile = [
    "<script>alert(1)</script>", "\" onmouseover=\"alert(1)", "' onfocus='alert(1)", "</title><script>", "<!--",
    "&lt;b&gt;",
    "javascript:alert(1)", "]]>", "a\u{0}b\u{202E}c\u{200B}d\ne", "\u{FEFF}<img src=x onerror=alert(1)>",
  ]

  @Test(arguments: hostile) func `Text is shown as it is, wherever it stands`(text: String) throws {
    let html = HTML.element(.p, [.text(.title, text), .href(PagePath(["coin", text], query: ["with": text]))]) { text }
    let markup = html.markup
    // One element, with two attributes, whatever was said.
    #expect(markup.filter { $0 == "<" }.count == 2 && markup.filter { $0 == ">" }.count == 2)
    #expect(!markup.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" || $0 == "\u{200B}" })
    let element = try #require(try XMLReading(markup).root)
    #expect(element.name == "p" && element.attributes.count == 2)
    #expect(element.text == text.printable())
    #expect(element.attributes["title"] == text.printable())
    #expect(element.attributes["href"]?.hasPrefix("/coin/") == true)
  }

  @Test func `Any characters at all come back as the text that they were`() throws {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("<>&\"'=/ -!;#x0aZé漢🙂\u{301}")
    for _ in 0..<500 {
      let text = String((0..<Int.random(in: 1...30, using: &random)).map { _ in alphabet.randomElement() ?? "x" })
      let element = try #require(try XMLReading(HTML.element(.b, [.text(.title, text)]) { text }.markup).root)
      #expect(element.text == text.printable() && element.attributes["title"] == text.printable(), "\(text)")
    }
  }

  @Test func `An address is one of this server, and says what it was made of`() throws {
    let path = PagePath(["coin", "a/b?c#d e%é"], query: ["with": "x&y=z", "type": nil, "range": "1W"])
    #expect(path.text == "/coin/a%2Fb%3Fc%23d%20e%25%C3%A9?with=x%26y%3Dz&range=1W")
    let request = try #require(WebRequest(WebHead(method: "GET", target: path.text)))
    #expect(request.path == ["coin", "a/b?c#d e%é"] && request["with"] == "x&y=z" && request["type"] == nil)
    // Not that of another server, as //evil.example would be.
    #expect(PagePath(["", "evil.example"]).text == "/evil.example")
    #expect(PagePath().text == "/")
  }

  @Test func `Nothing and lists of pieces go together, and an element that holds nothing has no end`() {
    let html = HTML.element(.ul) {
      for name in ["a", "b"] { HTML.element(.li) { name } }
      if false { "never" }
      HTML.element(.input, [.text(.name, "x"), nil, .flag(.required)])
    }
    #expect(html.markup == "<ul><li>a</li><li>b</li><input name=\"x\" required></ul>")
  }

  @Test func `A name of 300 characters is cut where it would be longer`() {
    #expect(
      PageComponents.name(String(repeating: "x", count: 500), "s").markup.contains(
        String(repeating: "x", count: 300) + "…"))
  }
}

@Suite struct `A sparkline` {
  private func points(_ prices: [String]) throws -> [ChartDataPoint] {
    try prices.enumerated().map { index, price in
      ChartDataPoint(timestamp: Date(timeIntervalSince1970: Double(index) * 3600), price: try Decimal(strict: price))
    }
  }

  @Test func `Goes from its first price to its last, in whole units`() throws {
    let drawing = try #require(SVGDrawing.sparkline(try points(["1", "3", "2"])))
    #expect(drawing.markup.contains("d=\"m2 26l46-24 46 12\""))
    #expect(drawing.markup.contains("stroke rise"))
  }

  @Test func `Needs two prices, and takes any`() throws {
    #expect(SVGDrawing.sparkline([]) == nil)
    #expect(SVGDrawing.sparkline(try points(["1"])) == nil)
    let prices = ["0.000000000000000001", "99999999999999999999999999999999999", "0", "5"]
    let path = try #require(SVGDrawing.sparkline(try points(prices))).markup.split(separator: "d=\"")[1]
    #expect(path.prefix { $0 != "\"" }.allSatisfy { "ml -0123456789".contains($0) })
    #expect(SVGDrawing.sparkline(try points(["7", "7", "7"])) != nil)
  }
}

/// Markup read by somebody else: well-formed as XML, which ours is but for flags and elements without an end.
private struct XMLReading {
  struct Element {
    let name: String
    let attributes: [String: String]
    var text = ""
  }

  private(set) var root: Element?

  init(_ markup: String) throws {
    func unescaped(_ text: Substring) -> String {
      text.replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
        .replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(of: "&amp;", with: "&")
    }
    guard let match = try /<([a-z]+)((?: [a-z-]+="[^"<>]*")*)>([^<>]*)<\/([a-z]+)>/.wholeMatch(in: markup) else {
      return
    }
    var attributes: [String: String] = [:]
    for attribute in match.output.2.matches(of: /\s([a-z-]+)="([^"]*)"/) {
      attributes[String(attribute.output.1)] = unescaped(attribute.output.2)
    }
    root = Element(name: String(match.output.1), attributes: attributes, text: unescaped(match.output.3))
  }
}
