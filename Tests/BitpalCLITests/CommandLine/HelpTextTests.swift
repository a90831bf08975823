import Testing

@testable import bitpal

@Suite struct `The help` {
  private static let topics: [HelpTopic] =
    [.everything] + CommandTable.bitpal.groups.map { .group($0.name) }
    + CommandTable.bitpal.commands.map { .command($0.name) }

  private let help = HelpText(.bitpal)

  @Test(arguments: topics)
  func `It fits into 80 columns, without trailing spaces`(topic: HelpTopic) {
    let text = help.text(on: topic)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      #expect(line.count <= 79)
      #expect(line.last != " ")
    }
    #expect(text.hasSuffix("\n"))
    #expect(!text.hasSuffix("\n\n"))
  }

  @Test(arguments: CommandTable.bitpal.commands.map(\.name))
  func `The help of a command names its usage, options and examples`(name: String) throws {
    let text = help.text(on: .command(name))
    let spec = try #require(CommandTable.bitpal.command(name))
    #expect(text.contains("Usage: bitpal \(name) "))
    for option in spec.options { #expect(text.contains(option.spelling)) }
    #expect(text.contains("bitpal help options"))
    for example in spec.examples { #expect(text.contains("  bitpal \(example.command)\n")) }
  }

  @Test func `The help of a group`() {
    #expect(
      help.text(on: .group("cache")) == """
        bitpal cache: the answers kept on this machine

        Usage: bitpal cache COMMAND [OPTION…]

        Commands:
          cache stats  the cache's place, size and content
          cache clear  remove every cached answer; settings and data stay

        "bitpal cache" alone is "bitpal cache stats". "bitpal help cache COMMAND"
        describes each.

        """)
    #expect(
      help.text(on: .group("trust")).hasSuffix(
        """
        "bitpal trust [FOLDER]" alone is "bitpal trust add [FOLDER]". "bitpal help
        trust COMMAND" describes each.

        """))
  }

  @Test func `The short help says how to go on`() {
    #expect(
      help.short == """
        Usage: bitpal COMMAND [OPTION…]
        Commands: price, top, chart, coin, history, convert, search,
                  watchlist, watch, status, buy, sell, receive, send, swap, split,
                  portfolio, widget, serve, record, providers, imports, cache, config,
                  trust, doctor, completion, help
        Try "bitpal price bitcoin", or "bitpal help" for more.

        """)
  }
}
