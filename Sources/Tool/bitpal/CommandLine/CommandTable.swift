import BitpalQueries

/// A table of all commands and options: the parser accepts them, and the help describes them.
///
/// Completion, man page and reference are made from the same table, so a command exists in all of them or in none.
struct CommandTable: Sendable {
  /// The sections of the help, with all commands.
  let sections: [CommandSection]

  /// The words that group several commands.
  let groups: [CommandGroup]

  /// The options that every command takes.
  let everywhere: [ParameterSpec]

  private let types: [any Command.Type]

  init(sections: [CommandSection], groups: [CommandGroup], everywhere: [ParameterSpec]) {
    self.sections = sections
    types = sections.flatMap(\.types)
    self.groups = groups
    self.everywhere = everywhere
  }

  /// The descriptions of all commands, in the order of the help.
  var commands: [CommandSpec] { types.map { $0.spec } }

  /// The commands for people, without the hidden ones.
  var shown: [CommandSpec] { commands.filter { !$0.isHidden } }

  /// Returns the type that implements a command; nil for a command that is not in the table.
  func type(of command: CommandSpec) -> (any Command.Type)? {
    types.first { $0.name == command.name }
  }

  /// Returns the description of the command with that name; nil when there is none.
  func command(_ name: String) -> CommandSpec? {
    types.first { $0.name == name }?.spec
  }

  /// Returns the command that a line begins with; nil when it begins with anything else.
  func command(beginning words: [String]) -> CommandSpec? {
    guard let first = words.first else { return nil }
    return (words.count > 1 ? command("\(first) \(words[1])") : nil) ?? command(first)
  }

  /// Returns the commands of a group, in the order of the table.
  func commands(of group: CommandGroup) -> [CommandSpec] {
    types.filter { $0.name.hasPrefix(group.name + " ") }.map { $0.spec }
  }

  /// Returns the commands that have an option of their own with that name.
  func owners(of option: String) -> [CommandSpec] {
    commands.filter { command in command.options.contains { $0.name == option } }
  }

  /// The words that may come first on the command line, with `help`.
  var firstWords: [String] {
    var words: [String] = []
    for command in shown {
      if let word = command.words.first, word != words.last { words.append(word) }
    }
    return words + ["help"]
  }

  /// All options of all commands.
  ///
  /// An option has the same short name in all commands, and takes a value in all or in none. So it can stand before the
  /// command.
  var allOptions: [ParameterSpec] {
    everywhere + commands.flatMap(\.options)
  }
}

/// A section of the help: the commands for one kind of task.
struct CommandSection: Sendable {
  let title: String
  let types: [any Command.Type]

  init(_ title: String, _ types: [any Command.Type]) {
    self.title = title
    self.types = types
  }
}

/// A word that groups several commands; alone it calls the first of them.
struct CommandGroup: Sendable {
  let name: String
  let summary: String

  init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }
}
