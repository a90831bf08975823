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

@Suite struct `Completion of a word` {
  private func source(_ words: String...) -> Completer.Source { Completer(words, .bitpal).source }

  private func offered(_ words: String...) -> [String] {
    guard case .offers(let offers) = Completer(words, .bitpal).source else { return [] }
    return offers.map(\.word)
  }

  @Test func `The first word is a command, a group or help`() {
    #expect(offered("") == CommandTable.bitpal.firstWords)
    #expect(offered("help", "") == CommandTable.bitpal.firstWords)
    #expect(offered("-q", "--config", "x.yaml", "") == CommandTable.bitpal.firstWords)
    #expect(offered("config", "").contains("show") && !offered("config", "").contains("price"))
    #expect(!offered("").contains("generate"))
  }

  @Test func `An option is one of the command's or of all commands`() {
    #expect(offered("chart", "bitcoin", "--").contains("--range") && offered("chart", "--").contains("--config"))
    #expect(!offered("price", "-").contains("--range"))
    for option in CommandTable.bitpal.commands.filter({ !$0.isHidden }) {
      let words = option.words + ["--"]
      let known = Completer(words, .bitpal).source
      guard case .offers(let offers) = known else {
        Issue.record("\(option.name)")
        continue
      }
      #expect(Set(option.options.map(\.spelling)).isSubset(of: offers.map(\.word)))
    }
  }

  @Test func `The value of an option is of its kind, in every spelling`() {
    #expect(source("price", "-p", "") == .providers && source("--provider", "") == .providers)
    #expect(source("chart", "btc", "--range", "1") == .ranges && source("chart", "--range", "=", "1") == .ranges)
    #expect(source("chart", "--range", "=") == .ranges && source("-c", "") == .files)
    #expect(offered("chart", "btc", "--type", "").contains("candle"))
    #expect(source("buy", "1", "btc", "--notes", "") == .nothing)
    let whole = Completer(["chart", "--range=1"], .bitpal)
    #expect(whole.source == .ranges && whole.prefix == "--range=" && whole.beginning == "1")
    // It takes none, so the word after it is an operand.
    #expect(source("price", "-q", "b") == .coins)
  }

  @Test func `Operands are completed by their place, the last of them again and again`() {
    #expect(source("price", "") == .coins && source("price", "btc", "eth", "") == .coins)
    #expect(
      source("buy", "") == .nothing && source("buy", "1", "") == .coins && source("buy", "1", "btc", "") == .nothing)
    #expect(source("portfolio", "restore", "") == .files)
    #expect(source("record", "x", "--", "price", "") == .nothing && source("nonsense", "") == .nothing)
    #expect(offered("completion", "") == ["bash", "zsh", "fish"])
  }

  @Test(arguments: ["$(x)", "a b", "a;b", "`x`", "a'b", "", "a\"b", "a*"])
  func `A completion that a shell could evaluate is not offered`(word: String) {
    #expect(!CompletionOffer(word, "").isPlain)
  }
}
