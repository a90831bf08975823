import Foundation
import Testing

@Suite struct `The schemas of the output` {
  /// What sessions and pages show; each runs and is compared, and then held against its schema.
  private static let printed: [PrintedDocuments.Document] = {
    let golden = (try? FileManager.default.contentsOfDirectory(atPath: Repository.transcripts)) ?? []
    let pages = ["docs/output.md", "docs/serve.md"].map { Repository.root + "/" + $0 }
    return (golden.map { Repository.transcripts + "/" + $0 } + pages).flatMap { file in
      let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
      // What was said on standard error is marked in a transcript.
      return PrintedDocuments.all(in: text.replacingOccurrences(of: "\n! {", with: "\n{"))
    }
  }()

  private static let names = PrintedDocuments.schemas.keys.sorted()

  /// What prints the shapes that no session and no page shows whole.
  private static let commands = [
    "bitpal coin bitcoin ethereum", "bitpal config show", "bitpal config path",
    "rm config.yaml && bitpal config init; cp \(Repository.root)/config.yaml .", "bitpal doctor",
    "bitpal providers show kraken", "bitpal providers check kraken", "bitpal providers check --all",
    "bitpal providers list", "bitpal providers find btc", "bitpal watchlist add bitcoin ethereum",
    "bitpal watchlist move ethereum 1", "bitpal portfolio import Fixtures/portfolio.csv",
    "bitpal portfolio backup copy.db", "bitpal portfolio restore copy.db", "bitpal widget write",
    "bitpal imports list", "bitpal trust remove", "bitpal buy 1 nothing-at-all --price 1; bitpal portfolio",
  ]

  @Test func `Each is held against an answer that is printed whole`() throws {
    let world = try World()
    var printed = Self.printed
    for command in Self.commands {
      let json = "bitpal() { command bitpal \"$@\" --format json; }; "
      printed += PrintedDocuments.all(in: try world.run(json + command).output)
    }
    let served =
      "bitpal serve --listen 127.0.0.1:0 > address & sleep 0.2; until [ -s address ]; do kill -0 $! || exit; sleep 0.1; done; "
      + "curl -s \"$(cat address)/v1/schemas\"; kill $!"
    let outcome = try World().run(served)
    printed += PrintedDocuments.all(in: outcome.output)
    for name in Self.names {
      #expect(printed.contains { $0.name == name }, "nothing shows bitpal.\(name)/1")
    }
  }

  @Test(arguments: [
    #"{"schema":"bitpal.prices/1","provider":null,"currency":"usd","prices":[],"errors":[],"more":1}"#,
    #"{"schema":"bitpal.prices/1","provider":null,"currency":"usd","prices":[]}"#,
    #"{"schema":"bitpal.prices/1","provider":null,"currency":1,"prices":[],"errors":[]}"#,
    #"{"schema":"bitpal.prices/1","provider":null,"currency":"usd","prices":[{}],"errors":[]}"#,
    #"{"schema":"bitpal.history/1","coin":"a","currency":"usd","provider":null,"days":[{"date":"1","price":"1"}]}"#,
    #"{"schema":"bitpal.done/1","done":"x","subject":null,"facts":{"known":-1},"errors":[]}"#,
    #"{"schema":"bitpal.error/1","error":{"code":"sorry","message":""},"errors":[]}"#,
    #"{"schema":"bitpal.unheard_of/1","errors":[]}"#,
  ])
  func `A document that violates its schema does not pass`(document: String) {
    #expect(PrintedDocuments.faults(in: document).count == 1)
  }

  @Test func `A truncated or foreign document does not pass`() {
    #expect(PrintedDocuments.all(in: "{\n  \"schema\": \"bitpal.prices/1\",\n").isEmpty)
    #expect(PrintedDocuments.all(in: "{\"schema\":\"other.prices/1\"}\n").isEmpty)
  }
}
