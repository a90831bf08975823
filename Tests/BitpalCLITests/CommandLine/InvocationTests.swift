import Bitpal
import BitpalModel
import Foundation
import Testing

@testable import bitpal

@Suite struct `Meaning of a command line` {
  private func invocation(_ line: String) throws -> Invocation {
    try Invocation(RawArguments(words(line), table: .bitpal), table: .bitpal)
  }

  /// The words of a line; `''` is an empty one.
  private func words(_ line: String) -> [String] {
    line.split(separator: " ").map { $0 == "''" ? "" : String($0) }
  }

  private func message(_ line: String) -> String {
    do {
      return "accepted: \(try invocation(line))"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    ("price bitcoin", "price", ["bitcoin"]), ("price a b", "price", ["a", "b"]),
    ("config", "config show", []), ("config path", "config path", []), ("cache", "cache stats", []),
    ("--offline cache clear", "cache clear", []), ("providers", "providers list", []),
    ("chart --range 1W bitcoin", "chart", ["bitcoin"]), ("price -- -x", "price", ["-x"]),
    ("trust", "trust add", []), ("trust ../there", "trust add", ["../there"]),
    ("trust ./list", "trust add", ["./list"]),
    ("btc eth", "price", ["btc", "eth"]), ("btc-usd", "price", ["btc-usd"]), ("btc/eur", "price", ["btc/eur"]),
    ("frobnicate", "price", ["frobnicate"]), ("--json sol", "price", ["sol"]),
    ("convert 0.5btc", "convert", ["0.5btc"]),
    ("trust list", "trust list", []), ("trust remove", "trust remove", []), ("trust remove a", "trust remove", ["a"]),
  ])
  func `The first words are the command, and a group alone is its first`(
    line: String, name: String, operands: [String]
  ) throws {
    guard case .run(let command, let arguments) = try invocation(line), command.spec.name == name else {
      Issue.record("\(line) is not \(name)")
      return
    }
    #expect(arguments.operands == operands)
  }

  @Test(arguments: [
    ("--help", HelpTopic.everything), ("help", .everything), ("help price", .command("price")),
    ("price --help", .command("price")), ("price -h bitcoin", .command("price")), ("-h config", .group("config")),
    ("help config", .group("config")), ("help config show", .command("config show")),
    ("config show --help", .command("config show")),
  ])
  func `Help is about what is named`(line: String, topic: HelpTopic) throws {
    guard case .help(topic) = try invocation(line) else {
      Issue.record("\(line) is not help on \(topic)")
      return
    }
  }

  @Test(arguments: ["--version", "price --version"])
  func `The version is asked for with any command or none`(line: String) throws {
    guard case .version = try invocation(line) else {
      Issue.record("\(line) does not ask for the version")
      return
    }
  }

