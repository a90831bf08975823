import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalReplay
import ProviderFiles
import Testing

@Suite struct `An example of a live answer` {
  private static let quotes = "quotes: { get: \"/{id}\", fields: { price: $.price } }"

  private static func example(_ body: String, status: Int = 200) throws -> LiveExample {
    let query = ProviderQuery.quotes(coins: ["gold"], currency: "usd")
    let dialect = try Declared(quotes).dialect()
    let source = DialectWithExamples(dialect, baseURL: "https://api.example.com/v1")
    let request = try #require(try dialect.plan(query).first)
    let exchange = CapturedExchange(request: request, response: HTTPResponse(status: status, body: Array(body.utf8)))
    return try LiveExample([exchange], answering: query, now: nil, hiding: Redaction([]), of: source)
  }

  private static let item = """
    - ask: quotes
      coin: gold
      currency: usd
      url: /gold
      body: |2
        {"price": 5}
      rows:
        - { price: 5 }
    """.split(separator: "\n").map(String.init)

  @Test(
    arguments: [
      ("id: mine\n", "id: mine\n\nexamples:\n", "  ", ""),
      (
        "examples:   # of May\n  - ask: line\n\n# the end\n", "examples:   # of May\n  - ask: line\n", "  ",
        "\n# the end\n"
      ),
      ("examples:\n- ask: line\nid: mine\n", "examples:\n- ask: line\n", "", "id: mine\n"),
      ("examples:\n\nid: mine\n", "examples:\n", "  ", "\nid: mine\n"),
    ] as [(String, String, String, String)])
  func `It is put below the others`(file: String, before: String, indent: String, after: String) throws {
    var example = try Self.example(#"{"price": 5}"#)
    let wanted = before + Self.item.map { indent + $0 + "\n" }.joined() + after
    let text = example.added(to: file, named: "mine")
    #expect(text == wanted)
  }

  @Test func `Examples in another notation are left as they are`() throws {
    var example = try Self.example(#"{"price": 5}"#)
    let text = example.added(to: "examples: [{ ask: quotes }]\n", named: "mine")
    #expect(text == nil)
  }

  @Test func `A large answer gets a file of its own, in UTF-8 with a mark`() throws {
    var example = try Self.example(#"{"price": 5, "note": ""# + String(repeating: "é", count: 20_000) + #""}"#)
    let text = example.added(to: "id: mine\n", named: "mine") ?? ""
    #expect(text.contains("\n    body_file: mine-quotes.txt\n"))
    #expect(example.bodyFile?.bytes.starts(with: [0xEF, 0xBB, 0xBF]) == true)
  }

  @Test func `A refusal becomes an example of that failure, but a failure of the source does not`() throws {
    #expect(try Self.example("{}", status: 404).example.expectation == .failure(.notFound))
    #expect(try Self.example("{}", status: 503).problem != nil)
    #expect(try Self.example(#"{"prize": 5}"#).problem?.code == .unreadable)
  }
}
