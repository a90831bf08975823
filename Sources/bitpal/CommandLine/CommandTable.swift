/// All commands and options: what the parser accepts and the help describes.
///
/// Completion, man page and reference are made from it as well, so a command exists in all of them or in none.
struct CommandTable: Sendable {
  /// The words under which several commands live.
  let groups: [CommandGroup]

  /// The options that every command takes.
  let everywhere: [OptionSpec]

  private let types: [any Command.Type]

  init(commands types: [any Command.Type], groups: [CommandGroup], everywhere: [OptionSpec]) {
    self.types = types
    self.groups = groups
    self.everywhere = everywhere
  }

  /// What there is to know about each command, in order.
  var commands: [CommandSpec] { types.map { $0.spec } }

  /// The commands that are for people.
  var shown: [CommandSpec] { commands.filter { !$0.isHidden } }

  /// What does what the command is for.
  func type(of command: CommandSpec) -> (any Command.Type)? {
    types.first { $0.name == command.name }
  }

  /// The specification of a command, by the words that call it.
  func command(_ name: String) -> CommandSpec? {
    types.first { $0.name == name }?.spec
  }

  /// The command that a line begins with; nil when something else does.
  func command(beginning words: [String]) -> CommandSpec? {
    guard let first = words.first else { return nil }
    return command(first) ?? (words.count > 1 ? command("\(first) \(words[1])") : nil)
  }

  /// The commands of a group, in the order of the table.
  func commands(of group: CommandGroup) -> [CommandSpec] {
    types.filter { $0.name.hasPrefix(group.name + " ") }.map { $0.spec }
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