  @Test(arguments: [
    (
      "pirce bitcoin",
      #"unknown command "pirce"; did you mean "bitpal price bitcoin"? "bitpal price pirce" asks for a coin"#
    ),
    (
      "holdings",
      #"unknown command "holdings"; did you mean "bitpal portfolio holdings"? "bitpal price holdings" asks for a coin"#
    ),
    ("btc chart --range 1W", #"unknown command "btc"; did you mean "bitpal chart btc --range 1W"?"#),
    ("config shwo", #"unknown command "config shwo"; did you mean "bitpal config show"?"#),
    ("config xyz", #"unknown command "config xyz"; see "bitpal help config""#),
    ("help price bitcoin", #"no help for "bitcoin"; see "bitpal help""#),
    ("help pirce", #"unknown command "pirce"; did you mean "bitpal help price"? "bitpal price pirce" asks for a coin"#),
    ("price a --fiat eur", #"unknown option --fiat; did you mean "bitpal price a --currency eur"?"#),
    ("price a --tmeout 1s", #"unknown option --tmeout; did you mean "bitpal price a --timeout 1s"?"#),
    ("chart a --currency usd,eur", "--currency: chart takes one currency; price shows several"),
    ("chart a --currency usd --currency eur", "--currency: chart takes one currency; price shows several"),
    ("price a --currency usd,x", "--currency: a currency is 2 to 12 letters or digits, like usd, not \"x\""),
    ("price a --curency eur", #"unknown option --curency; did you mean "bitpal price a --currency eur"?"#),
    ("price a --cur eur", #"unknown option --cur; did you mean "bitpal price a --currency eur"?"#),
    ("price a --zebra", #"unknown option --zebra; see "bitpal price --help""#),
    ("price a -x", #"unknown option -x; see "bitpal price --help""#),
    ("--zebra", #"unknown option --zebra; see "bitpal --help""#),
    (
      "price a --range 1W", #"price has no option --range; did you mean "bitpal chart a --range 1W"?"#
    ),
    ("price a --currency", #"--currency needs a value (CODE); see "bitpal price --help""#),
    ("price a --currency=", #"--currency needs a value (CODE); see "bitpal price --help""#),
    ("price a --offline=1", #"--offline takes no value; see "bitpal price --help""#),
    ("chart", #"chart needs at least one COIN; see "bitpal chart --help""#),
    ("chart", #"chart needs at least one COIN; see "bitpal chart --help""#),
    ("providers show", #"providers show needs a NAME; see "bitpal providers show --help""#),
    (
      "providers show a b",
      #"unexpected argument "b": providers show takes one NAME; see "bitpal providers show --help""#
    ),
    ("cache clear x", #"unexpected argument "x": cache clear takes no argument; see "bitpal cache clear --help""#),
    ("price ''", #"an argument of price is empty; see "bitpal price --help""#),
    (
      "price a --format jsno",
      #"--format: "jsno" is not one of its values; did you mean json? it takes: table, json, jsonl, csv"#
    ),
    ("chart a --type bar", #"--type: "bar" is not one of its values; did you mean "bitpal chart a --type candle"?"#),
    ("price a --now yesterday", #"--now: "yesterday" is not an instant; write it like 2025-01-15T10:30:00Z"#),
    ("price a --timeout 15", #"--timeout: "15" is not a duration above zero; write it like 15s, 500ms or 1m"#),
    ("price a --timeout 0s", #"--timeout: "0s" is not a duration above zero; write it like 15s, 500ms or 1m"#),
    ("price a --offline --refresh", "--offline and --refresh contradict each other; give one of them"),
  ])
  func `A wrong line is answered with what would be right`(line: String, expected: String) {
    #expect(message(line) == expected)
  }

  @Test(arguments: [
    ("price a --currency usd,USD,usd", "usd", []), ("price a --currency usd --currency eur,usd", "usd", ["eur"]),
    ("price a --currency eur --currency EUR", "eur", []), ("chart a --currency eur --currency eur", "eur", []),
  ])
  func `A list that is given twice is one, with each member once`(line: String, first: String, others: [String]) throws
  {
    guard case .run(_, let arguments) = try invocation(line) else {
      Issue.record("\(line) is not run")
      return
    }
    #expect(arguments.options.currency == first && arguments.options.otherCurrencies == others)
  }

  @Test(arguments: [
    (["btc eth,sol"], ["btc", "eth", "sol"]), (["id:academy token"], ["id:academy token"]),
    (["id:uni id:sol", "btc"], ["id:uni", "id:sol", "btc"]), (["id:a b,btc eth"], ["id:a b", "btc", "eth"]),
  ])
  func `Coins are separated by spaces and commas, and a space after id: is part of the id`(
    operands: [String], coins: [String]
  ) throws {
    let raw = RawArguments(["price"] + operands, table: .bitpal)
    guard case .run(_, let arguments) = try Invocation(raw, table: .bitpal) else {
      Issue.record("\(operands) is not run")
      return
    }
    #expect(arguments.coins == coins)
  }

  @Test func `A value may be empty where the help gives that a meaning`() throws {
    guard case .run(_, let arguments) = try invocation("watchlist add a --group '' --note=") else {
      Issue.record("it is not run")
      return
    }
    #expect(arguments.raw["group"] == "" && arguments.raw["note"] == "")
  }

  @Test func `A message shows no control character of what was typed`() {
    let raw = RawArguments(["a\u{1B}[31mb"], table: .bitpal)
    #expect(throws: BitpalError.usage("unknown command \"a\u{1B}[31mb\"", hint: "see \"bitpal help\"")) {
      try Invocation(raw, table: .bitpal)
    }
    #expect(BitpalError.usage("a\u{1B}b").description == "a\u{FFFD}b")
  }

  @Test(arguments: [("price a --json", OutputFormat.json), ("price a --csv", .csv), ("price a -f jsonl", .jsonl)])
  func `A format has a short form`(line: String, format: OutputFormat) throws {
    guard case .run(_, let arguments) = try invocation(line) else { return }
    #expect(arguments.options.format == format)
  }

  @Test func `The options everywhere have their meaning`() throws {
    let line = "price a --now 2025-01-15T10:30Z --timeout 500ms --refresh --format csv --color never -q -p x"
    guard case .run(_, let arguments) = try invocation(line) else { return }
    let options = arguments.options
    #expect(options.now == Date(timeIntervalSince1970: 1_736_937_000))
    #expect(options.timeout == .milliseconds(500))
    #expect(options.policy == .refresh)
    #expect(options.format == .csv)
    #expect(options.color == .never)
    #expect(options.isQuiet)
    #expect(!options.isVerbose)
    #expect(options.provider == "x")
    #expect(options.config == nil)
  }

  @Test(arguments: [
    ("price a", Duration.seconds(2), Duration.seconds(65)),
    ("price a --timeout 500ms", .milliseconds(500), .seconds(65)),
    ("price a --timeout 1m", .seconds(2), .seconds(65)), ("price a --wait 0s", .zero, .zero),
    ("price a --wait 10m --timeout 1s", .seconds(600), .seconds(600)),
  ])
  func `A command without a terminal waits two seconds for a budget, within its timeout, by default`(
    line: String, unattended: Duration, attended: Duration
  ) throws {
    guard case .run(_, let arguments) = try invocation(line) else { return }
    #expect(arguments.options.patience(isAttended: false) == unattended)
    #expect(arguments.options.patience(isAttended: true) == attended)
  }

  @Test func `Nothing typed means nothing`() throws {
    guard case .nothing = try invocation("-v") else {
      Issue.record("an option alone is not a command")
      return
    }
  }
}
