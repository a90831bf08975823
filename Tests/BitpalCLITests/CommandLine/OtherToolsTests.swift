import BitpalModel
import BitpalQueries
import Testing

@testable import bitpal

@Suite struct `Lines that other tools have taught` {
  private let table = CommandTable.bitpal

  private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

  /// The line that is proposed instead; nil when the line is accepted, or refused without one.
  private func proposal(_ line: [String]) -> [String]? {
    do {
      _ = try Invocation(RawArguments(line, table: table), table: table)
      return nil
    } catch {
      guard let start = error.hint?.firstRange(of: "did you mean \"bitpal ")?.upperBound, let hint = error.hint,
        let end = hint[start...].firstIndex(of: "\"")
      else { return nil }
      return words(String(hint[start..<end]))
    }
  }

  /// Whether a command takes the line, with all of its options.
  private func isRight(_ line: [String]) -> Bool {
    do {
      if case .run(let type, let arguments) = try Invocation(RawArguments(line, table: table), table: table) {
        _ = try type.init(arguments)
      }
      return true
    } catch {
      return false
    }
  }

  @Test(arguments: [
    ("chart btc --days 7", "chart btc --range 7d"),
    ("history btc --days 30", "history btc --from 30d"),
    ("history btc --date 2025-01-10", "history btc --on 2025-01-10"),
    ("history btc --range 7d", "history btc --from 7d"), ("chart btc -o x.svg", "chart btc --svg x.svg"),
    ("chart btc --output=x.svg", "chart btc --svg x.svg"), ("price btc -o json", "price btc --format json"),
    ("chart btc --type candlestick", "chart btc --type candle"), ("chart btc --candles", "chart btc --type candle"),
    ("chart btc --interval 1h", "chart btc --candle 1h"), ("watch btc --interval 30", "watch btc --every 30s"),
    ("watch btc -n 30", "watch btc --every 30s"), ("price btc --watch", "watch btc"),
    ("btc --watch", "watch btc"), ("price btc --days 7", "chart btc --range 7d"),
    ("price btc --range 1W", "chart btc --range 1W"), ("price btc --date 2025-01-10", "history btc --on 2025-01-10"),
    ("price --ids bitcoin,ethereum", "price bitcoin,ethereum"), ("price --symbol btc", "price btc"),
    ("price --coin btc", "price btc"), ("price btc --vs_currencies eur", "price btc --currency eur"),
    ("price btc in eur", "price btc --currency eur"), ("btc in eur", "btc --currency eur"),
    ("price btc --currency euro", "price btc --currency eur"), ("price btc --curency eur", "price btc --currency eur"),
    ("price btc --decimals 2", "price btc --digits 2"), ("price btc --exchange kraken", "price btc -p kraken"),
    ("price btc --sort -price", "price btc --sort price --reverse"),
    ("price btc --fiat eur --decimals 2", "price btc --currency eur --digits 2"),
    ("top 10", "top --limit 10"), ("serve --port 8080", "serve --listen 127.0.0.1:8080"),
    ("serve -p 8080", "serve --listen 127.0.0.1:8080"), ("serve 8080", "serve --listen 127.0.0.1:8080"),
    ("1 btc", "convert 1 btc"), ("100 usd to btc", "convert 100 usd to btc"), ("price 1 btc", "convert 1 btc"),
    ("0.5btc", "convert 0.5btc"), ("convert --amount 1 --from btc --to eur", "convert 1 btc eur"),
    ("buy 0.5 btc at 64000", "buy 0.5 btc --price 64000"),
    ("buy 0.5 btc --on 2025-01-01", "buy 0.5 btc --date 2025-01-01"),
    ("portfolio transactions --symbol btc", "portfolio transactions --coin btc"),
    ("portfolio gains 2024", "portfolio gains --year 2024"), ("completion --shell bash", "completion bash"),
    ("info btc", "coin btc"), ("show btc", "coin btc"), ("get btc", "price btc"), ("lookup doge", "search doge"),
    ("portfolio add 0.5 btc", "buy 0.5 btc"), ("portfolio show", "portfolio summary"),
    ("portfolio history", "portfolio transactions"), ("portfolio report", "portfolio summary"), ("trending", "top"),
    ("tui", "watch"), ("alert btc 100000", "watch btc"), ("demo", "-p fixture btc eth sol"), ("pirce btc", "price btc"),
    ("help pirce", "help price"), ("btc chart --range 1W", "chart btc --range 1W"), ("config ls", "config show"),
    ("compare btc eth", "chart btc eth"), ("chart btc vs eth", "chart btc eth"),
    ("buy 1 btc @ 60000", "buy 1 btc --price 60000"),
    ("buy 1 btc 60000", "buy 1 btc --price 60000"), ("providers use kraken", "config set provider kraken"),
    ("config set currency=eur", "config set currency eur"),
  ])
  func `The whole line that was meant is proposed`(typed: String, meant: String?) {
    #expect(proposal(words(typed)) == meant.map(words))
  }

