import BitpalQueries
import Testing

@testable import bitpal

@Suite struct `The table of commands` {
  private let table = CommandTable.bitpal

  @Test func `Every command is in it once`() {
    let names = table.commands.map(\.name)
    #expect(Set(names).count == names.count)
    for command in table.commands { #expect(table.type(of: command)?.spec.name == command.name) }
  }

  @Test func `An option that several commands have is written alike in all of them`() {
    for option in table.allOptions {
      for other in table.allOptions where other.name == option.name {
        #expect(other.short == option.short)
        #expect(other.takesValue == option.takesValue)
      }
    }
  }

  @Test func `No two options share a short name`() {
    var owners: [Character: String] = [:]
    for option in table.allOptions {
      guard let short = option.short else { continue }
      #expect(owners[short] == nil || owners[short] == option.name)
      owners[short] = option.name
    }
  }

  @Test(arguments: CommandTable.bitpal.commands.map(\.name))
  func `The examples of a command are accepted and call it`(name: String) throws {
    let examples = try #require(table.command(name)).examples
    #expect(!examples.isEmpty)
    for example in examples {
      let words = example.command.split(separator: " ").prefix { $0 != ">" }.map(String.init)
      guard case .run(let command, _) = try Invocation(RawArguments(words, table: table), table: table),
        command.spec.name == name
      else {
        Issue.record("\(example.command) does not call \(name)")
        continue
      }
    }
  }

  @Test func `Every group has commands, and every command of two words a group or a command of the first`() {
    for group in table.groups { #expect(!table.commands(of: group).isEmpty) }
    for command in table.commands where command.words.count > 1 {
      let first = command.words[0]
      #expect(table.groups.map(\.name).contains(first) || table.command(first).map { $0.operandWord == nil } ?? false)
    }
  }

  /// Reading an option that the list of the command lacks ends the program, so each command is created with as many of
  /// its options as go together.
  @Test(arguments: CommandTable.bitpal.commands.map(\.name))
  func `Every option that a command reads is in its list`(name: String) throws {
    let command = try #require(table.command(name))
    let operands: [String] =
      switch command.operands {
      case .none, .optional, .any: []
      case .one, .some: ["1"]
      case .free(let form): form.split(separator: " ").map { _ in "1" }
      case .exactly(let words): words.map { _ in "1" }
      }
    for option in [nil] + command.options.map(Optional.some) {
      let words = command.words + operands + (option.map(typed) ?? [])
      guard case .run(let type, let arguments) = try Invocation(RawArguments(words, table: table), table: table) else {
        Issue.record("\(words) does not call \(name)")
        continue
      }
      // A value or a combination that the command refuses is refused after it was read.
      _ = try? type.init(arguments)
    }
  }

  private func typed(_ option: ParameterSpec) -> [String] {
    switch option.values {
    case .flag, .optional: [option.spelling]
    case .text(let word, let example): [option.spelling, example ?? word]
    case .day: [option.spelling, "2025-01-14"]
    case .count(let range): [option.spelling, "\(range.lowerBound)"]
    case .choice(let words): [option.spelling, words[0]]
    }
  }

  @Test func `An option that no list has cannot be read`() async {
    await #expect(processExitsWith: .failure) {
      _ = RawArguments(["price", "bitcoin"], table: .bitpal).limited(to: [])["sort"]
    }
  }
}
