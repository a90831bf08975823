import Foundation
import Testing

@testable import bitpal

@Suite struct `The pages made from the table of commands` {
  private static let docs: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { url.deleteLastPathComponent() }
    return url.path + "/docs"
  }()

  private static let pages = GeneratedPages(.bitpal).pages

  @Test(arguments: pages.map(\.path))
  func `The page in docs is up to date`(path: String) throws {
    let page = try #require(Self.pages.first { $0.path == path })
    let kept = try String(contentsOfFile: Self.docs + "/" + path, encoding: .utf8)
    #expect(kept == page.text, "run: make docs-cli")
  }

  @Test(arguments: CommandTable.bitpal.commands.map(\.name))
  func `A command is in every page when it is for people, else in none`(name: String) throws {
    let isShown = try #require(CommandTable.bitpal.command(name)).isHidden == false
    let reference = try #require(Self.pages.first { $0.path == "cli.md" }).text
    let manual = try #require(Self.pages.first { $0.path == "bitpal.1" }).text
    #expect(reference.contains("\n## \(name)\n") == isShown)
    #expect(manual.contains("\n.SS \"bitpal \(name)") == isShown)
  }

  @Test(arguments: ["completions/bitpal.bash", "completions/_bitpal", "completions/bitpal.fish"])
  func `A completion knows every option`(path: String) throws {
    let text = try #require(Self.pages.first { $0.path == path }).text
    for option in CommandTable.bitpal.allOptions {
      let spelling = path.hasSuffix(".fish") ? "-l \(option.name.rawValue)" : option.name.spelling
      #expect(text.contains(spelling), "\(spelling)")
    }
  }

  @Test func `A line of the manual never begins like a request of roff`() throws {
    let manual = try #require(Self.pages.first { $0.path == "bitpal.1" }).text
    let requests: Set<Substring> = [
      ".\\\"", ".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".I", ".EX", ".EE",
    ]
    for line in manual.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(requests.contains(line.prefix { $0 != " " }), "\(line)")
    }
  }
}

@Suite struct `What completes a word` {
  @Test(arguments: [
    (OptionSpec(.provider, .text("NAME"), help: ""), CompletionSource.asked(.providers)),
    (OptionSpec(.range, .text("NAME"), help: ""), .asked(.ranges)),
    (OptionSpec(.config, .text("FILE"), help: ""), .files),
    (OptionSpec(.type, .choice(["line", "candle"]), help: ""), .words(["line", "candle"])),
    (OptionSpec(.notes, .text("TEXT"), help: ""), .nothing),
    (OptionSpec(.quiet, help: ""), nil),
  ])
  func `An option's value`(option: OptionSpec, expected: CompletionSource?) {
    #expect(CompletionSource(valueOf: option) == expected)
  }

  @Test func `Operands are completed by their place, the last of them again and again`() throws {
    let price = try #require(CommandTable.bitpal.command("price"))
    #expect(price.completedOperands == [.init(word: "COIN", source: .asked(.coins), isRepeated: true)])
    let buy = try #require(CommandTable.bitpal.command("buy"))
    #expect(
      buy.completedOperands == [
        .init(word: "QUANTITY", source: .nothing, isRepeated: false),
        .init(word: "COIN", source: .asked(.coins), isRepeated: false),
      ])
  }
}
