/// All commands and options: what the parser accepts and the help describes.
///
/// Completion, man page and reference are made from it as well, so a command exists in all of them or in none.
struct CommandTable: Sendable {
  let commands: [CommandSpec]
  let groups: [CommandGroup]

  /// The options that every command takes.
  let everywhere: [OptionSpec]

  /// The commands that are for people.
  var shown: [CommandSpec] { commands.filter { !$0.isHidden } }

  /// The specification of a command.
  func command(_ name: CommandName) -> CommandSpec? {
    commands.first { $0.name == name }
  }

  /// The commands of a group, in the order of the table.
  func commands(of group: CommandGroup) -> [CommandSpec] {
    commands.filter { $0.name.words.count > 1 && $0.name.words.first == group.name }
  }

  /// The commands that take an option besides those everywhere.
  func owners(of option: OptionName) -> [CommandSpec] {
    commands.filter { command in command.options.contains { $0.name == option } }
  }

  /// The words that may stand first on the command line.
  var firstWords: [String] {
    var words: [String] = []
    for command in shown {
      if let word = command.name.words.first, word != words.last { words.append(word) }
    }
    return words + ["help"]
  }

  /// Every option there is.
  ///
  /// An option has the same short name and takes a value or not in all commands alike, so that
  /// it can stand before the command.
  var allOptions: [OptionSpec] {
    everywhere + commands.flatMap(\.options)
  }
}
