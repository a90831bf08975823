/// All commands and options: what the parser accepts and the help describes.
///
/// Completion, man page and reference are made from it as well, so a command exists in all of them or in none.
struct CommandTable: Sendable {
  /// What there is to know about each command, in order.
  let commands: [CommandSpec]

  /// The words under which several commands live.
  let groups: [CommandGroup]

  /// The options that every command takes.
  let everywhere: [OptionSpec]

  private let types: [any Command.Type]

  init(commands types: [any Command.Type], groups: [CommandGroup], everywhere: [OptionSpec]) {
    self.types = types
    commands = types.map { $0.spec }
    self.groups = groups
    self.everywhere = everywhere
  }

  /// The commands that are for people.
  var shown: [CommandSpec] { commands.filter { !$0.isHidden } }

  /// What does what the command is for.
  func type(of command: CommandSpec) -> (any Command.Type)? {
    types.first { $0.spec.name == command.name }
  }

  /// The specification of a command, by the words that call it.
  func command(_ name: String) -> CommandSpec? {
    commands.first { $0.name == name }
  }

  /// The commands of a group, in the order of the table.
  func commands(of group: CommandGroup) -> [CommandSpec] {
    commands.filter { $0.words.count > 1 && $0.words.first == group.name }
  }

  /// The commands that take an option besides those everywhere.
  func owners(of option: OptionName) -> [CommandSpec] {
    commands.filter { command in command.options.contains { $0.name == option } }
  }

  /// The words that may stand first on the command line.
  var firstWords: [String] {
    var words: [String] = []
    for command in shown {
      if let word = command.words.first, word != words.last { words.append(word) }
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

/// A word under which several commands live; alone it means the first of them.
struct CommandGroup: Sendable {
  let name: String
  let summary: String

  init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }
}