  @Test(arguments: [
    (
      "watch btc --interval 5",
      "did you mean --every DURATION: time between two updates, at least 10s (that of the settings)?"
    ),
    ("chart", #"see "bitpal chart --help""#), ("exchange", #"did you mean "bitpal convert AMOUNT FROM [TO]"?"#),
  ])
  func `A line that lacks something is answered with its form`(typed: String, hint: String) {
    do {
      _ = try Invocation(RawArguments(words(typed), table: table), table: table)
      Issue.record("\(typed) is accepted")
    } catch {
      #expect(error.hint == hint)
    }
  }

  @Test(arguments: ["-V", "price btc -j", "top -n 5", "search doge -n 5", "price btc --no-color", "price 1inch", "404"])
  func `A line with one meaning is accepted`(line: String) { #expect(isRight(words(line))) }

  @Test func `Each name of a command is replaced by a line that is right`() throws {
    for entry in OtherTools.commands {
      for name in entry.names {
        let own = words(String(name))
        #expect(table.command(String(name)) == nil && !WellKnownCoins.isKnown(own[0]), "\(name)")
        let operands = entry.meanings[0].contains("{1}") ? ["bitcoin"] : try exampleOperands(of: entry.meanings[0])
        let line = try #require(proposal(own + operands), "\(name)")
        let form = table.command(beginning: entry.meanings[0]).flatMap(\.operandWord).map {
          entry.meanings[0] + words($0)
        }
        #expect(isRight(line) || line == form, "\(name): \(line)")
      }
    }
  }

  /// The operands of an example of the command; none of a line that needs no more.
  private func exampleOperands(of meaning: [String]) throws -> [String] {
    guard let command = table.command(beginning: meaning), !isRight(meaning) else { return [] }
    let example = try #require(command.examples.first)
    return words(example.command).dropFirst(meaning.count).prefix { !$0.hasPrefix("-") && $0 != ">" }.map(\.self)
  }

  @Test func `Each name of an option is replaced by a line that is right`() throws {
    let values = [
      "eur", "7d", "2", "2025-01-10", "kraken", "always", "json", "name", "127.0.0.1:1", "fifo", "1h", "ymd", "de_DE",
      "100", "2024",
      "windows-1250", "https://a.example",
    ]
    for entry in OtherTools.options {
      for pattern in entry.names {
        let parts = pattern.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let stars = ["5", "25-01-10", "price"]
        let value = parts.count == 2 ? stars.map { parts[1].replacing("#", with: "30").replacing("*", with: $0) } : nil
        let typed = entry.meanings.flatMap { meaning in (value ?? values).flatMap { lines(meaning, parts[0], $0) } }
        #expect(typed.contains { proposal($0).map(isRight) ?? false }, "\(pattern)")
      }
    }
  }

  /// Lines with an option that has a meaning, one for each of the first commands that may take it.
  private func lines(_ meaning: [String], _ name: String, _ value: String) -> [[String]] {
    let option = meaning.first { $0.hasPrefix("-") }.map { $0 == "-p" ? "provider" : String($0.dropFirst(2)) }
    let owners =
      meaning[0].hasPrefix("@") ? ["price"] : option.map { table.owners(of: $0).map(\.name) } ?? ["price", "convert"]
    return (owners.isEmpty ? ["price"] : Array(owners.prefix(4))).flatMap { owner -> [[String]] in
      guard let command = table.command(owner), let example = command.examples.last?.command else { return [] }
      let line = words(example).prefix { !$0.hasPrefix("-") && $0 != ">" }.map(\.self)
      let spelled = name.isEmpty ? [value] : [(name.count == 1 ? "-" : "--") + name]
      return name.isEmpty
        ? [line + spelled, command.words + spelled + ["btc"]]
        : [line + spelled + [value], line + spelled, command.words + spelled + [value]]
    }
  }
}
