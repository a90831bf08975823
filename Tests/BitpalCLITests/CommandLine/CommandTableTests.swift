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

  @Test func `Every option belongs to some command`() {
    #expect(Set(table.allOptions.map(\.name)) == Set(OptionName.allCases))
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
    var owners: [Character: OptionName] = [:]
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

  @Test func `Every parameter of a question is an option`() {
    let parameters =
      ChartQuery.parameters + [ChartQuery.points] + HistoryQuery.parameters + [SearchQuery.limit]
      + TransactionRequest.parameters + [TransactionRequest.date, TransactionRequest.notes]
    for parameter in parameters {
      #expect(OptionSpec(parameter) != nil, "\(parameter.name)")
    }
  }
}
