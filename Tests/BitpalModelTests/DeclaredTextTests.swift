import FoundationEssentials
import TestSupport
import Testing

@testable import BitpalModel

@Suite struct `Placeholders of a provider file` {
  private typealias Part = DeclaredPlaceholder.Part

  @Test func `split a path into its parts`() throws {
    let parts = try DeclaredPlaceholder.parts(
      of: "/Ticker?pair={SYMBOL}{CURRENCY}&since={from:yyyy-MM-dd}", allowed: [.upperSymbol, .upperCurrency, .from])
    #expect(
      parts == [
        .literal("/Ticker?pair="), .placeholder(.upperSymbol), .placeholder(.upperCurrency), .literal("&since="),
        .date(.from, try TimePattern("yyyy-MM-dd")),
      ])
    #expect(parts.map(\.name) == [nil, .upperSymbol, .upperCurrency, nil, .from])
  }

  @Test(
    arguments: [
      ("/a/{id", "a placeholder is written {name}, with both braces", 3),
      ("/a}", "a placeholder is written {name}, with both braces", 2),
      ("ü{idd}", "unknown placeholder {idd} (did you mean {id}?)", 2),
      ("/{key}", "{key} is only for headers: and for the query of get: or post:", 1),
      ("/{to}", "{to} has no meaning here (valid here: {id} {from})", 1),
      ("/{id:yyyy}", "only {from}, {to} and {date} take a pattern, like {from:yyyyMMdd}", 1),
    ])
  func `are refused with the byte of the fault`(text: String, message: String, offset: Int) {
    #expect(throws: DeclaredPlaceholder.Fault(message: message, offset: offset)) {
      try DeclaredPlaceholder.parts(of: text, allowed: [.id, .from])
    }
  }

  @Test func `leave the braces of a JSON body alone`() throws {
    let body = "{\"id\": \"{id}\", \"of\": { from }, \"until\": {to_ms}}"
    let parts = try DeclaredPlaceholder.parts(ofBody: body, allowed: [.id, .toMilliseconds])
    #expect(
      parts == [
        .literal("{\"id\": \""), .placeholder(.id), .literal("\", \"of\": { from }, \"until\": "),
        .placeholder(.toMilliseconds), .literal("}"),
      ])
  }

  @Test func `and the text between them make up the whole text`() throws {
    var random = SeededGenerator(seed: 3)
    let pieces = ["{id}", "{from:yyyyMMdd}", "{", "}", "{ }", "\"a\": {", "ü", "{\"id\"}", "{{to}}", "\n"]
    for _ in 0..<300 {
      let body = (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }
        .joined()
      let parts = try DeclaredPlaceholder.parts(ofBody: body, allowed: [.id, .from, .to])
      let text = parts.map { part in
        switch part {
        case .literal(let text): text
        case .placeholder(let name): "{\(name.rawValue)}"
        case .date(let name, let pattern): "{\(name.rawValue):\(pattern.text)}"
        }
      }.joined()
      #expect(text == body)
    }
  }

  @Test func `are shown at their place in the file`() {
    let lines = [
      DeclaredText.Line(number: 7, column: 9, excerpt: "    get: /a/{idd}"),
      DeclaredText.Line(number: 8, column: 5, excerpt: "    &b={x}"),
    ]
    let text = DeclaredText("/a/{idd}\n&b={x}", file: "mine.yaml", lines: lines)
    #expect(text.place == "mine.yaml:7")
    #expect(text.issue("bad").description == "mine.yaml:7:9: bad\n      get: /a/{idd}\n          ^")
    #expect(text.issue("bad", at: 12).description == "mine.yaml:8:8: bad\n      &b={x}\n         ^")
    #expect(DeclaredText("x", file: "mine.yaml").issue("bad").description == "mine.yaml: bad")
  }
}

@Suite struct `Other texts of a provider file` {
  @Test(arguments: ["1/250ms", "60/1m", "5000/30d", "1000000/1s"])
  func `A budget is read and written alike`(text: String) throws {
    #expect(try #require(RateLimit(text: text)).description == text)
  }

  @Test(arguments: [
    "", "60", "60/", "/1m", "0/1m", "-1/1m", "60/0", "60/1y", "60/1m/1m", "1000001/1m", "6 0/1m", "60/1 m",
  ])
  func `A text that is not a budget is refused`(text: String) {
    #expect(RateLimit(text: text) == nil)
  }

  @Test func `Trusted files are the bytes that were read, and other files of their folders are not trusted`() {
    let bytes = Array("one".utf8)
    let files = TrustedFiles(
      settings: "config.yaml", digests: ["/p/a.yaml": SHA256.hexDigest(of: bytes)], folders: ["/p/providers"])
    func error(_ bytes: [UInt8], _ path: String) -> BitpalError? {
      #expect(throws: Never.self) { () }
      do { try files.check(bytes, of: path) } catch { return error }
      return nil
    }
    #expect(error(bytes, "/p/a.yaml") == nil)
    #expect(error(Array("two".utf8), "/p/a.yaml")?.code == .untrusted)
    #expect(error(bytes, "/p/providers/new.yaml")?.code == .untrusted)
    #expect(error(bytes, "/p/elsewhere/new.yaml") == nil)
  }

  @Test func `An outline has a TODO for each open point, and quotes what YAML would misread`() {
    var outline = Outline()
    outline.take("price", from: "$.last", "its name")
    #expect(outline.toDo("time", "the time\u{1B} of the price") == "TODO   # the time\u{FFFD} of the price")
    #expect(outline.points == ["time: the time\u{1B} of the price"])
    #expect(outline.fields.map(\.name) == ["price"])
    let scalars = ["$.a.b[0]", "/ticker?c={id}", "last", "null", "yes: no", "", "1.5", "it's"].map(Outline.quoted)
    #expect(
      scalars == ["$.a.b[0]", "/ticker?c={id}", "last", "\"null\"", "\"yes: no\"", "\"\"", "\"1.5\"", "\"it's\""])
    #expect(
      Outline.samples([("a", ["1", "2", "3", "4"]), ("long", [])]) == ["#   a     1 · 2 · 3", "#   long  (empty)"])
    #expect("last_price".plainName == "lastPrice".plainName)
  }
}
